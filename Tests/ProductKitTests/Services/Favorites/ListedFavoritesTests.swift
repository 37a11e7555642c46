import Foundation
import ProductKit
import Synchronization
import Testing

/// Favorites that are stored as the products of a list.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ListedFavoritesTests {
    private let shop = WishListShop()

    // Rule: favorites/products-of-the-list (1)
    @Test func `the products of the list are the favorites`() async throws {
        shop.set([ProductList(id: "1", name: "Favorites", products: ["pan"])])

        #expect(try await shop.loader.loadProduct(withID: "pan").isFavorite)
        #expect(try await !shop.loader.loadProduct(withID: "pot").isFavorite)
        #expect(try await shop.loader.products().items.map(\.isFavorite) == [true, false, false])
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `a summary has a favorite status`() async throws {
        let summaries = ProductLoader(
            load: { id in Product(id: id, name: "Product") },
            search: { _, _ in Page([Product(id: "pan", name: "Product").summary(of: [])]) }
        )
        let loader = summaries.storingFavorites(inListNamed: "Favorites", of: shop.manager)

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
        .storingFavorites(inListNamed: "Favorites", of: shop.manager)

        _ = try await loader.fetchProduct(withID: "pan", policy: policy)

        #expect(policies.withLock(\.self) == [policy])
    }

    // Rule: favorites/list-is-created-once (2)
    @Test func `two first favorites at the same time create one list`() async throws {
        let gate = ActionGate<Void>()
        shop.beforeCreation = { try await gate.hold() }
        let loader = shop.loader
        let executor = SerialTaskExecutor()
        let edits = ["pan", "pot"].map { id in
            Task(executorPreference: executor) {
                try await loader.setFavoriteStatus(true, forProductWithID: Product.ID(id))
            }
        }
        await gate.waitForCalls(1)
        await executor.waitUntilIdle()
        gate.open()
        for edit in edits { #expect(try await edit.value?.isFavorite == true) }

        #expect(shop.lists.map(\.name) == ["Favorites"])
        #expect(Set(shop.lists[0].products) == ["pan", "pot"])
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `setting a favorite twice sends one addition`() async throws {
        for _ in 0..<2 {
            let product = try await shop.loader.setFavoriteStatus(true, forProductWithID: "pan")
            #expect(product?.isFavorite == true)
        }

        #expect(shop.writes == ["create Favorites", "add pan"])
    }

    // Rule: favorites/lists-are-merged (3)
    @Test func `a favorite is removed from all lists with the name`() async throws {
        shop.set([
            ProductList(id: "1", name: "Favorites", products: ["pan", "pot"]),
            ProductList(id: "2", name: "Camp", products: ["pan"]),
            ProductList(id: "3", name: "Favorites", products: ["pan"]),
        ])

        let favorites = try await shop.loader.favorites()
        let product = try await shop.loader.setFavoriteStatus(false, forProductWithID: "pan")

        #expect(favorites.items.map(\.id) == ["pan", "pot"])
        #expect(product?.isFavorite == false)
        #expect(shop.lists.map(\.products) == [["pot"], ["pan"], []])
    }

    // Rule: favorites/guests-have-none (4)
    @Test func `a user who is not signed in has no favorites and cannot add one`() async throws {
        shop.isSignedIn = false

        #expect(try await !shop.loader.loadProduct(withID: "pan").isFavorite)
        #expect(try await shop.loader.products().items.count == 3)
        #expect(try await shop.loader.favorites().items.isEmpty)
        let error = await #expect(throws: NetworkError.self) {
            _ = try await shop.loader.setFavoriteStatus(true, forProductWithID: "pan")
        }
        #expect(error?.code == .unauthorized)
    }

    // Rule: favorites/guests-have-none (4)
    @Test func `after the lists were loaded, an expired session is an error`() async throws {
        let loader = shop.loader
        _ = try await loader.loadProduct(withID: "pan")
        shop.isSignedIn = false

        let error = await #expect(throws: NetworkError.self) {
            try await loader.loadProduct(withID: "pan")
        }

        #expect(error?.code == .unauthorized)
    }

    // Rule: favorites/guests-have-none (4)
    @Test(arguments: [401, 403])
    func `a guest has no favorites after another user of the same backend`(
        refusal: Int
    ) async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                let token = request.value(forHTTPHeaderField: "Authorization")
                switch (request.url?.lastPathComponent, token) {
                case ("lists", "Bearer ann"): return .json(#"{"items": []}"#)
                case ("lists", _): return NetworkResponse(statusCode: refusal)
                default: return .json(#"{"id": "pan", "name": "Pan"}"#)
                }
            }
        )
        let backend = ProductBackend(
            client: client,
            loader: { client in
                let lists = ListManager(
                    addProduct: { _, _ in },
                    lists: { _ in try await client.send(.get("lists")) }
                )
                return ProductLoader(load: { id in try await client.send(.get("goods", id)) })
                    .storingFavorites(inListNamed: "Favorites", of: lists)
            },
            listManager: { _ in ListManager(addProduct: { _, _ in }) }
        )
        func loader(for user: ServiceUser) -> ProductLoader {
            ProductService(backend: backend, localUser: .shopper, user: user).loader
        }
        _ = try await loader(for: .signedIn("ann") { "ann" }).loadProduct(withID: "pan")

        let guest = loader(for: .guest)
        #expect(try await !guest.loadProduct(withID: "pan").isFavorite)
        #expect(try await guest.favorites().items.isEmpty)
        let error = await #expect(throws: NetworkError.self) {
            try await loader(for: .signedIn("eve") { "eve" }).loadProduct(withID: "pan")
        }
        #expect(error?.code == (refusal == 401 ? .unauthorized : .forbidden))
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `a stored product is shown although the lists cannot be loaded`() async throws {
        shop.isDown = true
        let stored = ProductLoader(
            fetch: { id, _ in
                Fetched(Product(id: id, name: "Product"), source: .cache(asOf: .distantPast))
            },
            search: { _, _ in
                var page = Page([Product(id: "pan", name: "Product")])
                page.source = .cache(asOf: .distantPast)
                return page
            }
        )
        let loader = stored.storingFavorites(inListNamed: "Favorites", of: shop.manager)

        let product = try await loader.fetchProduct(withID: "pan", policy: .cacheFirst)
        let page = try await loader.products()

        #expect(product.source.code == .cache)
        #expect(page.items.first?.unknownMembers.contains(.isFavorite) == true)
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
        .storingFavorites(inListNamed: "Favorites", of: shop.manager)
        shop.set([ProductList(id: "1", name: "Favorites", products: ["a", "b", "c", "d"])])

        #expect(try await loader.favorites().items.map(\.id) == ["d", "c", "b", "a"])
    }

    // Rule: errors/manager-interprets-not-found (14); screen/rollback-keeps-newer-content (28)
    @MainActor @Test func `a favorite that is still in the list stays on the screen`() async throws
    {
        let list = ProductList(id: "1", name: "Favorites", products: ["pan"])
        let lines = ListLines(
            read: { id in
                let line = ListLines.Line(id: "7", product: "pan")
                return ListLines.Contents(id: id, name: list.name, lines: [line])
            },
            add: { _, _ in },
            remove: { _, _ in throw NetworkError(.notFound) }
        )
        let lists = ListManager(
            addProduct: lines.add,
            removeProduct: lines.remove,
            lists: { _ in Page([list]) }
        )
        let loader = ProductLoader(load: { id in Product(id: id, name: "Product") })
            .storingFavorites(inListNamed: "Favorites", of: lists)
        let service = ProductService(
            loader: loader,
            listManager: lists,
            localUser: LocalUser(currency: "EUR")
        )
        let screen = try await service.viewModel(forProductWithID: "pan")

        let error = await #expect(throws: NetworkError.self) {
            try await screen.toggleProductFavoriteStatus()
        }

        #expect(error?.code == .unexpected && screen.isFavorite)
        #expect(screen.lastError?.kind == .toggleFavorite)
    }

    // Rule: favorites/list-is-created-once (2)
    @Test func `a list that cannot be decoded is not created again`() async throws {
        let lists = ListManager(
            addProduct: { _, _ in },
            lists: { _ in
                let invalid = #"{"items": [{"id": "1", "name": "Favorites", "products": [{}]}]}"#
                return try NetworkResponse(body: Data(invalid.utf8)).json()
            },
            create: { id, name in
                Issue.record("A list was created.")
                return ProductList(id: id, name: name)
            }
        )
        let loader = ProductLoader(load: { id in Product(id: id, name: "Product") })
            .storingFavorites(inListNamed: "Favorites", of: lists)

        let error = await #expect(throws: NetworkError.self) {
            _ = try await loader.setFavoriteStatus(true, forProductWithID: "pan")
        }

        #expect(error?.code == .unreadable)
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
        let loader = ProductLoader(load: { id in Product(id: id, name: "Product") })
            .storingFavorites(inListNamed: "Favorites", of: manager)

        let product = try await loader.setFavoriteStatus(true, forProductWithID: "pan")

        #expect(product?.isFavorite == true)
        #expect(lists.withLock(\.self).map(\.products) == [["pan"]])
    }

    // Rule: favorites/list-is-created-once (2)
    @Test func `two users at the same time get a list each`() async throws {
        let gate = ActionGate<Void>()
        let lists = Mutex<[String: ProductList]>([:])
        let manager = ListManager(
            addProduct: { product, list in
                lists.withLock { $0[list.rawValue]?.products.append(product) }
            },
            lists: { _ in Page(lists.withLock { $0[Self.user].map { [$0] } ?? [] }) },
            create: { _, name in
                let list = ProductList(id: Identifier(Self.user), name: name)
                try await gate.hold()
                lists.withLock { $0[Self.user] = list }
                return list
            }
        )
        let loader = ProductLoader(load: { id in Product(id: id, name: "Product") })
            .storingFavorites(inListNamed: "Favorites", of: manager)
        let executor = SerialTaskExecutor()
        let edits = [("ann", "pan"), ("bob", "pot")].map { user, product in
            Self.$user.withValue(user) {
                Task(executorPreference: executor) {
                    try await loader.setFavoriteStatus(true, forProductWithID: Product.ID(product))
                }
            }
        }
        await gate.waitForCalls(1)
        await executor.waitUntilIdle()
        gate.open()
        for edit in edits { _ = try await edit.value }

        #expect(lists.withLock(\.self).mapValues(\.products) == ["ann": ["pan"], "bob": ["pot"]])
    }

    @TaskLocal private static var user = "guest"

    // Rule: favorites/list-is-created-once (2)
    @Test func `a caller continues if the one that creates the list is cancelled or fails`()
        async throws
    {
        let gate = ActionGate<Void>()
        let calls = Counter()
        shop.beforeCreation = {
            guard calls.next() > 1 else { try await gate.hold(); throw NetworkError(.rejected) }
        }
        let loader = shop.loader
        let executor = SerialTaskExecutor()
        let edits = ["pan", "pot", "cup"].map { id in
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
        _ = try await edits[2].value
        #expect(shop.lists.map(\.products) == [["cup"]])
    }

    // Rule: favorites/list-is-hidden (5)
    @Test func `with several pages, the number of lists is not known`() async throws {
        let lists = ListManager(
            addProduct: { _, _ in },
            lists: { _ in Page([ProductList(id: "1", name: "Camp")], next: "2", total: 4) }
        )

        #expect(try await lists.hidingLists(named: "Favorites").lists().total == nil)
    }

    // Rule: favorites/list-is-hidden (5)
    @Test func `the list of favorites is not among the user's lists`() async throws {
        shop.set([
            ProductList(id: "1", name: "Favorites", products: ["pan"]),
            ProductList(id: "2", name: "Camp"),
        ])

        let page = try await shop.manager.hidingLists(named: "Favorites").lists()

        #expect(page.items.map(\.name) == ["Camp"])
        #expect(page.total == 1)
    }

    // Rule: favorites/products-of-the-list (1)
    @Test(arguments: [
        NetworkError.Code.unreachable, .timedOut, .connectionLost, .incomplete, .unavailable,
        .throttled,
    ])
    func `while the lists cannot be loaded, the favorite status is unknown`(
        code: NetworkError.Code
    ) async throws {
        let lists = ListManager(addProduct: { _, _ in }, lists: { _ in throw NetworkError(code) })
        let loader = ProductLoader(
            load: { id in Product(id: id, name: "Product") },
            search: { _, _ in Page([Product(id: "pan", name: "Product")]) }
        )
        .storingFavorites(inListNamed: "Favorites", of: lists)

        let product = try await loader.loadProduct(withID: "pan")
        let page = try await loader.products()

        #expect(product.unknownMembers == .isFavorite && !product.isFavorite)
        #expect(page.items.map(\.unknownMembers) == [.isFavorite])
        await #expect(throws: NetworkError.self) {
            try await loader.setFavoriteStatus(true, forProductWithID: "pan")
        }
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `a status that was confirmed is known, although the lists cannot be loaded`()
        async throws
    {
        let isDown = Mutex(false)
        let list = ProductList(id: "1", name: "Favorites", products: ["pan"])
        let lists = ListManager(
            addProduct: { _, _ in isDown.withLock { $0 = true } },
            lists: { _ in
                guard isDown.withLock({ !$0 }) else { throw NetworkError(.throttled) }
                return Page([list])
            }
        )
        let loader = ProductLoader(load: { id in Product(id: id, name: "Product") })
            .storingFavorites(inListNamed: "Favorites", of: lists)

        let product = try await loader.setFavoriteStatus(true, forProductWithID: "pot")

        #expect(product?.isFavorite == true && product?.unknownMembers.isEmpty == true)
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `a favorite that is known from the cache stays one`() async throws {
        let lists = ListManager(
            addProduct: { _, _ in },
            lists: { _ in
                guard FetchPolicy.current == .cacheOnly else { throw NetworkError(.throttled) }
                return Page([ProductList(id: "1", name: "Favorites", products: ["pan"])])
            }
        )
        let names = Counter()
        let loader = ProductLoader(fetch: { id, policy in
            let product = Product(id: id, name: "Product \(names.next())")
            let isStored = policy == .cacheOnly
            return Fetched(product, source: isStored ? .cache(asOf: .distantPast) : .network)
        })
        .storingFavorites(inListNamed: "Favorites", of: lists)

        var statuses: [Bool] = []
        for try await fetched in loader.values(ofProductWithID: "pan") {
            statuses.append(fetched.value.isFavorite)
        }

        #expect(statuses == [true, true])
    }

    // Rule: favorites/products-of-the-list (1)
    @Test(arguments: [
        NetworkError.Code.forbidden, .notFound, .rejected, .unexpected, .unreadable, .redirect,
    ])
    func `if the lists are refused, a product is an error`(code: NetworkError.Code) async throws {
        let lists = ListManager(addProduct: { _, _ in }, lists: { _ in throw NetworkError(code) })
        let loader = ProductLoader(load: { id in Product(id: id, name: "Product") })
            .storingFavorites(inListNamed: "Favorites", of: lists)

        let error = await #expect(throws: NetworkError.self) {
            try await loader.loadProduct(withID: "pan")
        }

        #expect(error?.code == code)
    }
}
