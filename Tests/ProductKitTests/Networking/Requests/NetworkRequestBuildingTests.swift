import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkRequestBuildingTests {
    @Test(
        arguments: [
            ("https://api.example.com", "https://api.example.com/products/1"),
            ("https://api.example.com/", "https://api.example.com/products/1"),
            ("https://api.example.com/v1", "https://api.example.com/v1/products/1"),
            ("https://api.example.com/v1///", "https://api.example.com/v1/products/1"),
            (
                "https://api.example.com/a%2Fb/%C3%BC/",
                "https://api.example.com/a%2Fb/%C3%BC/products/1"
            ),
            (
                "https://api.example.com/v1?tenant=7",
                "https://api.example.com/v1/products/1?tenant=7"
            ),
            (
                "https://api.example.com/v1/?a=%26&b",
                "https://api.example.com/v1/products/1?a=%26&b"
            ),
            ("https://api.example.com/v1#top", "https://api.example.com/v1/products/1"),
            ("http://localhost:8080/v1", "http://localhost:8080/v1/products/1"),
            ("https://[::1]:8443", "https://[::1]:8443/products/1"),
            ("HTTPS://api.example.com", "HTTPS://api.example.com/products/1"),
        ]
    )
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

    @Test(
        arguments: [
            "file:///v1", "ftp://api.example.com/v1", "mailto:a@example.com", "v1", "/v1",
            "//api.example.com/v1", "https:///v1", "https:v1", "https://", "ws://api.example.com",
            "javascript:alert(1)", "data:text/plain,a", "https://:443/v1",
        ]
    )
    func `a base URL without http or https and a host is refused`(base: String) throws {
        let baseURL = try #require(URL(string: base))

        let error = try #require(
            #expect(throws: NetworkError.self) {
                try NetworkRequest<Product>.get("a").urlRequest(relativeTo: baseURL)
            }
        )

        #expect(error.code == .invalidRequest)
        #expect(error.debugDescription.contains("The address of the server is not valid."))
    }

    // Rule: security/query-arrives-unchanged (12)
    @Test(
        arguments: [
            "a&b=c", "a+b", "a b", "a=b", "#a", "a?b", "a/b", "%41", "%", "100 %", "ü€😀",
            "a;b,c", "\"<>\\^`{|}", "a\r\nb\u{0}", "'()*!~", "..", "",
        ]
    )
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

    @Test func `the method, header fields and body are those of the request`() throws {
        let request = NetworkRequest<Void>.put("a").json([1]).header("If-Match", "\"7\"")

        let urlRequest = try request.urlRequest(relativeTo: .api)

        #expect(urlRequest.line == "PUT https://api.example.com/v1/a")
        #expect(urlRequest.text == "[1]")
        #expect(
            urlRequest.allHTTPHeaderFields
                == ["Content-Type": "application/json", "If-Match": "\"7\""]
        )
    }

    @Test(arguments: ["", "GE T", "GET\r\nX: y", "GET\u{0}", "GÉT", "GET:", "(GET)", " GET"])
    func `an invalid method is refused`(method: String) throws {
        let request = NetworkRequest<Void>(method: method, segments: ["a"]) { _ in }

        let error = try #require(
            #expect(throws: NetworkError.self) { try request.urlRequest(relativeTo: .api) }
        )

        #expect(error.code == .invalidRequest)
    }

    @Test(arguments: ["GET", "PROPFIND", "M-SEARCH", "x!#$%&'*+-.^_`|~9"])
    func `a valid method is sent`(method: String) throws {
        let request = NetworkRequest<Void>(method: method, segments: ["a"]) { _ in }

        #expect(try request.urlRequest(relativeTo: .api).httpMethod == method)
    }
}
