import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkRequestBuildingTests {
    private static let ascii = (1...127).compactMap(UnicodeScalar.init).map(String.init)
        .filter { !["\n", "\r", "."].contains($0) }

    private static let identifiers = [
        "a/b", "/", "//", "a/../b", "../a", "a?b", "a#b", "a%b", "%2F", "%2e%2e", "%", "a\\b",
        "a;b",
        "a:b", "gid://shop/Product/42", "a=b&c", "a+b", "a b", " ", "...", "..a", ".a", "a.",
        "größe", "gro\u{308}ße", "日本語", "😀👨‍👩‍👧", "\u{7F}", "\u{1}", "\t", "\u{85}", "\u{2028}",
        "\u{202E}", "a\u{FEFF}", "@", "user:pw@host", "~", "*",
    ]

    @Test(arguments: [
        ("https://api.example.com", "https://api.example.com/products/1"),
        ("https://api.example.com/", "https://api.example.com/products/1"),
        ("https://api.example.com/v1", "https://api.example.com/v1/products/1"),
        ("https://api.example.com/v1///", "https://api.example.com/v1/products/1"),
        (
            "https://api.example.com/a%2Fb/%C3%BC/",
            "https://api.example.com/a%2Fb/%C3%BC/products/1"
        ),
        ("https://api.example.com/v1?tenant=7", "https://api.example.com/v1/products/1?tenant=7"),
        ("https://api.example.com/v1/?a=%26&b", "https://api.example.com/v1/products/1?a=%26&b"),
        ("https://api.example.com/v1#top", "https://api.example.com/v1/products/1"),
        ("http://localhost:8080/v1", "http://localhost:8080/v1/products/1"),
        ("https://[::1]:8443", "https://[::1]:8443/products/1"),
        ("HTTPS://api.example.com", "HTTPS://api.example.com/products/1"),
    ])
    func `the path is appended to the base URL`(base: String, address: String) throws {
        let baseURL = try #require(URL(string: base))

        let request = try NetworkRequest<Product>.get("products", 1).urlRequest(relativeTo: baseURL)

        #expect(request.line == "GET \(address)")
    }

    @Test(arguments: ["https://a.example", "https://a.example/v1/", "https://a.example/v1//?b=%2B"])
    func `the URL without segments is the base URL`(base: String) throws {
        let baseURL = try #require(URL(string: base))

        let request = try NetworkRequest<Product>.get().urlRequest(relativeTo: baseURL)

        #expect(request.line == "GET \(base)")
    }

    @Test func `a relative base URL is resolved`() throws {
        let baseURL = try #require(
            URL(string: "v2/", relativeTo: URL(string: "https://a.example/v1/"))
        )

        let request = try NetworkRequest<Product>.get("b").urlRequest(relativeTo: baseURL)

        #expect(request.line == "GET https://a.example/v1/v2/b")
    }

    @Test(arguments: [
        "file:///v1", "ftp://api.example.com/v1", "mailto:a@example.com", "v1", "/v1",
        "//api.example.com/v1", "https:///v1", "https:v1", "https://", "ws://api.example.com",
        "javascript:alert(1)", "data:text/plain,a", "https://:443/v1",
    ])
    func `a base URL without http or https and a host is refused`(base: String) throws {
        let baseURL = try #require(URL(string: base))

        let error = #expect(throws: NetworkError.self) {
            try NetworkRequest<Product>.get("a").urlRequest(relativeTo: baseURL)
        }

        #expect(error?.code == .invalidRequest)
        #expect(error?.debugDescription.contains("The address of the server is not valid.") == true)
    }

    // Rule: security/query-arrives-unchanged (12)
    @Test(arguments: [
        "a&b=c", "a+b", "a b", "a=b", "#a", "a?b", "a/b", "%41", "%", "100 %", "ü€😀",
        "a;b,c", "\"<>\\^`{|}", "a\r\nb\u{0}", "'()*!~", "..", "",
    ])
    func `a query value arrives unchanged`(value: String) throws {
        let request = try NetworkRequest<Product>.get("a", query: ["q": "\(value)", "r": "1"])
            .urlRequest(relativeTo: .api)

        let query = try #require(request.url?.query(percentEncoded: true))
        let fields = query.split(separator: "&").map(String.init)
        #expect(fields.count == 2)
        #expect(fields.last == "r=1")
        let sent = try #require(fields.first?.dropFirst(2))
        #expect(sent.allSatisfy { $0.isASCII && !"+;=#? ".contains($0) })
        #expect(String(sent).removingPercentEncoding == value)
        #expect(request.line == "GET https://api.example.com/v1/a?q=\(sent)&r=1")
    }

    @Test func `a query name is percent-encoded like a value`() throws {
        let request = try NetworkRequest<Product>.get("a", query: ["a&b=c+": "1"])
            .urlRequest(relativeTo: .api)

        #expect(request.line == "GET https://api.example.com/v1/a?a%26b%3Dc%2B=1")
    }

    @Test func `further query items follow the others, and nil adds none`() throws {
        let request = try NetworkRequest<Void>.post("lines")
            .queryItem("a", "1&2").queryItem("b", nil).queryItem("a", "3")
            .urlRequest(relativeTo: .api)

        #expect(request.url?.query(percentEncoded: true) == "a=1%262&a=3")
    }

    @Test func `the query follows that of the base URL, also with equal names`() throws {
        let baseURL = try #require(URL(string: "https://a.example/v1?tenant=a%2Fb&x=1"))

        let request = try NetworkRequest<Product>.get("b", query: ["x": "2", "x": "3"])
            .urlRequest(relativeTo: baseURL)

        #expect(request.line == "GET https://a.example/v1/b?tenant=a%2Fb&x=1&x=2&x=3")
    }

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
    @Test(arguments: [
        "", ".", "..", "\0", "\n", "\r", "a\u{0}b", "a\nb", "a\rb", "a\r\nb", "\r\n",
        String(repeating: "a", count: 256), String(repeating: "ü", count: 128),
        String(repeating: "a", count: 1 << 20),
    ])
    func `an identifier that is not valid as a segment is refused before any request`(
        id: String
    ) async throws {
        let client = NetworkClient.sendingNothing()

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
    @Test(arguments: [
        String(repeating: "a", count: 255), String(repeating: "/", count: 255),
        String(repeating: "ü", count: 127) + "a",
    ])
    func `an identifier of 255 bytes is sent`(id: String) throws {
        let request = try NetworkRequest<Product>.get(id).urlRequest(relativeTo: .api)

        #expect(try #require(request.url).absoluteString.hasSuffix("/v1/" + percentEncoded(id)))
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
