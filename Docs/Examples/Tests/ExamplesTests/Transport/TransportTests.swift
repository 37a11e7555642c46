import EmbeddedStore
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1))) struct TransportTests {
    @Test func `plain http to another machine is refused before anything is sent`() async throws {
        let address = try #require(URL(string: "http://shop.example/v1"))

        let error = await #expect(throws: NetworkError.self) {
            try await ProductLoader(baseURL: address).loadProduct(withID: "walking-boots")
        }

        #expect(error?.code == .insecure)
        #expect(error?.localizedDescription.contains("allowsInsecureHTTP") == true)
    }

    @Test func `a session of the host's own is networking too`() async throws {
        try await withShop(networking: URLSession(configuration: .ephemeral)) { _, shop in
            let product = try await shop.loader.loadProduct(withID: "enamel-mug")

            #expect(product.id == "enamel-mug")
        }
    }

    @Test func `a picture's bytes are loaded without the token`() async throws {
        try await withEmbeddedStore(
            intercept: { request, _ in
                StoreResponse(
                    status: 200,
                    text: request.header("Authorization") ?? "none",
                    type: "image/png"
                )
            }
        ) { _, baseURL in
            let bytes = try await DataLoader().data(from: baseURL)

            #expect(String(decoding: bytes, as: UTF8.self) == "none")
        }
    }
}
