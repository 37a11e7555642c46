import EmbeddedStore
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1))) struct TransportTests {
    @Test func `an http URL of another machine is refused before a request is sent`() async throws {
        let address = try #require(URL(string: "http://shop.example/v1"))

        let error = await #expect(throws: NetworkError.self) {
            try await ProductLoader(baseURL: address).loadProduct(withID: "walking-boots")
        }

        #expect(error?.code == .insecure)
        #expect(error?.localizedDescription.contains("allowsInsecureHTTP") == true)
    }

    @Test func `a URLSession can be used as the networking of a service`() async throws {
        try await EmbeddedStore.withService(networking: URLSession(configuration: .ephemeral)) {
            _,
            service in
            let product = try await service.loader.loadProduct(withID: "enamel-mug")

            #expect(product.id == "enamel-mug")
        }
    }

    @Test(arguments: [true, false])
    func `a scheme in uppercase is sent`(usesTransport: Bool) async throws {
        let networking: any Networking =
            usesTransport ? .system : URLSession(configuration: .ephemeral)
        try await withEmbeddedStore { _, baseURL in
            let address = "HTTP" + baseURL.absoluteString.dropFirst(4)
            let uppercase = try #require(URL(string: address))

            let service = ProductService(
                baseURL: uppercase,
                localUser: LocalUser(currency: "EUR"),
                networking: networking
            ) { EmbeddedStore.demoToken }

            let product = try await service.loader.loadProduct(withID: "enamel-mug")

            #expect(product.id == "enamel-mug")
        }
    }

    @Test func `a DataLoader sends no token`() async throws {
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
