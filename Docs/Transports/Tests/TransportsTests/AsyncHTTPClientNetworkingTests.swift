import AsyncHTTPClient
import AsyncHTTPClientNetworking
import FaultServer
import Foundation
import NIOPosix
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1))) struct AsyncHTTPClientNetworkingTests {
    @Test func `a request is sent unchanged`() async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond()
        }) { server, address in
            var request = URLRequest(url: address.appending(path: "a b"))
            request.httpMethod = "PUT"
            request.httpBody = Data(#"{"isFavorite": true}"#.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.setValue("Bearer t", forHTTPHeaderField: "Authorization")

            let response = try await TestClient.run { try await $0.response(for: request) }

            let received = try #require(server.requests.first)
            #expect(response.statusCode == 200)
            #expect(received.method == "PUT")
            #expect(received.target == "/v1/a%20b")
            #expect(received.header("Content-Type") == "application/json")
            #expect(received.header("Authorization") == "Bearer t")
            #expect(received.header("Content-Length") == "20")
            #expect(received.body == request.httpBody)
        }
    }

    @Test func `a ProductLoader works with the transport`() async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond()
        }) { _, address in
            let product = try await TestClient.run { networking in
                try await ProductLoader(baseURL: address, networking: networking)
                    .loadProduct(withID: "boots")
            }

            #expect(product.name == "Boots")
        }
    }

    @Test func `a ProductService works with one shared client`() async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond()
        }) { _, baseURL in
            let token = "demo-token"
            let client = HTTPClient(
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
                configuration: .productKit
            )
            let networking = AsyncHTTPClientNetworking(client)
            let service = ProductService(
                baseURL: baseURL,
                localUser: LocalUser(currency: "EUR"),
                networking: networking.followingRedirects()
            ) { token }
            let product = try await service.loader.loadProduct(withID: "boots")
            try await client.shutdown()

            #expect(product.name == "Boots")
        }
    }

    @Test func `a closed port is reported as unreachable`() async throws {
        let address = try await withFaultServer({ _, _ in }) { _, address in address }

        let error = await #expect(throws: NetworkError.self) {
            try await TestClient.run { try await $0.response(for: URLRequest(url: address)) }
        }

        #expect(error?.code == .unreachable)
        #expect(error?.url?.host() == "127.0.0.1")
    }

    @Test func `an invalid host name is reported as unreachable`() async throws {
        let tooLong = String(repeating: "a", count: 64)
        let address = try #require(URL(string: "https://\(tooLong).example/v1"))

        let error = await #expect(throws: NetworkError.self) {
            try await TestClient.run { try await $0.response(for: URLRequest(url: address)) }
        }

        #expect(error?.code == .unreachable)
    }

    @Test func `a shorter timeout of the request takes precedence over the deadline`() async throws
    {
        try await withFaultServer(.hangsBeforeTheHead) { _, address in
            let request = URLRequest(url: address, timeoutInterval: 0.3)
            let start = ContinuousClock.now

            let error = await #expect(throws: NetworkError.self) {
                try await TestClient.run { try await $0.response(for: request) }
            }

            #expect(error?.code == .timedOut)
            #expect(start.duration(to: .now) >= .milliseconds(300))
            #expect(start.duration(to: .now) < .seconds(8))
        }
    }

    @Test(arguments: ["GET /x HTTP/1.1\r\nX: y", "", "G ET"])
    func `a request with an invalid method is not sent`(method: String) async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond()
        }) { server, address in
            var request = URLRequest(url: address)
            request.httpMethod = method

            let error = await #expect(throws: NetworkError.self) {
                try await TestClient.run { try await $0.response(for: request) }
            }

            #expect(error?.code == .invalidRequest)
            #expect(server.connectionCount == 0)
        }
    }

    @Test func `a request with an invalid header field is not sent, and the error omits the value`()
        async throws
    {
        try await withFaultServer({ _, connection in
            try await connection.respond()
        }) { server, address in
            var request = URLRequest(url: address)
            request.setValue("Bearer 7539\u{1}", forHTTPHeaderField: "Authorization")

            let error = await #expect(throws: NetworkError.self) {
                try await TestClient.run { try await $0.response(for: request) }
            }

            #expect(error?.code == .invalidRequest)
            #expect(error.map { String(reflecting: $0).contains("7539") } == false)
            #expect(server.connectionCount == 0)
        }
    }

    @Test func `a request with a body stream is not sent`() async throws {
        let address = try #require(URL(string: "http://127.0.0.1:9/v1"))
        var request = URLRequest(url: address)
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: Data("{}".utf8))

        let error = await #expect(throws: NetworkError.self) {
            try await TestClient.run { try await $0.response(for: request) }
        }

        #expect(error?.code == .invalidRequest)
    }

    @Test func `a body of exactly the maximum size is accepted, and a larger one is too large`()
        async throws
    {
        try await withFaultServer({ request, connection in
            let isSmall = request.target == "/v1/small"
            try await connection.respond(body: Data(count: isSmall ? 1_000 : 1_001))
        }) { _, address in
            try await TestClient.run(maximumBodySize: 1_000) { networking in
                let response = try await networking.response(
                    for: URLRequest(url: address.appending(path: "small"))
                )
                let error = await #expect(throws: NetworkError.self) {
                    try await networking.response(for: URLRequest(url: address))
                }

                #expect(response.body.count == 1_000)
                #expect(error?.code == .tooLarge)
            }
        }
    }
}
