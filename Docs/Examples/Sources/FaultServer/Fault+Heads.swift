import Foundation

extension Fault {
    /// Begins with something that is no status line.
    public static let garbageStatusLine = Fault(
        "sends a garbage status line",
        closesAfter: ["NOPE/9 banana", "Content-Length: 2", "", "{}"]
    )

    /// Sends a body without any head, as HTTP/0.9 did.
    public static let noHead = Fault(
        "answers as HTTP/0.9",
        closesAfter: [#"{"id": 1, "name": "A"}"#]
    )

    /// Sends two informational answers, then the answer.
    public static let informationalFirst = Fault(
        "sends 1xx answers first",
        sends: [
            "HTTP/1.1 100 Continue", "", "HTTP/1.1 103 Early Hints", "Link: </a.css>", "",
            "HTTP/1.1 200 OK", "Content-Type: application/json", "Content-Length: 22", "",
            #"{"id": 1, "name": "A"}"#,
        ]
    )

    /// Sends an informational answer and closes.
    public static let onlyInformational = Fault(
        "sends nothing but a 1xx",
        closesAfter: ["HTTP/1.1 103 Early Hints", "Link: </a.css>", "", ""]
    )

    /// Says twice how long the body is, and not the same.
    public static let twoLengths = Fault(
        "sends two Content-Lengths",
        closesAfter: [
            "HTTP/1.1 200 OK", "Content-Length: 22", "Content-Length: 2", "",
            #"{"id": 1, "name": "A"}"#,
        ]
    )

    /// Sends one field three times, with its name in three cases.
    public static let namesInThreeCases = Fault(
        "sends names in three cases",
        sends: [
            "HTTP/1.1 200 OK", "Content-Type: application/json", "x-tag: a", "X-Tag: b",
            "X-TAG: c", "Content-Length: 22", "", #"{"id": 1, "name": "A"}"#,
        ]
    )

    /// Sends a head of one megabyte in one field.
    public static let hugeField = Fault(
        "sends a field of 1 MB",
        closesAfter: [
            "HTTP/1.1 200 OK", "X-Huge: \(String(repeating: "a", count: 1 << 20))",
            "Content-Length: 22", "", #"{"id": 1, "name": "A"}"#,
        ]
    )

    /// Sends five thousand fields.
    public static let manyFields = Fault(
        "sends 5,000 fields",
        closesAfter: ["HTTP/1.1 200 OK"] + (1...5_000).map { "X-Field-\($0): \($0)" }
            + ["Content-Length: 22", "", #"{"id": 1, "name": "A"}"#]
    )

    /// Sends a body with a 204, which has none.
    public static let bodyWith204 = Fault(
        "sends a body with a 204",
        sends: ["HTTP/1.1 204 No Content", "Content-Length: 5", "", "extra"]
    )

    /// Sends a body with a 304, which has none.
    public static let bodyWith304 = Fault(
        "sends a body with a 304",
        sends: ["HTTP/1.1 304 Not Modified", "Content-Length: 5", "", "extra"]
    )

    /// Refuses with a challenge, and says why in the body.
    public static func challenge(_ status: Int, _ challenges: String...) -> Fault {
        let field = status == 407 ? "Proxy-Authenticate" : "WWW-Authenticate"
        return Fault(
            "answers \(status) with \(challenges.joined(separator: " and "))",
            status: status,
            headers: ["Content-Type: application/problem+json"]
                + challenges.map { "\(field): \($0)" },
            body: Data(#"{"title": "Who are you?", "status": \#(status)}"#.utf8)
        )
    }

    /// Refuses for now, and says when to come again.
    public static func busy(_ status: Int) -> Fault {
        Fault(
            "answers \(status) with Retry-After",
            status: status,
            headers: ["Retry-After: 2"],
            body: Data()
        )
    }
}
