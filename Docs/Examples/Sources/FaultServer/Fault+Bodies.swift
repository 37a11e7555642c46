import Foundation

extension Fault {
    /// Closes the connection before the body has its `Content-Length`.
    public static let truncatedByLength = Fault(
        "ends a body before its length",
        closesAfter: ["HTTP/1.1 200 OK", "Content-Length: 100", "", #"{"id": 1, "name": "A"}"#]
    )

    /// Closes the connection before the last chunk.
    public static let truncatedByChunk = Fault(
        "ends a body before its last chunk",
        closesAfter: [
            "HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "16", #"{"id": 1, "name": "A"}"#,
            "",
        ]
    )

    /// Sends `zz` as the size of a chunk.
    public static let badChunkSize = Fault(
        "sends “zz” as the size of a chunk",
        closesAfter: ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "zz", "{}", "0", "", ""]
    )

    /// Sends a body that never ends.
    public static let endlessBody = Fault("sends an endless body") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        let piece = Data(repeating: UInt8(ascii: " "), count: 64 << 10)
        while true { try await connection.send(piece) }
    }

    /// Sends a body that never ends, in chunks of one byte.
    public static let endlessChunks = Fault("sends endless chunks of one byte") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        let piece = String(repeating: "1\r\n \r\n", count: 10_000)
        while true { try await connection.send(piece) }
    }

    /// Sends a `Content-Length` of 100 GB and one byte of the body.
    public static let announcesTooMuch = Fault(
        "sends a Content-Length of 100 GB"
    ) { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n{")
        try await connection.hang()
    }

    /// Sends 64 MiB of zeros, compressed to about 420 kB.
    public static let gzipBomb = Fault(
        "sends a gzip bomb",
        headers: ["Content-Type: application/json", "Content-Encoding: gzip"],
        body: .gzip(zeros: 64 << 20)
    )

    /// Sends 512 MiB of zeros, compressed twice, to about 25 kB.
    public static let gzipBombInGzip = Fault(
        "sends a gzip bomb in gzip",
        headers: ["Content-Type: application/json", "Content-Encoding: gzip, gzip"],
        body: .gzip(period: 13, of: .gzip(zeros: 512 << 20))
    )

    /// Sends compressed members without content that never end.
    public static let endlessGzip = Fault("sends endless empty members in gzip") { _, connection in
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
        let members = Data(Array(repeating: Data.gzip(Data()), count: 1_000).joined())
        while true { try await connection.send(members) }
    }

    /// Sends plain text with `Content-Encoding: gzip`.
    public static let brokenGzip = Fault(
        "sends plain text as gzip",
        headers: ["Content-Encoding: gzip"],
        body: Data("no gzip at all".utf8)
    )

    /// Sends compressed JSON without its last bytes, and a correct `Content-Length`.
    public static let truncatedGzip = Fault(
        "sends truncated gzip data",
        headers: ["Content-Type: application/json", "Content-Encoding: gzip"],
        body: Data.gzip(Data(#"{"id": 1, "name": "A", "description": "Long"}"#.utf8)).dropLast(20)
    )

    /// Sends valid JSON, compressed.
    public static let validGzip = Fault(
        "sends valid gzip data",
        headers: ["Content-Type: application/json", "Content-Encoding: gzip"],
        body: .gzip(Data(#"{"id": 1, "name": "A"}"#.utf8))
    )

    /// Creates a fault that sends status 200 and a body that is not a product.
    static func body(
        _ name: String,
        type: String = "application/json",
        _ bytes: Data
    ) -> Fault {
        Fault("sends \(name)", headers: ["Content-Type: \(type)"], body: bytes)
    }

    /// Responses with status 200 and a body that is not a product.
    public static let unreadableBodies: [Fault] = [
        .body("an empty body", Data()),
        .body("malformed JSON", Data(#"{"id": 1, "name": }"#.utf8)),
        .body("truncated JSON", Data(#"{"id": 1, "na"#.utf8)),
        .body("a web page", type: "text/html", Data("<!doctype html><title>Hi</title>".utf8)),
        .body("a web page as JSON", Data("<!doctype html><title>Hi</title>".utf8)),
        .body("an image", type: "image/png", Data([0x89, 0x50, 0x4E, 0x47])),
        .body("invalid UTF-8", Data(#"{"id": 1, "name": ""#.utf8) + [0xC3, 0x28, 0x22, 0x7D]),
        .body("a NUL", Data("{\"id\": 1,\0 \"name\": \"A\"}".utf8)),
        .body("100,000 brackets", Data(repeating: UInt8(ascii: "["), count: 100_000)),
        .body("an array", Data("[]".utf8)),
        .truncatedGzip,
    ]
}
