import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What must not be sent is refused with a reason, and no connection is opened for it.
@Suite(.timeLimit(.minutes(1))) struct RefusalTests {
    @Test(
        arguments: [
            "ftp://127.0.0.1/file", "file:///etc/hosts", "HTTP://127.0.0.1/v1", "about:blank",
            "http:///v1", "https:/v1", "relative/path",
        ]
    )
    func `an address that is no http address`(address: String) async throws {
        let url = try #require(URL(string: address))

        for networking in transports {
            let error = await #expect(throws: NetworkError.self) {
                try await networking.response(for: URLRequest(url: url))
            }

            #expect(error?.code == .invalidRequest)
            #expect(error?.localizedDescription.contains("https://") == true)
        }
    }

    @Test func `a name and password in the address, which are not told`() async throws {
        try await expectRefusal(about: "user name or password") { request in
            let port = request.url?.port ?? 0
            request.url = URL(string: "http://shop:s3cret@127.0.0.1:\(port)/v1")
        }
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE"])
    func `a body where none may be`(method: String) async throws {
        try await expectRefusal(about: "cannot have a body") { request in
            request.httpMethod = method
            request.httpBody = Data("{}".utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
    }

    @Test(arguments: ["", "PO ST", "GET\r\nX: y", "GET\0", "GÉT", "A{B}", "A:B"])
    func `a method that is no token`(method: String) async throws {
        try await expectRefusal(about: "method") { $0.httpMethod = method }
    }

    @Test(arguments: ["", "X Y", "X\r\nY: z", "X\0", "Ü", "X:Y", "X\n"])
    func `a header whose name is no token`(name: String) async throws {
        try await expectRefusal(about: "name of a header field") { request in
            request.allHTTPHeaderFields = [name: "value"]
        }
    }

    @Test(arguments: ["a\r\nX: y", "a\nb", "a\rb", "a\0b", "a\u{7F}b", "\u{1}"])
    func `a header whose value holds control characters`(value: String) async throws {
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
    func `a header that says where the body ends`(name: String, value: String) async throws {
        try await expectRefusal(about: "“\(name)”") { request in
            request = .to(request.url ?? URL(filePath: "/"), "PUT")
            request.allHTTPHeaderFields?[name] = value
        }
    }

    @Test(arguments: [.infinity, -.infinity, .nan, -1, 0, 1e16])
    func `a timeout that cannot be kept`(timeout: TimeInterval) async throws {
        try await expectRefusal(about: "timeout") { $0.timeoutInterval = timeout }
    }

    @Test func `a body without a type`() async throws {
        try await expectRefusal(about: "Content-Type") { request in
            request.httpMethod = "PUT"
            request.httpBody = Data("{}".utf8)
        }
    }

    @Test(
        arguments: [
            "http://shop.example/v1", "http://10.0.0.1/", "http://127.0.0.1.example/",
            "http://localhost.example/", "http://127.1/", "http://127.0.0.256/", "http://0.0.0.0/",
            "http://[::2]/", "http://127.0.0.+1/",
        ]
    )
    func `plain http to another machine`(address: String) async throws {
        let url = try #require(URL(string: address))

        let error = await #expect(throws: NetworkError.self) {
            try await URLSessionTransport().response(for: URLRequest(url: url))
        }

        #expect(error?.code == .insecure)
        #expect(error?.localizedDescription.contains("allowsInsecureHTTP") == true)
    }

    @Test func `plain http to this machine, by any of its names, is sent`() async throws {
        try await withFaultServer(.validResponse) { _, url in
            for host in ["127.0.0.1", "localhost", "LOCALHOST"] {
                let address = url.absoluteString.replacing("127.0.0.1", with: host)
                let url = try #require(URL(string: address))

                let answer = try await URLSessionTransport().response(for: .to(url))

                #expect(answer.statusCode == 200)
            }
        }
    }

    #if !canImport(Security)
    // Rule: security/trust-check-must-be-possible (25)
    @Test func `any server, where certificates cannot be shown to who asked for them`() async throws
    {
        try await withFaultServer(.validResponse) { server, url in
            let address = url.absoluteString.replacing("http:", with: "https:")
            let url = try #require(URL(string: address))
            let transport = URLSessionTransport(isTrusted: { _ in true })

            let error = await #expect(throws: NetworkError.self) {
                try await transport.response(for: .to(url))
            }

            #expect(error?.code == .untrusted)
            #expect(server.connectionCount == 0)
        }
    }

    @Test func `a server that such a transport is led to`() async throws {
        try await withFaultServer({ request, connection in
            let host = request.header("Host") ?? ""
            try await connection.respond(302, headers: ["Location: https://\(host)/v2"])
        }) { server, url in
            let error = await #expect(throws: NetworkError.self) {
                try await URLSessionTransport(isTrusted: { _ in true }).response(for: .to(url))
            }

            #expect(error?.code == .untrusted)
            #expect(server.connectionCount == 1)
        }
    }
    #endif

    private let transports: [any Networking] = [
        URLSessionTransport(allowsInsecureHTTP: true),
        URLSession(configuration: .ephemeral),
    ]

    /// Expects that a request is refused by both transports and that the server sees nothing of it.
    private func expectRefusal(
        about reason: String,
        _ spoil: (inout URLRequest) -> Void
    ) async throws {
        try await withFaultServer(.validResponse) { server, url in
            var request = URLRequest(url: url)
            spoil(&request)
            for networking in transports {
                let error = await #expect(throws: NetworkError.self) {
                    try await networking.response(for: request)
                }

                #expect(error?.code == .invalidRequest)
                #expect(
                    error?.localizedDescription.contains(reason) == true,
                    "\(error?.localizedDescription ?? "")"
                )
                #expect(error.map { String(reflecting: $0) }?.contains("s3cret") == false)
            }
            #expect(server.connectionCount == 0)
        }
    }
}
