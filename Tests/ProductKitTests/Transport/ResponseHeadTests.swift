import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ResponseHeadTests {
    @Test(arguments: ["HTTP/1.1 200 OK", "HTTP/1.0 200 ", "HTTP/1.1 200"])
    func `a status line needs no reason phrase`(statusLine: String) throws {
        let head = try read([statusLine, "ETag: 7", ""])

        #expect(head.statusCode == 200 && head.isComplete)
        #expect(head.headers["ETag"] == "7")
    }

    @Test(arguments: [
        "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 099 OK", "HTTP/1.1 -10 OK", "HTTP/1.1",
        "HTTP/1.1 101 Switching Protocols", "HTTP/1.1 2x0 OK", "http/1.1 200 OK",
        "HTTP/2 200 OK", "ETag: 7",
    ])
    func `an invalid status line is refused`(statusLine: String) {
        #expect(throws: ResponseHead.Refusal.invalid) { try read([statusLine]) }
    }

    @Test func `an informational response is not the final one`() throws {
        var head = try read(["HTTP/1.1 103 Early Hints", "Link: </a>", ""])
        #expect(!head.isComplete && !head.isFinal)

        for line in ["HTTP/1.1 404 Not Found", "ETag: 7", ""] { try head.read(line.utf8) }
        #expect(head.statusCode == 404 && head.isComplete)
        #expect(head.headers == ["ETag": "7"])
    }

    @Test func `a head without its empty line is not complete`() throws {
        let head = try read(["HTTP/1.1 200 OK", "Content-Le"])

        #expect(!head.isComplete && head.isFinal)
    }

    @Test(
        arguments: [
            // Fields with the same name are combined.
            (["Vary: A", "ETag: 7", "vary:B", "VARY:  C \t"], ["Vary": "A, B, C", "ETag": "7"]),
            // A line that begins with white space continues a field.
            ([" lost", "Vary: A,", "\t B"], ["Vary": "A, B"]),
            // Trailer fields are ignored.
            (["ETag: 7", "", "ETag: 8", "X-Sum: 1"], ["ETag": "7"]),
            // A control character in a value becomes a space.
            (["X-Text: a\u{0}b\rc\u{7F}d\te"], ["X-Text": "a b c d\te"]),
        ] as [([String], NetworkHeaders)]
    )
    func `fields are read as HTTP defines`(lines: [String], headers: NetworkHeaders) throws {
        #expect(try read(["HTTP/1.1 200 OK"] + lines + [""]).headers == headers)
    }

    @Test(arguments: [
        "no colon", ": no name", "Bad Name: 1", "Bad: Name : 1", "Content-Length : 5",
    ])
    func `a line that is not a field is ignored`(line: String) throws {
        let head = try read(["HTTP/1.1 200 OK", line, "ETag: 7", ""])

        #expect(head.headers["ETag"] == "7")
        #expect(head.headers["Content-Length"] == nil && head.headers["Bad Name"] == nil)
    }

    @Test func `bytes that are not UTF-8 are read as Latin-1`() throws {
        var head = try read(["HTTP/1.1 200 OK", "X-Text: Müller"])
        try head.read(Array("X-Old: M".utf8) + [0xFC] + Array("ller".utf8))
        try head.read("".utf8)

        #expect(head.headers == ["X-Text": "Müller", "X-Old": "Müller"])
    }

    // Rule: security/response-size-is-limited (26)
    @Test func `a head of 1,000 fields is accepted, and one more is too large`() throws {
        var head = try read(["HTTP/1.1 200 OK"])
        for _ in 1...1_000 { try head.read("A: 1\r\n".utf8) }
        try head.read("\r\n".utf8)

        #expect(head.isComplete)
        #expect(throws: ResponseHead.Refusal.tooLarge) { try head.read("Trailer: 1\r\n".utf8) }
    }

    // Rule: security/response-size-is-limited (26)
    @Test(arguments: [0, 1]) func `a head of 256 KiB is accepted, and a larger one is not`(
        excess: Int
    ) throws {
        var head = try read(["HTTP/1.1 200 OK"])
        let field = "A: " + String(repeating: "1", count: (256 << 10) - 17 - 5 + excess) + "\r\n"

        if excess == 0 {
            try head.read(field.utf8)
        } else {
            #expect(throws: ResponseHead.Refusal.tooLarge) { try head.read(field.utf8) }
        }
    }

    // Rule: security/response-size-is-limited (26)
    @Test func `informational responses and trailer fields count, too`() throws {
        var head = ResponseHead()
        for _ in 1...334 {
            for line in ["HTTP/1.1 100 Continue", "A: 1", ""] { try head.read(line.utf8) }
        }
        #expect(throws: ResponseHead.Refusal.tooLarge) { try head.read("".utf8) }

        var trailers = try read(["HTTP/1.1 200 OK", ""])
        #expect(throws: ResponseHead.Refusal.tooLarge) {
            while true { try trailers.read("A: 1".utf8) }
        }
    }

    private func read(_ lines: [String]) throws -> ResponseHead {
        var head = ResponseHead()
        for line in lines { try head.read("\(line)\r\n".utf8) }
        return head
    }
}
