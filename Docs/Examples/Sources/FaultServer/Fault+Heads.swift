import Foundation

extension Fault {
    /// Starts with an invalid status line.
    public static let garbageStatusLine = Fault(
        "sends an invalid status line",
        closesAfter: ["NOPE/9 banana", "Content-Length: 2", "", "{}"]
    )

    /// Sends a body without a head, as in HTTP/0.9.
    public static let noHead = Fault(
        "responds as HTTP/0.9",
        closesAfter: [#"{"id": 1, "name": "A"}"#]
    )

    /// Sends two informational (1xx) responses, then the final response.
    public static let informationalFirst = Fault(
        "sends 1xx responses first",
        sends: [
            "HTTP/1.1 100 Continue", "", "HTTP/1.1 103 Early Hints", "Link: </a.css>", "",
            "HTTP/1.1 200 OK", "Content-Type: application/json", "Content-Length: 22", "",
            #"{"id": 1, "name": "A"}"#,
        ]
    )

    /// Sends an informational (1xx) response and closes the connection.
    public static let onlyInformational = Fault(
        "sends only a 1xx response",
        closesAfter: ["HTTP/1.1 103 Early Hints", "Link: </a.css>", "", ""]
    )

    /// Sends two different `Content-Length` fields.
    public static let twoLengths = Fault(
        "sends two different Content-Length fields",
        closesAfter: [
            "HTTP/1.1 200 OK", "Content-Length: 22", "Content-Length: 2", "",
            #"{"id": 1, "name": "A"}"#,
        ]
    )

    /// Sends one header field three times, with its name in different letter cases.
    public static let namesInThreeCases = Fault(
        "sends a field name in three letter cases",
        sends: [
            "HTTP/1.1 200 OK", "Content-Type: application/json", "x-tag: a", "X-Tag: b",
            "X-TAG: c", "Content-Length: 22", "", #"{"id": 1, "name": "A"}"#,
        ]
    )

    /// Sends a header field of one megabyte.
    public static let hugeField = Fault(
        "sends a header field of 1 MB",
        closesAfter: [
            "HTTP/1.1 200 OK", "X-Huge: \(String(repeating: "a", count: 1 << 20))",
            "Content-Length: 22", "", #"{"id": 1, "name": "A"}"#,
        ]
    )

    /// Sends 5,000 header fields.
    public static let manyFields = Fault(
        "sends 5,000 header fields",
        closesAfter: ["HTTP/1.1 200 OK"] + (1...5_000).map { "X-Field-\($0): \($0)" }
            + ["Content-Length: 22", "", #"{"id": 1, "name": "A"}"#]
    )

    /// Sends two different lengths, with the field name in two letter cases.
    public static let twoSpellingsOfLength = Fault(
        "sends two different lengths in two letter cases",
        closesAfter: [
            "HTTP/1.1 200 OK", "Content-Length: 22", "content-length: 23", "",
            #"{"id": 1, "name": "A"} "#,
        ]
    )

    /// Sends a status code below 100, which is not valid (RFC 9110 §15).
    public static let statusBelow100 = Fault(
        "sends status 099",
        closesAfter: ["HTTP/1.1 099 Odd", "Content-Length: 2", "", "{}"]
    )

    /// Sends a valid response whose status line ends after the code.
    public static let noReasonPhrase = Fault(
        "sends a status line without reason phrase",
        sends: ["HTTP/1.1 200", "Content-Length: 22", "", #"{"id": 1, "name": "A"}"#]
    )

    /// Sends a valid response whose lines end with LF (RFC 9112 §2.2).
    public static let bareLineFeeds = Fault(
        "ends lines with LF",
        sends: ["HTTP/1.1 200 OK\nContent-Length: 22\n\n{\"id\": 1, \"name\": \"A\"}"]
    )

    /// Sends a valid response with ISO 8859-1 in a field value (RFC 9110 §5.5).
    public static let latin1Field = Fault("sends ISO 8859-1 in a field") { _, connection in
        let lines = ["HTTP/1.1 200 OK", "X-Note: Gr\u{FC}n", "Content-Length: 22", "", ""]
        let head = lines.joined(separator: "\r\n").data(using: .isoLatin1) ?? Data()
        try await connection.send(head + Data(#"{"id": 1, "name": "A"}"#.utf8))
    }

    /// Agrees to another protocol, which the client did not request.
    public static let switchesProtocols = Fault(
        "switches to another protocol",
        closesAfter: [
            "HTTP/1.1 101 Switching Protocols", "Upgrade: x", "Connection: upgrade", "", "",
        ]
    )

    /// Sends informational (1xx) responses without end.
    public static let endlessInformational = Fault("sends endless 1xx responses") { _, connection in
        let piece = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 100)
        while true { try await connection.send(piece) }
    }

    /// Sends 28,000 header fields of 10 bytes.
    public static let shortFields = Fault(
        "sends 28,000 short header fields",
        closesAfter: ["HTTP/1.1 200 OK"] + (10_000..<38_000).map { "X\($0): 1" }
            + ["Content-Length: 22", "", #"{"id": 1, "name": "A"}"#]
    )

    /// Sends a body with status 204, which does not allow one.
    public static let bodyWith204 = Fault(
        "sends a body with status 204",
        sends: ["HTTP/1.1 204 No Content", "Content-Length: 5", "", "extra"]
    )

    /// Sends a body with status 304, which does not allow one.
    public static let bodyWith304 = Fault(
        "sends a body with status 304",
        sends: ["HTTP/1.1 304 Not Modified", "Content-Length: 5", "", "extra"]
    )

    /// Creates a fault that sends authentication challenges and a problem document.
    public static func challenge(_ status: Int, _ challenges: String...) -> Fault {
        let field = status == 407 ? "Proxy-Authenticate" : "WWW-Authenticate"
        return Fault(
            "sends status \(status) with \(challenges.joined(separator: " and "))",
            status: status,
            headers: ["Content-Type: application/problem+json"]
                + challenges.map { "\(field): \($0)" },
            body: Data(#"{"title": "Who are you?", "status": \#(status)}"#.utf8)
        )
    }

    /// Creates a fault that sends a status with `Retry-After`.
    public static func busy(_ status: Int) -> Fault {
        Fault(
            "sends status \(status) with Retry-After",
            status: status,
            headers: ["Retry-After: 2"],
            body: Data()
        )
    }
}
