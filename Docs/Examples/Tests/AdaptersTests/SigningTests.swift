import Adapters
import Foundation
import ProductKit
import Testing

/// The authentication of each backend, which the adapters configure with `TokenBehavior`.
@Suite(.timeLimit(.minutes(1))) struct SigningTests {
    @Test func `WooCommerce gets the key and the secret with Basic authentication`() async throws {
        let exchange = Exchange(.json("[]"))
        let client = NetworkClient(
            wooCommerce: .store,
            key: "ck_1:cs_2",
            networking: exchange.networking
        )

        _ = try await ProductLoader(wooCommerce: client, currency: "EUR").products()

        #expect(exchange.header("Authorization") == ["Basic Y2tfMTpjc18y"])
    }

    @Test func `commercetools gets a Bearer token`() async throws {
        let exchange = Exchange(.json(CommercetoolsFixtures.page(total: 0)))
        let client = NetworkClient(commercetools: .store, networking: exchange.networking) {
            "demo-token"
        }

        _ = try await ProductLoader(commercetools: client).products()

        #expect(exchange.header("Authorization") == ["Bearer demo-token"])
    }

    @Test func `Shopify gets its token in its own header field`() async throws {
        let exchange = Exchange(.json(ShopifyFixtures.products()))
        let client = NetworkClient(
            shopify: .store,
            token: "demo-token",
            networking: exchange.networking
        )

        _ = try await ProductLoader(shopify: client).products()

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
        let client = NetworkClient(wooCommerce: .store, key: nil, networking: exchange.networking)

        _ = try await ProductLoader(wooCommerce: client, currency: "EUR").products()

        #expect(exchange.header("Authorization") == [nil])
    }
}
