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
    @Test func `a request arrives as it is`() async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond()
        }) { server, address in
            var request = URLRequest(url: address.appending(path: "a b"))
            request.httpMethod = "PUT"
            request.httpBody = Data(#"{"isFavorite": true}"#.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.setValue("Bearer t", forHTTPHeaderField: "Authorization")

            let response = try await withClient { try await $0.response(for: request) }

            let arrived = try #require(server.requests.first)
            #expect(response.statusCode == 200)
            #expect(arrived.method == "PUT")
            #expect(arrived.target == "/v1/a%20b")
            #expect(arrived.header("Content-Type") == "application/json")
            #expect(arrived.header("Authorization") == "Bearer t")
            #expect(arrived.header("Content-Length") == "20")
            #expect(arrived.body == request.httpBody)
        }
    }

    @Test func `the library works over it`() async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond()
        }) { _, address in
            let product = try await withClient { networking in
                try await ProductLoader(baseURL: address, networking: networking)
                    .loadProduct(withID: "boots")
            }

            #expect(product.name == "Boots")
        }
    }

    @Test func `a server wires everything over one client`() async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond()
        }) { _, shop in
            let token = "demo-token"
            let client = HTTPClient(
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
                configuration: .productKit
            )
            let networking = AsyncHTTPClientNetworking(client)
            let service = ProductService(
                baseURL: shop,
                localUser: LocalUser(currency: "EUR"),
                networking: networking.followingRedirects()
            ) { token }
            let product = try await service.loader.loadProduct(withID: "boots")
            try await client.shutdown()

            #expect(product.name == "Boots")
        }
    }

    @Test func `a server that is not there is reported as such at once`() async throws {
        let address = try await withFaultServer({ _, _ in }) { _, address in address }

        let error = await #expect(throws: NetworkError.self) {
            try await withClient { try await $0.response(for: URLRequest(url: address)) }
        }

        #expect(error?.code == .unreachable)
        #expect(error?.url?.host() == "127.0.0.1")
    }

    @Test func `a name that no host can have is reported as such`() async throws {
        let tooLong = String(repeating: "a", count: 64)
        let address = try #require(URL(string: "https://\(tooLong).example/v1"))

        let error = await #expect(throws: NetworkError.self) {
            try await withClient { try await $0.response(for: URLRequest(url: address)) }
        }

        #expect(error?.code == .unreachable)
    }

    @Test func `a request's own deadline counts when it is shorter`() async throws {
        try await withFaultServer(.hangsBeforeTheHead) { _, address in
            let request = URLRequest(url: address, timeoutInterval: 0.3)
            let start = ContinuousClock.now

            let error = await #expect(throws: NetworkError.self) {
                try await withClient { try await $0.response(for: request) }
            }

            #expect(error?.code == .timedOut)
            #expect(start.duration(to: .now) >= .milliseconds(300))
            #expect(start.duration(to: .now) < .seconds(8))
        }
    }

    @Test(arguments: ["GET /x HTTP/1.1\r\nX: y", "", "G ET"])
    func `a method that is no word is refused and not sent`(method: String) async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond()
        }) { server, address in
            var request = URLRequest(url: address)
            request.httpMethod = method

            let error = await #expect(throws: NetworkError.self) {
                try await withClient { try await $0.response(for: request) }
            }

            #expect(error?.code == .invalidRequest)
            #expect(server.connectionCount == 0)
        }
    }

    @Test func `a header that may not be sent is refused and not repeated`() async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond()
        }) { server, address in
            var request = URLRequest(url: address)
            request.setValue("Bearer 7539\u{1}", forHTTPHeaderField: "Authorization")

            let error = await #expect(throws: NetworkError.self) {
                try await withClient { try await $0.response(for: request) }
            }

            #expect(error?.code == .invalidRequest)
            #expect(error.map { String(reflecting: $0).contains("7539") } == false)
            #expect(server.connectionCount == 0)
        }
    }

    @Test func `a body that is a stream is refused and not dropped`() async throws {
        let address = try #require(URL(string: "http://127.0.0.1:9/v1"))
        var request = URLRequest(url: address)
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: Data("{}".utf8))

        let error = await #expect(throws: NetworkError.self) {
            try await withClient { try await $0.response(for: request) }
        }

        #expect(error?.code == .invalidRequest)
    }

    @Test func `an answer may be as large as allowed, and no larger`() async throws {
        try await withFaultServer({ request, connection in
            let isSmall = request.target == "/v1/small"
            try await connection.respond(body: Data(count: isSmall ? 1_000 : 1_001))
        }) { _, address in
            try await withClient(maximumBodySize: 1_000) { networking in
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
