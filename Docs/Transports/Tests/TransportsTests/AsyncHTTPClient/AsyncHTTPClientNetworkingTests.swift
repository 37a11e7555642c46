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

@Suite(.timeLimit(.minutes(5))) struct AsyncHTTPClientNetworkingTests {
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
                user: .signedIn("anna") { token },
                networking: networking.followingRedirects()
            )
            let product = try await service.loader.loadProduct(withID: "boots")
            try await client.shutdown()

            #expect(product.name == "Boots")
        }
    }

    @Test func `a request with a body stream is not sent`() async throws {
        let address = try #require(URL(string: "http://127.0.0.1:9/v1"))
        var request = URLRequest(url: address)
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: Data("{}".utf8))

        let error = await #expect(throws: NetworkError.self) {
            try await TransportUnderTest.asyncHTTPClient.make().response(for: request)
        }

        #expect(error?.code == .invalidRequest)
    }
}
