import Adapters
import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct WooCommerceTests {
    @Test func `a product of WooCommerce is decoded`() async throws {
        let exchange = Exchange(.json(WooCommerceFixtures.product(794, name: "Enamel &amp; Mug")))

        let product = try await loader(exchange).loadProduct(withID: "794")

        #expect(exchange.lines == ["GET /products/794"])
        #expect(
            product
                == Product(
                    id: "794",
                    name: "Enamel & Mug",
                    description: "Holds 400 ml.",
                    prices: [try Price("12.50", currency: "EUR")],
                    images: [URL(string: "https://shop.example/mug.jpg")].compactMap(\.self),
                    url: URL(string: "https://shop.example/product/enamel-mug/"),
                    isAvailable: true,
                    attributes: ["sku": "MUG-1"]
                )
        )
    }

    @Test func `a product without a price has no prices`() async throws {
        let exchange = Exchange(.json(WooCommerceFixtures.product(1, price: "")))

        #expect(try await loader(exchange).loadProduct(withID: "1").prices.isEmpty)
    }

    @Test func `a missing product is reported with its identifier`() async {
        let exchange = Exchange(.json(WooCommerceFixtures.missing, statusCode: 404))

        await #expect(throws: ProductError.notFound("9")) {
            try await loader(exchange).loadProduct(withID: "9")
        }
    }

    @Test func `a 404 for an unknown route is not reported as a missing product`() async {
        let exchange = Exchange(.json(WooCommerceFixtures.noRoute, statusCode: 404))

        let error = await #expect(throws: NetworkError.self) {
            try await loader(exchange).loadProduct(withID: "9")
        }

        #expect(error?.code == .unexpected)
        #expect(error?.statusCode == 404)
        #expect(error?.problem?.type == "rest_no_route")
    }

    @Test func `the message of a failure is shown without HTML`() async {
        let exchange = Exchange(.json(WooCommerceFixtures.missingItem, statusCode: 404))

        let error = await #expect(throws: NetworkError.self) {
            try await loader(exchange).products()
        }

        #expect(error?.localizedDescription == "That item isn't in your saved list anymore.")
    }

    @Test func `an invalid price of a product is reported with its member`() async {
        let exchange = Exchange(.json(WooCommerceFixtures.product(1, price: "12.50")))

        let error = await #expect(throws: NetworkError.self) {
            try await loader(exchange).loadProduct(withID: "1")
        }

        #expect(error?.code == .unreadable)
        #expect(error?.debugDescription.contains("“prices.price”") == true)
    }

    @Test func `pages are loaded by number, and the counts are header fields`() async throws {
        let exchange = Exchange(
            .json(
                "[\(WooCommerceFixtures.product(1)), \(WooCommerceFixtures.product(2))]",
                headers: ["X-WP-Total": "3", "X-WP-TotalPages": "2"]
            ),
            .json(
                "[\(WooCommerceFixtures.product(3))]",
                headers: ["X-WP-Total": "3", "X-WP-TotalPages": "2"]
            )
        )
        let loader = loader(exchange)

        let query = ProductQuery(text: "mug & co", limit: 2)
        let first = try await loader.products(matching: query)
        let second = try await loader.products(matching: query, after: first.next)

        #expect(first.items.map(\.id) == ["1", "2"])
        #expect(first.total == 3)
        #expect(second.items.map(\.id) == ["3"])
        #expect(second.next == nil)
        #expect(
            exchange.lines == [
                "GET /products?per_page=2&search=mug%20%26%20co",
                "GET /products?per_page=2&search=mug%20%26%20co&page=2",
            ]
        )
    }

    @Test func `each write has the nonce of the response before it`() async throws {
        let shopper = Shopper(.wooCommerce)

        for id in ["1", "2"] as [Product.ID] {
            try await shopper.lists.addProduct(withID: id, toListWithID: "saved-for-later")
        }

        #expect(shopper.shop.lineCount == 2)
        #expect(shopper.shop.requests.map(\.nonce) == [nil, "n1", "n2", "n2"])
    }

    @Test func `the favorites are one list, and the other lists are shown`() async throws {
        let shopper = Shopper(.wooCommerce)

        _ = try await shopper.loader.setFavoriteStatus(true, forProductWithID: "1")
        try await shopper.lists.addProduct(withID: "2", toListWithID: "wishlist")

        let lists = try await shopper.lists.lists().items
        #expect(lists.map(\.id) == ["wishlist"] && lists.first?.products == ["2"])
        #expect(try await shopper.loader.favorites().items.map(\.id) == ["1"])
    }

    @Test func `an expired token is refreshed`() async throws {
        let shop = FakeShop(handler: WooCommerceServer.response)
        shop.failures = [.json(WooCommerceFixtures.expiredToken, statusCode: 403)]
        let service = ProductService(
            backend: .wooCommerce(at: .store, networking: shop.networking),
            localUser: LocalUser(currency: "EUR"),
            user: .signedIn(
                "ann",
                token: { AccessToken("old") },
                refresh: { _ in AccessToken("new") }
            )
        )

        _ = try await service.loader.loadProduct(withID: "1")

        #expect(shop.requests.map(\.user) == ["old", "new"])
    }

    @Test func `a write without a nonce, or with an old one, is repeated once`() async throws {
        let shopper = Shopper(.wooCommerce)
        // The responses to reads contain no nonce.
        shopper.shop.readHeaders = ["Nonce": ""]
        func add(_ id: Product.ID) async throws {
            try await shopper.lists.addProduct(withID: id, toListWithID: "saved-for-later")
        }

        try await add("1")
        shopper.shop.content.nonceNumber = 7
        try await add("2")

        let nonces = shopper.shop.writes.map(\.nonce)
        #expect(nonces == [nil, "n1", "n2", "n7"] && shopper.shop.lineCount == 2)
    }

    @Test func `a guest who changes a list is refused, and nothing is repeated`() async {
        let guest = Shopper(.wooCommerce, user: nil)

        let error = await #expect(throws: NetworkError.self) {
            try await guest.lists.addProduct(withID: "1", toListWithID: "saved-for-later")
        }

        #expect(error?.code == .unauthorized)
        #expect(guest.shop.requests.count == 1 && guest.shop.lineCount == 0)
    }

    @Test(arguments: ["woocommerce_rest_invalid_nonce", "woocommerce_rest_missing_nonce"])
    func `a write that is refused again is not sent a third time, and its message is hidden`(
        code: String
    ) async throws {
        let shopper = Shopper(.wooCommerce)
        let body = #"{"code": "\#(code)", "message": "Nonce is invalid."}"#
        shopper.shop.writeFailures = [
            .json(body, statusCode: 403, headers: ["Nonce": "a"]),
            .json(body, statusCode: 403, headers: ["Nonce": "b"]),
        ]

        let error = await #expect(throws: NetworkError.self) {
            try await shopper.lists.addProduct(withID: "1", toListWithID: "saved-for-later")
        }

        #expect(error?.code == .forbidden && error?.problem?.type == code)
        #expect(error?.localizedDescription.contains("Nonce") == false)
        #expect(shopper.shop.writes.count == 2 && shopper.shop.lineCount == 0)
    }

    @Test func `a store without shopper lists has products`() async throws {
        let exchange = Exchange(.json("[\(WooCommerceFixtures.product(1))]"))

        #expect(try await loader(exchange).products().items.map(\.id) == ["1"])
        #expect(exchange.lines == ["GET /products"])
    }

    @Test func `what the store forbids to store is shown offline`() async throws {
        var backend = TestedBackend.wooCommerce
        backend.hasCache = true
        let shopper = Shopper(backend)
        _ = try await shopper.loader.setFavoriteStatus(true, forProductWithID: "1")
        _ = try await shopper.loader.loadProduct(withID: "1")
        shopper.shop.isOnline = false

        let product = try await shopper.loader.fetchProduct(withID: "1")

        #expect(product.value.isFavorite && product.source.code == .staleIfError)
    }

    @Test func `several products are requested by their identifiers`() async throws {
        let exchange = Exchange(.json("[]"))

        _ = try await loader(exchange).products(matching: ProductQuery(ids: ["1", "2", "3"]))

        #expect(exchange.lines == ["GET /products?include=1%2C2%2C3&per_page=3"])
    }

    @Test func `an invalid product is rejected, and the others are returned`() async throws {
        let exchange = Exchange(
            .json(
                """
                [\(WooCommerceFixtures.product(1)), {"id": 2},
                 \(WooCommerceFixtures.product(3, price: "free")), \(WooCommerceFixtures.product(4))]
                """
            )
        )

        let page = try await loader(exchange).products()

        #expect(page.items.map(\.id) == ["1", "4"])
        #expect(page.rejected.map(\.index) == [1, 2])
        #expect(page.rejected.map(\.member) == ["name", "prices.price"])
        #expect(page.rejected.last?.reason.contains("“free” is not an amount of money") == true)
    }

    private func loader(_ exchange: Exchange) -> ProductLoader {
        let backend = ProductBackend.wooCommerce(
            at: .store,
            networking: exchange.networking,
            retry: .none
        )
        return ProductService(backend).loader
    }
}
