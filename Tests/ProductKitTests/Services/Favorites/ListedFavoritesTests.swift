import Foundation
import ProductKit
import Synchronization
import Testing

/// Favorites that are stored as the products of a list.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ListedFavoritesTests {
    private let shop = Shop.withThreeProducts

    // Rule: favorites/products-of-the-list (1)
    @Test func `the products of the list are the favorites`() async throws {
        shop.setFavorites(["pan"])

        #expect(try await shop.loader.loadProduct(withID: "pan").isFavorite)
        #expect(try await !shop.loader.loadProduct(withID: "pot").isFavorite)
        #expect(try await shop.loader.products().items.map(\.isFavorite) == [true, false, false])
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `a summary has a favorite status`() async throws {
        let loader = ProductLoader.only(search: { _, _ in
            Page([Product(id: "pan", name: "Product").summary(of: [])])
        })
        .storingFavorites(in: shop.manager)

        let row = try await loader.products().items.first

        #expect(row?.unknownMembers.contains(.isFavorite) == false)
        #expect(row?.unknownMembers.contains(.prices) == true)
    }

    // Rule: favorites/policy-of-the-load (7)
    @Test(arguments: [FetchPolicy.standard, .cacheFirst, .networkFirst, .revalidate, .reload])
    func `a product is loaded with the policy of the caller`(policy: FetchPolicy) async throws {
        let policies = Mutex<[FetchPolicy]>([])
        let loader = ProductLoader(load: { id in
            policies.withLock { $0.append(.current) }
            return Product(id: id, name: "Product")
        })
        .storingFavorites(in: shop.manager)

        _ = try await loader.fetchProduct(withID: "pan", policy: policy)

        #expect(policies.withLock(\.self) == [policy])
    }

    // Rule: pages/moved-pages-are-loaded-again (13)
    @Test func `nothing counts as removed if the pages of the lists do not fit together`()
        async throws
    {
        let lists = ListManager(
            addProduct: { _, _ in Issue.record("A product was added.") },
            lists: { cursor in
                let list = ProductList(id: cursor == nil ? "1" : "2", name: "Camp")
                return Page([list], next: cursor == nil ? "2" : nil, total: 3)
            }
        )
        let loader = ProductLoader.storingFavorites(in: lists)

        await expectNetworkError(.unavailable) {
            try await loader.setFavoriteStatus(false, forProductWithID: "pan")
        }
        #expect(try await loader.loadProduct(withID: "pan").unknownMembers == .isFavorite)
        #expect(try await loader.products().items.first?.unknownMembers == .isFavorite)
        await expectNetworkError(.unavailable) { try await loader.favorites() }
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `setting a favorite twice sends one addition`() async throws {
        for _ in 0..<2 {
            let product = try await shop.loader.setFavoriteStatus(true, forProductWithID: "pan")
            #expect(product?.isFavorite == true)
        }

        #expect(shop.writes == ["POST lists", "POST lists/list1/rows"])
    }

    // Rule: favorites/lists-are-merged (3)
    @Test func `a favorite is removed from all lists with the name`() async throws {
        shop.lists = [
            Shop.List(id: "1", name: "Favorites", products: ["pan", "pot"]),
            Shop.List(id: "2", name: "Camp", products: ["pan"]),
            Shop.List(id: "3", name: "Favorites", products: ["pan"]),
        ]

        let favorites = try await shop.loader.favorites()
        let product = try await shop.loader.setFavoriteStatus(false, forProductWithID: "pan")

        #expect(favorites.items.map(\.id) == ["pan", "pot"])
        #expect(product?.isFavorite == false)
        #expect(shop.lists.map(\.products) == [["pot"], ["pan"], []])
    }

    // Rule: favorites/guests-have-none (4)
    @Test func `a user who is not signed in has no favorites and cannot add one`() async throws {
        shop.failLists(with: NetworkError(.unauthorized))

        #expect(try await !shop.loader.loadProduct(withID: "pan").isFavorite)
        #expect(try await shop.loader.products().items.count == 3)
        #expect(try await shop.loader.favorites().items.isEmpty)
        await expectNetworkError(.unauthorized) {
            try await shop.loader.setFavoriteStatus(true, forProductWithID: "pan")
        }
    }

    // Rule: favorites/guests-have-none (4)
    @Test func `after the lists were loaded, an expired session is an error`() async throws {
        let loader = shop.loader
        _ = try await loader.loadProduct(withID: "pan")
        shop.failLists(with: NetworkError(.unauthorized))

        await expectNetworkError(.unauthorized) { try await loader.loadProduct(withID: "pan") }
    }

    // Rule: favorites/products-of-the-list (1)
    @Test(
        arguments: [
            NetworkError(.forbidden), TokenError.refreshTimedOut, TokenError.tooManyRefreshes,
            TokenError.sessionEnded, Offline(),
        ] as [any Error]
    )
    func `a stored product is shown although the lists cannot be loaded`(
        failure: any Error
    ) async throws {
        shop.failLists(with: failure)

        let product = try await storedGoods.fetchProduct(withID: "pan", policy: .cacheFirst)
        let page = try await storedGoods.products()

        #expect(product.source.code == .cache)
        #expect(product.value.unknownMembers.contains(.isFavorite))
        #expect(page.items.first?.unknownMembers.contains(.isFavorite) == true)
    }

    // Rule: cancellation/not-treated-as-failure (2)
    @Test func `a cancelled load of the lists ends that of a stored product`() async {
        shop.failLists(with: CancellationError())

        await #expect(throws: CancellationError.self) {
            try await storedGoods.fetchProduct(withID: "pan", policy: .cacheFirst)
        }
        await #expect(throws: CancellationError.self) { try await storedGoods.products() }
    }

    // Rule: favorites/products-of-the-list (1)
    @Test(arguments: [0, 2])
    func `favorites that a search does not return are loaded one by one`(limit: Int) async throws {
        let loader = ProductLoader(
            load: { id in Product(id: id, name: "Product") },
            search: { query, _ in
                Page(query.ids.prefix(limit).map { Product(id: $0, name: "Product") })
            }
        )
        .storingFavorites(in: shop.manager)
        shop.setFavorites(["a", "b", "c", "d"])

        #expect(try await loader.favorites().items.map(\.id) == ["d", "c", "b", "a"])
    }

    // Rule: errors/manager-interprets-not-found (14); screen/rollback-keeps-newer-content (28)
    @MainActor @Test func `a favorite that is still in the list stays on the screen`() async throws
    {
        let lines = ListLines(
            read: { id in
                let line = ListLines.Line(id: "7", product: "pan")
                return ListLines.Contents(id: id, name: "Favorites", lines: [line])
            },
            add: { _, _ in },
            remove: { _, _ in throw NetworkError(.notFound) }
        )
        let lists = ListManager(onlyList: "1", lines: lines)
        let service = ProductService(
            loader: .storingFavorites(in: lists),
            listManager: lists,
            localUser: .shopper
        )
        let screen = try await service.viewModel(forProductWithID: "pan")

        let error = await expectNetworkError(.unexpected) {
            try await screen.toggleProductFavoriteStatus()
        }

        #expect((error?.underlying as? NetworkError)?.code == .notFound)
        #expect(screen.isFavorite && screen.lastError?.kind == .toggleFavorite)
    }

    // Rule: favorites/list-is-created-once (2)
    @Test func `a list that was deleted in the meantime is created again`() async throws {
        let lists = Mutex([ProductList(id: "1", name: "Favorites")])
        let manager = ListManager(
            addProduct: { product, list in
                try lists.withLock { lists in
                    guard list != "1" else {
                        lists = []
                        throw ListError.notFound(list)
                    }
                    lists[0].products.append(product)
                }
            },
            lists: { _ in Page(lists.withLock(\.self)) },
            create: { _, name in
                let list = ProductList(id: "2", name: name)
                lists.withLock { $0 = [list] }
                return list
            }
        )

        let product = try await ProductLoader.storingFavorites(in: manager)
            .setFavoriteStatus(true, forProductWithID: "pan")

        #expect(product?.isFavorite == true)
        #expect(lists.withLock(\.self).map(\.products) == [["pan"]])
    }

    // Rule: favorites/list-is-created-once (2)
    @Test func `a caller continues if the one that creates the list is cancelled or fails`()
        async throws
    {
        let gate = ActionGate<Void>()
        let calls = Counter()
        shop.respond = { request, carryOut in
            guard request.httpMethod == "POST", Shop.path(of: request) == "lists",
                calls.next() == 1
            else { return try carryOut() }
            try await gate.hold()
            throw NetworkError(.rejected)
        }
        let loader = shop.loader
        let executor = SerialTaskExecutor()
        let edits = ["pan", "pot", "cup", "mug"].map { id in
            Task(executorPreference: executor) {
                try await loader.setFavoriteStatus(true, forProductWithID: Product.ID(id))
            }
        }
        await gate.waitForCalls(1)
        await executor.waitUntilIdle()

        edits[1].cancel()
        await #expect(throws: CancellationError.self) { try await edits[1].value }
        gate.open()

        await #expect(throws: NetworkError.self) { try await edits[0].value }
        for edit in edits[2...] { #expect(try await edit.value?.isFavorite == true) }
        #expect(shop.lists.map { Set($0.products) } == [["cup", "mug"]])
    }

    // Rule: favorites/list-is-hidden (5)
    @Test(
        arguments: [(nil, nil, 1), (nil, "2", nil), ("2", nil, nil)]
            as [(PageCursor?, PageCursor?, Int?)]
    )
    func `the list of favorites is not among the user's lists, also if it is on another page`(
        cursor: PageCursor?,
        next: PageCursor?,
        total: Int?
    ) async throws {
        let favorites = ProductList(id: "1", name: "Favorites", products: ["pan"])
        let lists = ListManager.only(lists: { _ in
            Page([favorites, .summer], next: next, total: 2)
        })

        let page = try await lists.hidingLists(named: "Favorites").lists(after: cursor)

        #expect(page == Page([.summer], next: next, total: total))
    }

    // Rule: favorites/list-is-hidden (5)
    @Test(arguments: [Int.min, -1, 0])
    func `a total that does not count the list of favorites is not valid`(total: Int) async throws {
        let lists = ListManager.only(lists: { _ in
            Page([ProductList(id: "1", name: "Favorites")], total: total)
        })

        #expect(try await lists.hidingLists(named: "Favorites").lists() == Page([]))
    }

    // Rule: favorites/products-of-the-list (1)
    @Test(arguments: [
        NetworkError.Code.unreachable, .timedOut, .connectionLost, .incomplete, .unavailable,
        .throttled,
    ])
    func `while the lists cannot be loaded, the favorite status is unknown`(
        code: NetworkError.Code
    ) async throws {
        shop.failLists(with: NetworkError(code))
        let loader = ProductLoader.storingFavorites(in: shop.manager)

        let product = try await loader.loadProduct(withID: "pan")
        let page = try await loader.products()

        #expect(product.unknownMembers == .isFavorite && !product.isFavorite)
        #expect(page.items.map(\.unknownMembers) == [.isFavorite, .isFavorite])
        await expectNetworkError(code) {
            try await loader.setFavoriteStatus(true, forProductWithID: "pan")
        }
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `a status that was confirmed is known, although the lists cannot be loaded`()
        async throws
    {
        let shop = shop
        shop.setFavorites(["pan"])
        let lists = ListManager(
            addProduct: { _, _ in shop.failLists(with: NetworkError(.throttled)) },
            lists: { _ in try await shop.manager.lists() }
        )

        let product = try await ProductLoader.storingFavorites(in: lists)
            .setFavoriteStatus(true, forProductWithID: "pot")

        #expect(product?.isFavorite == true && product?.unknownMembers.isEmpty == true)
    }

    // Rule: favorites/products-of-the-list (1)
    @Test(arguments: [
        NetworkError.Code.forbidden, .notFound, .rejected, .unexpected, .unreadable, .redirect,
    ])
    func `if the lists are refused, a product is an error`(code: NetworkError.Code) async {
        shop.failLists(with: NetworkError(code))

        await expectNetworkError(code) { try await shop.loader.loadProduct(withID: "pan") }
    }

    /// A loader of stored products, whose favorites are in the lists of the shop.
    private var storedGoods: ProductLoader {
        ProductLoader(
            fetch: { id, _ in
                Fetched(Product(id: id, name: "Product"), source: .cache(asOf: .distantPast))
            },
            search: { _, _ in
                var page = Page([Product(id: "pan", name: "Product")])
                page.source = .cache(asOf: .distantPast)
                return page
            }
        )
        .storingFavorites(in: shop.manager)
    }
}
