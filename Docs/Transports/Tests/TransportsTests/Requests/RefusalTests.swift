import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests that are refused with a reason, before a connection is opened.
@Suite(.timeLimit(.minutes(5))) struct RefusalTests {
    @Test(
        arguments: [
            "ftp://127.0.0.1/file", "file:///etc/hosts", "about:blank",
            "http:///v1", "https:/v1", "relative/path",
        ]
    )
    func `a request without an absolute http or https URL is refused`(address: String) async throws
    {
        let url = try #require(URL(string: address))

        for networking in try transports() {
            let error = await #expect(throws: NetworkError.self) {
                try await networking.response(for: URLRequest(url: url))
            }

            #expect(error?.code == .invalidRequest)
            #expect(error?.debugDescription.contains("https://") == true)
        }
    }

    @Test func `a user name and password in the URL are refused and not repeated in the error`()
        async throws
    {
        try await expectRefusal(about: "user name or password") { request in
            let port = request.url?.port ?? 0
            request.url = URL(string: "http://shop:s3cret@127.0.0.1:\(port)/v1")
        }
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE"])
    func `a body of a method without a body is refused`(method: String) async throws {
        try await expectRefusal(about: "cannot have a body") { request in
            request.httpMethod = method
            request.httpBody = Data("{}".utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
    }

    @Test(arguments: ["", "PO ST", "GET\r\nX: y", "GET\0", "GÉT", "A{B}", "A:B"])
    func `an invalid method is refused`(method: String) async throws {
        try await expectRefusal(about: "method") { $0.httpMethod = method }
    }

    @Test(arguments: ["", "X Y", "X\r\nY: z", "X\0", "Ü", "X:Y", "X\n"])
    func `an invalid field name is refused`(name: String) async throws {
        try await expectRefusal(about: "name of a header field") { request in
            request.allHTTPHeaderFields = [name: "value"]
        }
    }

    @Test(arguments: ["a\r\nX: y", "a\nb", "a\rb", "a\0b", "a\u{7F}b", "\u{1}"])
    func `a field value with control characters is refused`(value: String) async throws {
        try await expectRefusal(about: "“X-Note”") { request in
            request.allHTTPHeaderFields = ["X-Note": value]
        }
    }

    @Test(
        arguments: [
            ("Content-Length", "1"), ("Content-Length", "500"), ("content-length", "-1"),
            ("Transfer-Encoding", "chunked"), ("Expect", "100-continue"),
        ]
    )
    func `a field that determines the end of the body is refused`(
        name: String,
        value: String
    ) async throws {
        try await expectRefusal(about: "“\(name)”") { request in
            request = .to(request.url ?? URL(filePath: "/"), "PUT")
            request.allHTTPHeaderFields?[name] = value
        }
    }

    @Test(arguments: [.infinity, -.infinity, .nan, -1, 0, 1e16])
    func `an invalid timeout is refused`(timeout: TimeInterval) async throws {
        try await expectRefusal(about: "timeout") { $0.timeoutInterval = timeout }
    }

    @Test func `a body without a Content-Type field is refused`() async throws {
        try await expectRefusal(about: "Content-Type") { request in
            request.httpMethod = "PUT"
            request.httpBody = Data("{}".utf8)
        }
    }

    @Test(
        arguments: TransportUnderTest.all(without: .sendsInsecureHTTP),
        [
            "http://shop.example/v1", "http://10.0.0.1/", "http://127.0.0.1.example/",
            "http://localhost.example/", "http://shop.localhost/", "http://127.1/",
            "http://127.0.0.256/", "http://0.0.0.0/", "http://[::2]/", "http://127.0.0.+1/",
        ]
    )
    func `an http URL of another machine is refused`(
        transport: TransportUnderTest,
        address: String
    ) async throws {
        let url = try #require(URL(string: address))

        let error = await #expect(throws: NetworkError.self) {
            try await transport.make().response(for: URLRequest(url: url))
        }

        #expect(error?.code == .insecure)
        #expect(error?.debugDescription.contains("allowsInsecureHTTP") == true)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `an http URL of the local machine is accepted with any of its names`(
        transport: TransportUnderTest
    ) async throws {
        try await withFaultServer(.validResponse) { _, url in
            for host in ["127.0.0.1", "localhost", "LOCALHOST"] {
                let address = url.absoluteString.replacing("127.0.0.1", with: host)
                let url = try #require(URL(string: address))

                let response = try await transport.make().response(for: .to(url))

                #expect(response.statusCode == 200)
            }
        }
    }

    // Rule: security/trust-check-must-be-possible (25)
    @Test(arguments: TransportUnderTest.allCases.filter { $0.has(.cannotCheckTrust) })
    func `an https request is refused if the transport cannot check a certificate`(
        transport: TransportUnderTest
    ) async throws {
        try await withFaultServer(.validResponse) { server, url in
            let address = url.absoluteString.replacing("http:", with: "https:")
            let url = try #require(URL(string: address))
            let networking = try transport.make(isTrusted: { _ in true })

            let error = await #expect(throws: NetworkError.self) {
                try await networking.response(for: .to(url))
            }

            #expect(error?.code == .untrusted)
            #expect(server.connectionCount == 0)
        }
    }

    @Test(arguments: TransportUnderTest.allCases.filter { $0.has(.cannotCheckTrust) })
    func `a redirect to https is refused if the transport cannot check a certificate`(
        transport: TransportUnderTest
    ) async throws {
        try await withFaultServer({ request, connection in
            let host = request.header("Host") ?? ""
            try await connection.respond(302, headers: ["Location: https://\(host)/v2"])
        }) { server, url in
            let error = await #expect(throws: NetworkError.self) {
                try await transport.make(isTrusted: { _ in true }).response(for: .to(url))
            }

            #expect(error?.code == .untrusted)
            #expect(server.connectionCount == 1)
        }
    }

    private func transports() throws -> [any Networking] {
        try TransportUnderTest.allCases.map { try $0.make(allowsInsecureHTTP: true) }
            + [URLSession(configuration: .ephemeral)]
    }

    /// Expects that all transports refuse a request, and that the server gets no connection.
    private func expectRefusal(
        about reason: String,
        _ change: (inout URLRequest) -> Void
    ) async throws {
        try await withFaultServer(.validResponse) { server, url in
            var request = URLRequest(url: url)
            change(&request)
            for networking in try transports() {
                let error = await #expect(throws: NetworkError.self) {
                    try await networking.response(for: request)
                }

                #expect(error?.code == .invalidRequest)
                #expect(
                    error?.debugDescription.localizedCaseInsensitiveContains(reason) == true,
                    "\(error?.debugDescription ?? "")"
                )
                #expect(error.map { String(reflecting: $0) }?.contains("s3cret") == false)
            }
            #expect(server.connectionCount == 0)
        }
    }
}
