import Foundation
import ProductKit
import Synchronization
import Testing

/// Products that further requests complete, such as one for the prices of a page.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CompletedProductsTests {
    private let pan = Product(id: "pan", name: "Pan")
    private let cup = Product(id: "cup", name: "Cup")

    // Rule: requests/products-are-completed (25)
    @Test func `a loaded product is completed with the policy of the operation`() async throws {
        let policies = Mutex<[FetchPolicy]>([])
        let loader = ProductLoader(load: { [pan] _ in pan }).completingProducts { products in
            policies.withLock { $0.append(.current) }
            return priced(products)
        }

        let loaded = try await loader.loadProduct(withID: "pan")
        let fetched = try await loader.fetchProduct(withID: "pan", policy: .cacheFirst)

        #expect(loaded == priced([pan])[0] && fetched.value == loaded)
        #expect(policies.withLock(\.self) == [.revalidate, .cacheFirst])
    }

    // Rule: requests/products-are-completed (25)
    @Test func `the response of a further request counts for the source`() async throws {
        let loader = ProductLoader(
            fetch: { [pan] _, _ in Fetched(pan, source: .network) },
            search: { [pan] _, _ in Page([pan]) }
        )
        .completingProducts { products in
            let prices = ProductLoader(fetch: { id, _ in
                Fetched(products[0], source: .cache(asOf: .distantPast))
            })
            return [try await prices.fetchProduct(withID: "pan").value]
        }

        #expect(try await loader.fetchProduct(withID: "pan").source == .cache(asOf: .distantPast))
        #expect(try await loader.products().source == .cache(asOf: .distantPast))
    }

    // Rule: requests/products-are-completed (25)
    @Test func `the products of a page are completed together`() async throws {
        let calls = Mutex<[[Product.ID]]>([])
        let invalid = RejectedElement(index: 2, member: "name", reason: "It is missing.")
        let page = Page([pan, cup], next: "2", total: 5, rejected: [invalid])
        let loader = ProductLoader(
            load: { _ in throw UnsupportedOperation("load") },
            search: { query, _ in query.text.isEmpty ? page : Page([]) },
            favorites: { _ in page }
        )
        .completingProducts { products in
            calls.withLock { $0.append(products.map(\.id)) }
            return priced(products)
        }

        let found = try await loader.products()
        let favorites = try await loader.favorites()
        let none = try await loader.products(matching: "none")

        #expect(found.items == priced([pan, cup]))
        #expect(favorites.items == found.items.map { $0.with { $0.isFavorite = true } })
        #expect(found.next == "2" && found.total == 5 && found.rejected == [invalid])
        #expect(none.items.isEmpty)
        #expect(calls.withLock(\.self) == [["pan", "cup"], ["pan", "cup"]])
    }

    // Rule: requests/products-are-completed (25)
    @Test func `a product that is left out does not exist`() async throws {
        let page = Page([pan, cup], next: "2", total: 5)
        let loader = ProductLoader(load: { [pan] _ in pan }, search: { _, _ in page })
            .completingProducts { products in products.filter { $0.id != "pan" } }

        let found = try await loader.products()

        #expect(found.items == [cup] && found.next == "2" && found.total == nil)
        await #expect(throws: ProductError.notFound("pan")) {
            try await loader.loadProduct(withID: "pan")
        }
    }

    // Rule: requests/products-are-completed (25)
    @Test func `the error of a further request is thrown`() async throws {
        let loader = ProductLoader(load: { [pan] _ in pan }, search: { [pan] _, _ in Page([pan]) })
            .completingProducts { _ in throw UnsupportedOperation("prices") }

        await #expect(throws: UnsupportedOperation("prices")) {
            try await loader.loadProduct(withID: "pan")
        }
        await #expect(throws: UnsupportedOperation("prices")) { try await loader.products() }
    }

    // Rule: requests/products-are-completed (25)
    @Test(arguments: [true, false])
    func `a favorite is completed, and confirmed also if that fails`(fails: Bool) async throws {
        let loader = ProductLoader(
            load: { id in Product(id: id, name: "Pan", isFavorite: true) },
            setFavorite: { id, isFavorite in
                Product(id: id, name: "Incomplete", isFavorite: isFavorite)
            }
        )
        .completingProducts { products in
            if fails { throw NetworkError(.unreachable) }
            return priced(products)
        }

        let product = try await loader.setFavoriteStatus(true, forProductWithID: "pan")

        let expected = Product(id: "pan", name: "Pan", isFavorite: true)
        #expect(product == (fails ? nil : priced([expected])[0]))
    }
}

private func priced(_ products: [Product]) -> [Product] {
    products.map { product in
        var product = product
        product.prices = [Price(minorUnits: 3995, currency: "EUR")]
        return product
    }
}
