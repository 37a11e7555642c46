import Foundation

extension Fault {
    /// Closes before as many bytes as announced.
    public static let truncatedByLength = Fault(
        "ends a body before its length",
        closesAfter: ["HTTP/1.1 200 OK", "Content-Length: 100", "", #"{"id": 1, "name": "A"}"#]
    )

    /// Closes before the last chunk.
    public static let truncatedByChunk = Fault(
        "ends a body before its last chunk",
        closesAfter: [
            "HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "16", #"{"id": 1, "name": "A"}"#,
            "",
        ]
    )

    /// Says that a chunk is `zz` bytes long.
    public static let badChunkSize = Fault(
        "sends a chunk of “zz” bytes",
        closesAfter: ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "zz", "{}", "0", "", ""]
    )

    /// Sends a body without end.
    public static let endlessBody = Fault("sends a body without end") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        let piece = Data(repeating: UInt8(ascii: " "), count: 64 << 10)
        while true { try await connection.send(piece) }
    }

    /// Announces a body of 100 GB.
    public static let announcesTooMuch = Fault("announces 100 GB") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n{")
        try await connection.hang()
    }

    /// Sends 64 MiB of zeros packed into half a megabyte.
    public static let gzipBomb = Fault(
        "sends a gzip bomb",
        headers: ["Content-Type: application/json", "Content-Encoding: gzip"],
        body: .gzip(zeros: 64 << 20)
    )

    /// Sends 512 MiB of zeros packed, and packed again, into some tens of kilobytes.
    public static let gzipBombInGzip = Fault(
        "sends a gzip bomb in gzip",
        headers: ["Content-Type: application/json", "Content-Encoding: gzip, gzip"],
        body: .gzip(period: 13, of: .gzip(zeros: 512 << 20))
    )

    /// Says that a body is packed that is not.
    public static let brokenGzip = Fault(
        "sends text and calls it gzip",
        headers: ["Content-Encoding: gzip"],
        body: Data("no gzip at all".utf8)
    )

    /// Sends packed JSON whose end is missing, with the length of what is there.
    public static let truncatedGzip = Fault(
        "sends half of a gzip file",
        headers: ["Content-Type: application/json", "Content-Encoding: gzip"],
        body: Data.gzip(Data(#"{"id": 1, "name": "A", "description": "Long"}"#.utf8)).dropLast(20)
    )

    /// Sends JSON as it should be, packed.
    public static let soundGzip = Fault(
        "sends a sound gzip file",
        headers: ["Content-Type: application/json", "Content-Encoding: gzip"],
        body: .gzip(Data(#"{"id": 1, "name": "A"}"#.utf8))
    )

    /// Answers 200 with bytes that are no product.
    static func body(
        _ name: String,
        type: String = "application/json",
        _ bytes: Data
    ) -> Fault {
        Fault("sends \(name)", headers: ["Content-Type: \(type)"], body: bytes)
    }

    /// Bodies that are no product, all with status 200.
    public static let unreadableBodies: [Fault] = [
        .body("nothing", Data()),
        .body("malformed JSON", Data(#"{"id": 1, "name": }"#.utf8)),
        .body("half of its JSON", Data(#"{"id": 1, "na"#.utf8)),
        .body("a web page", type: "text/html", Data("<!doctype html><title>Hi</title>".utf8)),
        .body("a web page that is called JSON", Data("<!doctype html><title>Hi</title>".utf8)),
        .body("a picture", type: "image/png", Data([0x89, 0x50, 0x4E, 0x47])),
        .body("invalid UTF-8", Data(#"{"id": 1, "name": ""#.utf8) + [0xC3, 0x28, 0x22, 0x7D]),
        .body("a NUL", Data("{\"id\": 1,\0 \"name\": \"A\"}".utf8)),
        .body("100,000 brackets", Data(repeating: UInt8(ascii: "["), count: 100_000)),
        .body("a list", Data("[]".utf8)),
        .truncatedGzip,
    ]
}
