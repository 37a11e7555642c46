import Foundation
import ProductKit
import Testing

/// The segments and header fields that a request may contain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkRequestSegmentTests {
    private static let ascii = (1...127).compactMap(UnicodeScalar.init).map(String.init)
        .filter { !["\n", "\r", "."].contains($0) }

    private static let identifiers = [
        "a/b", "/", "//", "a/../b", "../a", "a?b", "a#b", "a%b", "%2F", "%2e%2e", "%", "a\\b",
        "a;b",
        "a:b", "gid://shop/Product/42", "a=b&c", "a+b", "a b", " ", "...", "..a", ".a", "a.",
        "größe", "gro\u{308}ße", "日本語", "😀👨‍👩‍👧", "\u{7F}", "\u{1}", "\t", "\u{85}", "\u{2028}",
        "\u{202E}", "a\u{FEFF}", "@", "user:pw@host", "~", "*",
    ]

    // Rule: security/identifier-is-one-segment (11)
    @Test(arguments: ascii + identifiers)
    func `an identifier is exactly one segment that decodes to it`(id: String) throws {
        let request = try NetworkRequest<Product>.get("a", Product.ID(id), "b")
            .urlRequest(relativeTo: .api)

        let address = try #require(request.url?.absoluteString)
        let segments = address.split(separator: "/", omittingEmptySubsequences: false)
        #expect(segments.count == 7)
        #expect(segments.dropLast(2) == ["https:", "", "api.example.com", "v1", "a"])
        #expect(segments.last == "b")
        let segment = try #require(segments.dropFirst(5).first)
        #expect(segment.utf8.allSatisfy(isUnreservedOrPercent))
        #expect(segment.removingPercentEncoding.map { Array($0.utf8) } == Array(id.utf8))
        #expect(request.url?.host() == "api.example.com")
        #expect(request.url?.query() == nil)
    }

    // Rule: security/bad-identifiers-are-refused (10); security/identifier-length-is-limited (13)
    @Test(
        arguments: [
            "", ".", "..", "\0", "\n", "\r", "a\u{0}b", "a\nb", "a\rb", "a\r\nb", "\r\n",
            String(repeating: "a", count: 256), String(repeating: "ü", count: 128),
            String(repeating: "a", count: 1 << 20),
        ]
    )
    func `an identifier that is not valid as a segment is refused before any request`(
        id: String
    ) async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .unimplemented(otherwise: { Issue.record($0) })
        )

        let error = try #require(
            await #expect(throws: NetworkError.self) {
                try await client.send(NetworkRequest<Product>.get("products", Product.ID(id)))
            }
        )

        #expect(error.code == .invalidRequest)
        #expect(error.debugDescription.contains("is not a valid identifier"))
        #expect(error.debugDescription.utf8.count < 1_024)
    }

    // Rule: security/identifier-length-is-limited (13)
    @Test(
        arguments: [
            String(repeating: "a", count: 255), String(repeating: "/", count: 255),
            String(repeating: "ü", count: 127) + "a",
        ]
    )
    func `an identifier of 255 bytes is sent`(id: String) throws {
        let request = try NetworkRequest<Product>.get(id).urlRequest(relativeTo: .api)

        #expect(try #require(request.url).absoluteString.hasSuffix("/v1/" + percentEncoded(id)))
    }

    @Test(
        arguments: [
            "", "a b", "a:", "a\r\nb", "a\nb", "a\u{0}", "ä", "a(b)", "a,b", "a/b", "a@b", "a\"",
            "a[b]", "a{b}", "a;b", "a=b", "\u{7F}", " a", "a ",
        ]
    )
    func `a header field with an invalid name is refused`(name: String) throws {
        let request = NetworkRequest<Product>.get("a").header(name, "1")

        let error = try #require(
            #expect(throws: NetworkError.self) { try request.urlRequest(relativeTo: .api) }
        )

        #expect(error.code == .invalidRequest)
        #expect(error.debugDescription.contains("The name of a header field"))
    }

    @Test(arguments: ["\r", "\n", "\r\n", "\0", "\u{1}", "\u{1F}", "\u{7F}", "\r\nX-Evil: 1"])
    func `a header field with a line break or control character is refused`(text: String) throws {
        for value in [text, "a" + text, text + "a", "a\(text)b"] {
            let request = NetworkRequest<Product>.get("a").header("X-A", value)

            let error = try #require(
                #expect(throws: NetworkError.self) { try request.urlRequest(relativeTo: .api) }
            )

            #expect(error.code == .invalidRequest)
            #expect(error.debugDescription.contains("“X-A”"))
        }
    }

    @Test(arguments: ["a", "", "a\tb", "a b", "\"7\"", "größe", "😀", "a,b;c=d:e"])
    func `a header field with a valid value is sent unchanged`(value: String) throws {
        let request = try NetworkRequest<Product>.get("a").header("x!#$%&'*+-.^_`|~9", value)
            .urlRequest(relativeTo: .api)

        #expect(request.value(forHTTPHeaderField: "x!#$%&'*+-.^_`|~9") == value)
    }

    private func isUnreservedOrPercent(_ byte: UInt8) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return letters.contains(byte | 0x20) && byte >= 0x41 || digits.contains(byte)
            || "-._~%".utf8.contains(byte)
    }

    private func percentEncoded(_ id: String) -> String {
        id.replacing("/", with: "%2F").replacing("ü", with: "%C3%BC")
    }
}
