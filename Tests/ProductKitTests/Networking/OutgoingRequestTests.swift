import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutgoingRequestTests {
    @Test func `the networking gets the parts of a request`() throws {
        var request = OutgoingRequest(
            method: "x-Put",
            url: .api,
            headers: ["Content-Type": "text/plain", "X-Trace": "a\tb größe 😀"],
            body: Data("boots".utf8)
        )
        request.timeout = .milliseconds(1_500)

        let sent = try request.urlRequest()

        #expect(sent.line == "x-Put https://api.example.com/v1" && sent.text == "boots")
        let fields = ["Content-Type": "text/plain", "X-Trace": "a\tb größe 😀"]
        #expect(sent.allHTTPHeaderFields == fields)
        #expect(sent.timeoutInterval == 1.5)
        #expect(try OutgoingRequest(url: .api).urlRequest() == URLRequest(url: .api))
    }

    // Rule: cache/six-policies (58)
    @Test func `a request that only a cache may respond to becomes no URLRequest`() {
        let request = OutgoingRequest(url: .api, policy: .cacheOnly)

        let error = #expect(throws: NetworkError.self) { try request.urlRequest() }

        #expect(error?.code == .notCached)
    }

    // Rule: security/no-header-injection (14)
    @Test(arguments: [
        ("X\r\nY", "1"), ("X", "1\r\nY: 2"), ("Content-Length", "7"), ("Transfer-Encoding", "x"),
    ])
    func `a header field that HTTP does not allow is refused`(name: String, value: String) {
        var request = OutgoingRequest(url: .api)
        request.headers[name] = value

        let error = #expect(throws: NetworkError.self) { try request.urlRequest() }

        #expect(error?.code == .invalidRequest)
    }

    // Rule: security/no-token-in-text (15); security/no-url-secrets-in-text (16)
    @Test func `its texts contain no secrets`() {
        let request = OutgoingRequest(
            method: "PUT",
            url: .api.appending(queryItems: [URLQueryItem(name: "access_token", value: "canary")]),
            headers: ["Authorization": "Bearer canary"],
            body: Data("canary".utf8)
        )

        var dumped = ""
        dump(request, to: &dumped)

        for text in ["\(request)", String(reflecting: request), dumped] {
            #expect(!text.contains("canary") && text.contains("PUT https://api.example.com/v1"))
        }
    }
}
