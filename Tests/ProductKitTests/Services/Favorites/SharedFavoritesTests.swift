import Foundation
import ProductKit
import Synchronization
import Testing

/// Favorites in lists, with the services of several users over one backend.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SharedFavoritesTests {
    private let shop = SharedShop()

    // Rule: favorites/list-is-created-once (2)
    @Test func `a user does not get the failure of another one`() async throws {
        let backend = shop.backend()
        let gate = ActionGate<Void>()
        shop.beforeCreation = { user in
            guard user == "ann" else { return }
            try await gate.hold()
            throw NetworkError(.rejected)
        }
        func edit(by user: String) -> Task<Product?, any Error> {
            let loader = backend.service(of: user).loader
            return Task { try await loader.setFavoriteStatus(true, forProductWithID: "pan") }
        }
        let ann = edit(by: "ann")
        await gate.waitForCalls(1)

        let bob = edit(by: "bob")
        // It would be wrong to wait for the creation of the other user's list.
        #expect(try await bob.promptValue?.isFavorite == true)
        gate.open()

        await #expect(throws: NetworkError.self) { try await ann.value }
        #expect(shop.lists.map(\.user) == ["bob"])
    }

    // Rule: favorites/list-is-created-once (2)
    @Test func `a service continues if the one that creates the list signs out`() async throws {
        let gate = ActionGate<Void>()
        shop.beforeCreation = { _ in try await gate.hold() }
        let backend = shop.backend()
        let executor = SerialTaskExecutor()
        let services = (0..<4).map { _ in backend.service(of: "ann") }
        let edits = services.enumerated().map { index, service in
            Task(executorPreference: executor) {
                try await service.loader
                    .setFavoriteStatus(true, forProductWithID: Product.ID("\(index)"))
            }
        }
        await gate.waitForCalls(1)
        await executor.waitUntilIdle()

        await services[0].signOut()
        gate.open()

        await #expect(throws: CancellationError.self) { try await edits[0].value }
        for edit in edits.dropFirst() { #expect(try await edit.value?.isFavorite == true) }
        #expect(shop.lists.map { Set($0.products) } == [["1", "2", "3"]])
    }

    // Rule: favorites/guests-have-none (4)
    @Test(arguments: [(401, .unauthorized), (403, .forbidden)] as [(Int, NetworkError.Code)])
    func `a refused user gets an error from the first load on, and a guest has no favorites`(
        refusal: Int,
        code: NetworkError.Code
    ) async throws {
        let backend = shop.backend()
        _ = try await backend.service(of: "ann").loader.loadProduct(withID: "pan")
        (shop.refusal, shop.refusesUsers) = (refusal, true)

        for user in ["ann", "eve"] {
            let loader = backend.service(of: user).loader
            await expectNetworkError(code) { try await loader.loadProduct(withID: "pan") }
            await expectNetworkError(code) { try await loader.favorites() }
        }
        let guest = backend.service(of: .guest).loader
        #expect(try await !guest.loadProduct(withID: "pan").isFavorite)
        #expect(try await guest.favorites().items.isEmpty)
    }

    // Rule: favorites/guests-have-none (4)
    @Test func `a guest whose lists could be loaded before has no favorites`() async throws {
        let guest = shop.backend().service(of: .guest).loader
        shop.servesGuests = true
        let product = try await guest.setFavoriteStatus(true, forProductWithID: "pan")
        shop.servesGuests = false

        #expect(product?.isFavorite == true)
        #expect(try await !guest.loadProduct(withID: "pan").isFavorite)
        #expect(try await guest.favorites().items.isEmpty)
    }

    // Rule: favorites/guests-have-none (4)
    @Test func `lists that are refused to a guest with a token are requested once`() async throws {
        let refreshes = Lines()
        let guest = ServiceUser.guest(
            with: "g0",
            token: { AccessToken($0) },
            refresh: { login in
                refreshes.add(login ?? "none")
                return "g\(refreshes.all.count)"
            },
            onChange: { _ in }
        )
        shop.refusesUsers = true
        let loader = shop.backend(effects: ManualClock().effects()).service(of: guest).loader

        for _ in 0..<6 {
            #expect(try await !loader.loadProduct(withID: "pan").isFavorite)
            let rows = try await loader.products(matching: ProductQuery(ids: ["pan"])).items
            #expect(rows.map(\.isFavorite) == [false])
            #expect(try await loader.favorites().items.isEmpty)
        }

        #expect(refreshes.all == ["g0"])
    }

    // Rule: favorites/guests-have-none (4)
    @Test func `a guest whose lists were refused has favorites after an edit has loaded the lists`()
        async throws
    {
        let guest = ServiceUser.guest(
            with: "g0",
            token: { AccessToken($0) },
            refresh: { _ in "g1" },
            onChange: { _ in }
        )
        shop.refusesUsers = true
        let loader = shop.backend().service(of: guest).loader
        #expect(try await !loader.loadProduct(withID: "pan").isFavorite)
        await expectNetworkError(.unauthorized) {
            try await loader.setFavoriteStatus(true, forProductWithID: "pan")
        }
        shop.refusesUsers = false

        _ = try await loader.setFavoriteStatus(true, forProductWithID: "pan")

        #expect(try await loader.loadProduct(withID: "pan").isFavorite)
    }

    // Rule: favorites/guests-have-none (4)
    @Test func `an expired session is an error if the transport signs the requests`() async throws {
        shop.refusesUsers = true
        let signing = ClosureBehavior(intercept: { request, next in
            guard request.url.lastPathComponent == "lists" else { return try await next(request) }
            throw NetworkError(.unauthorized)
        })
        func loader(of user: ServiceUser, _ behaviors: [any RequestBehavior]) -> ProductLoader {
            shop.backend().service(of: user).with(behaviors: behaviors).loader
        }

        for behaviors in [[], [signing]] {
            await expectNetworkError(.unauthorized) {
                try await loader(of: .signedIn("ann"), behaviors).loadProduct(withID: "pan")
            }
            #expect(try await !loader(of: .guest, behaviors).loadProduct(withID: "pan").isFavorite)
        }
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `the favorite status of a stored product is unknown if the lists are not stored`()
        async throws
    {
        let backend = shop.backend(cache: ResponseCache())
        let service = backend.service(of: "ann")
        _ = try await service.loader.setFavoriteStatus(true, forProductWithID: "pan")
        let known = try await service.loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        let screen = try await service.viewModel(forProductWithID: "pan", policy: .cacheOnly)
        service.invalidate(.api.appending(path: "lists"))
        shop.isDown = true

        let unknown = try await service.loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        let again = try await service.viewModel(forProductWithID: "pan", policy: .cacheOnly)

        #expect(known.value.isFavorite && known.value.unknownMembers.isEmpty)
        #expect(unknown.value.unknownMembers == .isFavorite)
        let outer = ProductLoader(fetch: { id, policy in
            try await service.loader.fetchProduct(withID: id, policy: policy)
        })
        let composed = try await outer.fetchProduct(withID: "pan", policy: .cacheOnly)
        #expect(composed.value.unknownMembers == .isFavorite)
        let stars = await [screen.isFavorite, again.isFavorite]
        #expect(stars == [true, true])
        let other = try await backend.service(of: "ann")
            .viewModel(forProductWithID: "pan", policy: .cacheOnly)
        #expect(await other.product.unknownMembers == .isFavorite)
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `stored favorites have the source of a failure if only the lists can be loaded`()
        async throws
    {
        let service = shop.backend(cache: ResponseCache()).service(of: "ann")
        _ = try await service.loader.setFavoriteStatus(true, forProductWithID: "pan")
        shop.hasNoGoods = true

        let page = try await service.loader.favorites()

        #expect(page.items.map(\.id) == ["pan"] && page.source.code == .staleIfError)
        #expect((page.source.failure as? NetworkError)?.code == .unreachable)
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `favorites that were loaded by themselves are found offline`() async throws {
        let service = shop.backend(cache: ResponseCache()).service(of: "ann")
        for id in ["pan", "pot"] as [Product.ID] {
            _ = try await service.loader.setFavoriteStatus(true, forProductWithID: id)
        }
        _ = try await service.loader.loadProduct(withID: "pan")
        shop.isDown = true

        let count = shop.requestCount
        let page = try await service.loader.favorites()

        #expect(shop.requestCount == count + 2)
        #expect(page.items.map(\.id) == ["pot", "pan"] && page.source.code == .staleIfError)
        #expect(page.items.map(\.isFavorite) == [true, true])
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `favorites that a write has invalidated are found offline`() async throws {
        let cache = ResponseCache()
        let service = shop.backend(cache: cache, related: nil).service(of: "ann")
        for id in ["pan", "pot"] as [Product.ID] {
            _ = try await service.loader.setFavoriteStatus(true, forProductWithID: id)
        }
        shop.isDown = true

        let count = shop.requestCount
        let page = try await service.loader.favorites()

        #expect(shop.requestCount == count + 2)
        #expect(page.items.map(\.id) == ["pot", "pan"] && page.source.code == .staleIfError)
        await expectNetworkError(.notCached) {
            try await service.loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        }
    }
}

/// A shop with the lists of several users, whom it knows by their tokens.
@dynamicMemberLookup private final class SharedShop: Sendable {
    struct List {
        let user: String
        var products: [Product.ID] = []
    }

    struct State {
        var lists: [List] = []
        /// Whether the requests of users are refused, too, and not only those of guests.
        var refusesUsers = false
        /// Whether a guest has lists, too.
        var servesGuests = false
        /// The status code of refused requests.
        var refusal = 401
        var isDown = false
        /// Whether products cannot be loaded, but lists can.
        var hasNoGoods = false
        var requestCount = 0
        var beforeCreation: @Sendable (String) async throws -> Void = { _ in }
    }

    private let state = Mutex(State())

    subscript<Value: Sendable>(dynamicMember path: WritableKeyPath<State, Value>) -> Value {
        get { state.withLock { $0[keyPath: path] } }
        set { state.withLock { $0[keyPath: path] = newValue } }
    }

    func backend(
        cache: ResponseCache? = nil,
        related: (@Sendable (URL) -> [URL])? = { url in [url.deletingLastPathComponent()] },
        effects: SystemEffects = SystemEffects()
    ) -> ProductBackend {
        ProductBackend(
            client: NetworkClient(
                baseURL: .api,
                networking: .closure { try await self.response(to: $0) }
            ),
            cache: cache,
            related: related,
            retry: RetryBehavior(attempts: 1),
            effects: effects,
            loader: { client in
                ProductLoader(
                    load: { id in try await client.send(.get("goods", id)) },
                    search: { query, _ in
                        let ids = query.ids.map(\.rawValue).joined(separator: ",")
                        return try await client.send(.get("goods", query: ["ids": ids]))
                    }
                )
                .storingFavorites(in: Self.lists(over: client))
            },
            listManager: Self.lists
        )
    }

    @Sendable private static func lists(over client: NetworkClient) -> ListManager {
        ListManager(
            addProduct: { product, list in
                try await client.send(.put("lists", list, product))
            },
            lists: { _ in try await client.send(.get("lists")) },
            create: { _, name in
                try await client.send(
                    NetworkRequest<ProductList>.post("lists").json(["name": name])
                )
            }
        )
    }

    private func response(to request: URLRequest) async throws -> NetworkResponse {
        state.withLock { $0.requestCount += 1 }
        guard !self.isDown else { throw NetworkError(.unreachable) }
        let path = request.url?.pathComponents.dropFirst(2).map(\.self) ?? []
        guard path.first == "lists" else {
            guard !self.hasNoGoods else { throw NetworkError(.unreachable) }
            return .json(products(in: request.url))
        }
        let token = request.value(forHTTPHeaderField: "Authorization")
        let name = token?.split(separator: " ").last.map(String.init)
        guard let user = name ?? (self.servesGuests ? "guest" : nil), !self.refusesUsers else {
            return NetworkResponse(statusCode: self.refusal)
        }
        switch request.httpMethod {
        case "POST":
            try await self.beforeCreation(user)
            state.withLock { $0.lists.append(List(user: user)) }
            return .json(#"{"id": "\#(user)", "name": "Favorites"}"#)
        case "PUT":
            state.withLock { state in
                let index = state.lists.firstIndex { $0.user == path[1] }
                if let index { state.lists[index].products.append(Product.ID(path[2])) }
            }
            return NetworkResponse(statusCode: 204)
        default:
            let items = self.lists.filter { $0.user == user }.map { list in
                let products = list.products.map { #""\#($0)""# }.joined(separator: ",")
                return #"{"id": "\#(user)", "name": "Favorites", "products": [\#(products)]}"#
            }
            return .json(#"{"items": [\#(items.joined(separator: ","))]}"#)
        }
    }

    private func products(in url: URL?) -> String {
        let components = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        guard let ids = components?.queryItems?.first?.value else {
            return #"{"id": "\#(url?.lastPathComponent ?? "")", "name": "Product"}"#
        }
        let items = ids.split(separator: ",").map { #"{"id": "\#($0)", "name": "Product"}"# }
        return #"{"items": [\#(items.joined(separator: ","))]}"#
    }
}
