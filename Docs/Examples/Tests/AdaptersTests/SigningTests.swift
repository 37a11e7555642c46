import Adapters
import Foundation
import ProductKit
import Testing

/// Backends sign requests in different ways, which differ only in the token's behavior.
@Suite(.timeLimit(.minutes(1))) struct SigningTests {
    @Test func `WooCommerce is given key and secret as Basic`() async throws {
        let exchange = Exchange(.json("[]"))
        let client = NetworkClient(
            wooCommerce: .store,
            key: "ck_1:cs_2",
            networking: exchange.networking
        )

        _ = try await ProductLoader(wooCommerce: client, currency: "EUR").products()

        #expect(exchange.header("Authorization") == ["Basic Y2tfMTpjc18y"])
    }

    @Test func `commercetools is given a Bearer token`() async throws {
        let exchange = Exchange(.json(CommercetoolsFixtures.page(total: 0)))
        let client = NetworkClient(commercetools: .store, networking: exchange.networking) {
            "demo-token"
        }

        _ = try await ProductLoader(commercetools: client).products()

        #expect(exchange.header("Authorization") == ["Bearer demo-token"])
    }

    @Test func `Shopify is given its token in a field of its own`() async throws {
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

    @Test func `a backend that says Token is given one`() async throws {
        let exchange = Exchange(.json(#"{"items": []}"#))
        let client = NetworkClient(
            baseURL: .store,
            networking: exchange.networking,
            behaviors: [TokenBehavior(scheme: "Token") { "demo-token" }]
        )

        _ = try await ProductLoader(client: client).products()

        #expect(exchange.header("Authorization") == ["Token demo-token"])
    }

    @Test func `without a token nothing is signed`() async throws {
        let exchange = Exchange(.json("[]"))
        let client = NetworkClient(wooCommerce: .store, key: nil, networking: exchange.networking)

        _ = try await ProductLoader(wooCommerce: client, currency: "EUR").products()

        #expect(exchange.header("Authorization") == [nil])
    }
}
