import Adapters
import Foundation
import ProductKit
import Testing

/// The authentication of each backend, which the adapters configure with `TokenBehavior`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SigningTests {
    @Test func `WooCommerce gets a Bearer token`() async throws {
        let exchange = Exchange(.json("[]"))
        let backend = ProductBackend.wooCommerce(at: .store, networking: exchange.networking)

        _ = try await ProductService(backend, token: "demo-token").loader.products()

        #expect(Set(exchange.header("Authorization")) == ["Bearer demo-token"])
    }

    @Test func `commercetools gets a Bearer token`() async throws {
        let exchange = Exchange(.json(CommercetoolsFixtures.page(total: 0)))
        let backend = ProductBackend.commercetools(at: .store, networking: exchange.networking)

        _ = try await ProductService(backend, token: "demo-token").loader.products()

        #expect(Set(exchange.header("Authorization")) == ["Bearer demo-token"])
    }

    @Test func `Shopify gets its token in its own header field`() async throws {
        let exchange = Exchange(.json(ShopifyFixtures.products()))
        let backend = ProductBackend.shopify(at: .store, networking: exchange.networking)

        _ = try await ProductService(backend, token: "demo-token").loader.products()

        #expect(exchange.header("X-Shopify-Storefront-Access-Token") == ["demo-token"])
        #expect(exchange.header("Authorization") == [nil])
    }

    @Test func `a backend with the scheme Token gets that scheme`() async throws {
        let exchange = Exchange(.json(#"{"items": []}"#))
        let client = NetworkClient(
            baseURL: .store,
            networking: exchange.networking,
            behaviors: [TokenBehavior(scheme: "Token") { "demo-token" }]
        )

        _ = try await ProductLoader(client: client).products()

        #expect(exchange.header("Authorization") == ["Token demo-token"])
    }

    @Test func `a request without a token has no Authorization field`() async throws {
        let exchange = Exchange(.json("[]"))
        let backend = ProductBackend.wooCommerce(at: .store, networking: exchange.networking)

        _ = try await ProductService(backend).loader.products()

        #expect(exchange.header("Authorization") == [nil])
    }
}
