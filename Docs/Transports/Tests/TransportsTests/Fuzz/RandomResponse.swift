import Foundation

/// The bytes of a random response: a real one, or parts of several, with some damage.
struct RandomResponse {
    /// The bytes that the server sends.
    private(set) var bytes: [UInt8]
    /// Whether the server closes the connection after it, and does not wait for the client.
    let closes: Bool

    /// Creates the response with a number, the same in every run.
    init(number: Int) {
        var random = SplitMix64(state: UInt64(number))
        bytes = Self.corpus.randomElement(using: &random) ?? []
        closes = Int.random(in: 0..<10, using: &random) > 0
        for _ in 0..<Int.random(in: 0...6, using: &random) { damage(using: &random) }
    }

    private mutating func damage(using random: inout SplitMix64) {
        let start = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0...40, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes.removeSubrange(start..<end)
        case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
        case 2: bytes.removeSubrange(start...)
        case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: start)
        case 4 where start < bytes.count:
            bytes[start] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 5:
            let other = Self.corpus.randomElement(using: &random) ?? []
            bytes = Array(bytes[..<start] + other.suffix(from: min(start, other.count)))
        default:
            let token = Self.tokens.randomElement(using: &random) ?? ""
            bytes.insert(contentsOf: token.utf8, at: start)
        }
    }

    private static let tokens = [
        "\r\n", "\r\n\r\n", "\n", "\r", "\0", ":", " ", "\t", ",", ";", "\u{FFFD}", "HTTP/1.1 ",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.0 200 OK\r\n", "HTTP/2 200\r\n", "-1", "0",
        "0\r\n",
        "FFFFFFFFFFFFFFFF\r\n", "9223372036854775807", "18446744073709551616", "1e3",
        "\r\nContent-Length: 3", "\r\nContent-Length: -1",
        "\r\ncontent-length: 18446744073709551615",
        "\r\nTransfer-Encoding: chunked", "\r\nTransfer-Encoding: gzip, chunked",
        "\r\nContent-Encoding: gzip", "\r\nContent-Encoding: gzip, gzip",
        "\r\nContent-Encoding: deflate", "\r\nContent-Encoding: br", "\r\nConnection: close",
        "\r\nConnection: upgrade", "\r\nUpgrade: h2c", "\r\nTrailer: X-Sum", "\r\nX-Sum: 1\r\n",
        "\r\nLocation: /", "\r\nLocation: //[::1]:9/", "\r\nLocation: //a%20b/",
        "\r\nLocation: ://",
        "\r\nSet-Cookie: a=b", "\r\nWWW-Authenticate: Basic", "\r\nWWW-Authenticate: Negotiate",
        "\r\n folded", "\r\n: no name", "\r\nNo colon", "\r\nAlt-Svc: h3=\":443\"",
        "\r\nStrict-Transport-Security: max-age=9", "\r\nRetry-After: 1", "\r\nRange: bytes=0-",
    ]

    private static let corpus: [[UInt8]] = {
        let json = #"{"id": "boots", "name": "Boots"}"#
        let heads = [
            ("200 OK", "Content-Type: application/json\r\nContent-Length: 32"),
            ("200 OK", "Content-Type: application/json\r\nTransfer-Encoding: chunked"),
            ("200 OK", "Content-Type: application/json"),
            ("200 OK", "Content-Length: 32\r\nETag: \"1\"\r\nCache-Control: max-age=60"),
            ("204 No Content", "Date: Sun, 22 Nov 2026 12:00:00 GMT"),
            ("304 Not Modified", "ETag: \"1\""),
            ("302 Found", "Location: /v2\r\nContent-Length: 0"),
            ("308 Permanent Redirect", "Location: //127.0.0.1:9/\r\nContent-Length: 0"),
            ("401 Unauthorized", "WWW-Authenticate: Basic realm=\"shop\"\r\nContent-Length: 32"),
            ("407 Proxy Authentication Required", "Proxy-Authenticate: NTLM\r\nContent-Length: 0"),
            ("429 Too Many Requests", "Retry-After: 2\r\nContent-Length: 32"),
            ("100 Continue\r\n\r\nHTTP/1.1 200 OK", "Content-Length: 32"),
            ("103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK", "Content-Length: 32"),
            ("101 Switching Protocols", "Upgrade: websocket\r\nConnection: upgrade"),
            ("206 Partial Content", "Content-Range: bytes 0-31/99\r\nContent-Length: 32"),
        ]
        let texts = heads.map { status, fields in
            let body =
                fields.contains("chunked")
                ? "20\r\n\(json)\r\n0\r\nX-Sum: 1\r\n\r\n" : fields.contains(": 0") ? "" : json
            return Array("HTTP/1.1 \(status)\r\n\(fields)\r\n\r\n\(body)".utf8)
        }
        let many = (0..<900).map { "X-\($0): \($0)\r\n" }.joined()
        let gzip: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xAB, 0xAE, 5, 0, 0x43, 0xBF, 0xA6, 0xA3, 2, 0, 0,
            0,
        ]
        let packed = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 22\r\n\r\n"
        return texts + [
            Array(packed.utf8) + gzip,
            Array("HTTP/1.1 200 OK\r\n\(many)Content-Length: 32\r\n\r\n\(json)".utf8), [],
        ]
    }()
}

/// A random number generator with a seed (Steele, Lea and Flood, 2014).
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
