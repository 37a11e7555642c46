import Foundation
import ProductKit
import Testing

/// Loading products and pages, with every adapter.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProductChecks {
    @Test(arguments: TestedBackend.all)
    func `a product is loaded with its name and price`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)

        let pan = try await shopper.loader.fetchProduct(withID: "1")

        #expect(pan.value.id == "1")
        #expect(pan.value.name == "Iron Pan")
        #expect(pan.value.price(in: "EUR") == Price(minorUnits: 3_995, currency: "EUR"))
        #expect(!pan.value.isFavorite)
        #expect(pan.source.code == .network)
    }

    @Test(arguments: TestedBackend.all)
    func `a missing product throws notFound with its identifier`(backend: TestedBackend) async {
        let shopper = Shopper(backend)

        for policy in [FetchPolicy.standard, .cacheFirst, .networkFirst, .revalidate, .reload] {
            await #expect(throws: ProductError.notFound("9")) {
                try await shopper.loader.fetchProduct(withID: "9", policy: policy)
            }
        }
    }

    @Test(arguments: TestedBackend.all)
    func `a product that was removed is missing, also if it is cached`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        _ = try await shopper.loader.loadProduct(withID: "1")
        shopper.shop.content.items.removeFirst()

        for policy in [FetchPolicy.networkFirst, .revalidate] {
            await #expect(throws: ProductError.notFound("1")) {
                try await shopper.loader.fetchProduct(withID: "1", policy: policy)
            }
        }
    }

    @Test(arguments: TestedBackend.all, ["0.07", "19.99", "1234567.89", "0.00"])
    func `prices are exact`(backend: TestedBackend, price: String) async throws {
        let shopper = Shopper(backend)
        shopper.shop.content.items[0].price = price

        let product = try await shopper.loader.loadProduct(withID: "1")
        let row = try await shopper.loader.products().items.first

        #expect(product.prices == [try Price(price, currency: "EUR")])
        #expect(row?.prices == product.prices)
    }

    @Test(
        arguments: TestedBackend.all,
        ["a/b", "gid://shopify/Product/42?x=1#y", "a%2Fb", "ü ñ", "\"q\" & 'r'", "+;=,@"]
    )
    func `an identifier may contain any character`(backend: TestedBackend, id: String) async throws
    {
        let shopper = Shopper(backend)
        shopper.shop.content.items = [FakeShop.Item(id: id, name: "Odd")]

        let product = try await shopper.loader.loadProduct(withID: Product.ID(id))

        #expect(product.id.rawValue == id)
        #expect(product.name == "Odd")
    }

    @Test(arguments: TestedBackend.all)
    func `each product is on one page, and the last page has no next`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let query = ProductQuery(limit: 2)
        var (ids, cursor, pageCount) = ([String](), PageCursor?.none, 0)

        repeat {
            let page = try await shopper.loader.products(matching: query, after: cursor)
            #expect(page.source.code == .network)
            ids += page.items.map(\.id.rawValue)
            cursor = page.next
            pageCount += 1
        } while cursor != nil && pageCount < 9

        #expect(ids == ["1", "2", "3", "4", "5"])
        #expect(pageCount == 3)
    }

    @Test(arguments: TestedBackend.all)
    func `a page that is exactly full is followed by none if it is the last`(
        backend: TestedBackend
    ) async throws {
        let page = try await Shopper(backend).loader.products(matching: ProductQuery(limit: 5))

        #expect(page.items.count == 5)
        #expect(page.next == nil)
    }

    @Test(arguments: TestedBackend.all)
    func `a text finds the products that match, or none`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)

        let pans = try await shopper.loader.products(matching: "pan")
        let nothing = try await shopper.loader.products(matching: "no such thing")

        #expect(pans.items.map(\.name) == ["Iron Pan", "Steel Pan"])
        #expect(nothing.items.isEmpty)
        #expect(nothing.next == nil)
    }

    @Test(arguments: TestedBackend.supporting(.identifiers))
    func `products are found by their identifiers, without missing ones`(
        backend: TestedBackend
    ) async throws {
        let query = ProductQuery(ids: ["2", "9", "4"])

        let page = try await Shopper(backend).loader.products(matching: query)

        #expect(Set(page.items.map(\.id)) == ["2", "4"])
    }

    @Test(arguments: TestedBackend.all)
    func `an unreadable row is rejected with its member, and the others stay`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        shopper.shop.content.items[1].isDamaged = true

        let page = try await shopper.loader.products(matching: ProductQuery(limit: 3))

        #expect(page.items.map(\.id) == ["1", "3"])
        #expect(page.rejected.map(\.index) == [1])
        #expect(["name", "title"].contains(page.rejected.first?.member))
        #expect(page.next != nil)
    }

    @Test(arguments: TestedBackend.all)
    func `a page of unreadable rows has none, and its next page can be loaded`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        for index in 0...1 { shopper.shop.content.items[index].isDamaged = true }
        let query = ProductQuery(limit: 2)

        let first = try await shopper.loader.products(matching: query)
        let second = try await shopper.loader.products(matching: query, after: first.next)

        #expect(first.items.isEmpty)
        #expect(first.rejected.map(\.index) == [0, 1])
        #expect(second.items.map(\.id) == ["3", "4"])
        #expect(second.rejected.isEmpty)
    }

    @Test(arguments: TestedBackend.all)
    func `a cancelled task sends nothing`(backend: TestedBackend) async {
        let shopper = Shopper(backend)

        await #expect(throws: CancellationError.self) {
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await shopper.loader.loadProduct(withID: "1")
            }.value
        }

        #expect(shopper.shop.requests.isEmpty)
    }

    @Test(arguments: TestedBackend.all)
    func `a request that is cancelled in flight throws CancellationError`(
        backend: TestedBackend
    ) async {
        let shopper = Shopper(backend)
        let held = shopper.shop.hold()
        let load = Task { try await shopper.loader.loadProduct(withID: "1") }

        await shopper.shop.waitForRequest()
        load.cancel()

        await #expect(throws: CancellationError.self) { try await load.value }
        held.finish()
    }

    @Test(arguments: TestedBackend.all)
    func `a loop loads each page once`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)

        let pages = try await shopper.loader.pages(matching: ProductQuery(limit: 2))
            .reduce(into: [Page<Product>]()) { $0.append($1) }

        #expect(pages.map { $0.items.map(\.id) } == [["1", "2"], ["3", "4"], ["5"]])
    }
}
