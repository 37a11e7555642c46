import Foundation
import ProductKit
import Testing

/// The requests that `URLRequest.validate()` accepts and refuses.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RequestValidationTests {
    @Test(arguments: [
        "https://api.example.com/v1", "http://api.example.com", "https://127.0.0.1:8080/a?b#c",
        "https://user-agent.example/@name", "https://größe.example/",
        "HTTPS://api.example.com", "Http://api.example.com/v1",
    ])
    func `a valid URL passes`(address: String) throws {
        let request = URLRequest(url: try #require(URL(string: address)))

        try request.validate()
    }

    @Test(arguments: [
        "ftp://api.example.com", "https:///v1", "v1/products",
        "mailto:shop@example.com", "https://shop:secret@api.example.com/v1",
        "https://shop@api.example.com/v1", "https://:secret@api.example.com/v1",
    ])
    func `an invalid URL is refused without its secrets in the error`(address: String) throws {
        let request = URLRequest(url: try #require(URL(string: address)))

        let error = #expect(throws: NetworkError.self) { try request.validate() }

        #expect(error?.code == .invalidRequest)
        #expect(error.map { String(reflecting: $0) }?.contains("secret") == false)
    }

    @Test(arguments: ["GET", "PUT", "PATCH", "PROPFIND", "M-SEARCH", "X-19!#$%&'*+.^_`|~"])
    func `a valid method passes`(method: String) throws {
        var request = URLRequest(url: .api)
        request.httpMethod = method

        try request.validate()
    }

    @Test(arguments: [
        "", " ", "GE T", " GET", "GET\r\nX: y", "GET\0", "GÉT", "(GET)", "G:T", "GET:",
    ])
    func `an invalid method is refused`(method: String) {
        expectRefusal { $0.httpMethod = method }
    }

    @Test(arguments: [0.001, 0.5, 60, 1e9])
    func `a valid timeout passes`(timeout: TimeInterval) throws {
        var request = URLRequest(url: .api)
        request.timeoutInterval = timeout

        try request.validate()
    }

    @Test(arguments: [0, -1, 1.1e9, .infinity, -.infinity, .nan])
    func `an invalid timeout is refused`(timeout: TimeInterval) {
        expectRefusal { $0.timeoutInterval = timeout }
    }

    @Test(arguments: ["plain", "tab\tbed", "größe", "😀", "", "a, b;c=\"d:e\""])
    func `a header field of visible characters passes`(value: String) throws {
        var request = URLRequest(url: .api)
        request.allHTTPHeaderFields = ["x!#$%&'*+-.^_`|~9": value]

        try request.validate()
    }

    // Rule: security/no-header-injection (14)
    @Test(arguments: [
        "", "a b", "a:", "a\r\nb", "a\nb", "a\u{0}", "ä", "a(b)", "a,b", "a/b", "a@b", "a\"",
        "a[b]", "a{b}", "a;b", "a=b", "\u{7F}", " a", "a ",
    ])
    func `a header field with an invalid name is refused`(name: String) {
        expectRefusal(naming: "The name of a header field") { $0.allHTTPHeaderFields = [name: "1"] }
    }

    // Rule: security/no-header-injection (14)
    @Test(arguments: ["\r", "\n", "\r\n", "\0", "\u{1}", "\u{1F}", "\u{7F}", "\r\nX-Evil: 1"])
    func `a header field with a line break or control character is refused`(text: String) {
        for value in [text, "a" + text, text + "a", "a\(text)b"] {
            expectRefusal(naming: "“X-A”") { $0.allHTTPHeaderFields = ["X-A": value] }
        }
    }

    // Rule: security/no-token-in-text (15)
    @Test func `an error contains no secret from a header name or a method`() {
        var misplaced = URLRequest(url: .api)
        misplaced.allHTTPHeaderFields = ["Authorization: Bearer canary": ""]
        var method = URLRequest(url: .api)
        method.httpMethod = "GET canary"
        for request in [misplaced, method] {
            let error = #expect(throws: NetworkError.self) { try request.validate() }

            #expect(error.map { String(reflecting: $0) }?.contains("canary") == false)
        }
    }

    @Test func `a header field about the length of the body passes only if it is correct`() throws {
        var request = URLRequest(url: .api)
        request.httpMethod = "PUT"
        request.httpBody = Data("{}".utf8)
        request.allHTTPHeaderFields = ["Content-Type": "application/json", "Content-Length": "2"]
        try request.validate()

        for (name, value) in [
            ("Content-Length", "3"), ("content-length", "1"), ("Content-Length", "2, 2"),
            ("Transfer-Encoding", "chunked"), ("EXPECT", "100-continue"),
        ] {
            expectRefusal { refused in
                refused = request
                refused.setValue(value, forHTTPHeaderField: name)
            }
        }
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE"])
    func `a body with a safe method is refused`(method: String) {
        expectRefusal { request in
            request.httpMethod = method
            request.httpBody = Data("{}".utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
    }

    @Test func `a body without a Content-Type is refused`() {
        expectRefusal { request in
            request.httpMethod = "PUT"
            request.httpBody = Data("{}".utf8)
        }
    }

    private func expectRefusal(naming part: String = "", _ invalidate: (inout URLRequest) -> Void) {
        var request = URLRequest(url: .api)
        invalidate(&request)

        let error = #expect(throws: NetworkError.self) { try request.validate() }

        #expect(error?.code == .invalidRequest)
        #expect(part.isEmpty || error?.debugDescription.contains(part) == true)
    }
}
