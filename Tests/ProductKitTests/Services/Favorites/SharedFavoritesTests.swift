import Foundation
import ProductKit
import Testing

/// Favorites in lists, with the services of several users over one backend.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SharedFavoritesTests {
    private let shop = Shop()

    // Rule: favorites/list-is-created-once (2)
    @Test func `a user does not get the failure of another one`() async throws {
        let backend = backend()
        let gate = ActionGate<Void>()
        shop.respond = { request, carryOut in
            guard request.createsList, request.token == "ann" else { return try carryOut() }
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
        shop.respond = { request, carryOut in
            if request.createsList { try await gate.hold() }
            return try carryOut()
        }
        let backend = backend()
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
        let backend = backend()
        _ = try await backend.service(of: "ann").loader.loadProduct(withID: "pan")
        refuseLists(refusal) { _ in true }

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
        let guest = backend().service(of: .guest).loader
        let product = try await guest.setFavoriteStatus(true, forProductWithID: "pan")
        refuseLists { $0 == nil }

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
        refuseLists { _ in true }
        let loader = backend(effects: ManualClock().effects()).service(of: guest).loader

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
        refuseLists { _ in true }
        let loader = backend().service(of: guest).loader
        #expect(try await !loader.loadProduct(withID: "pan").isFavorite)
        await expectNetworkError(.unauthorized) {
            try await loader.setFavoriteStatus(true, forProductWithID: "pan")
        }
        refuseLists { _ in false }

        _ = try await loader.setFavoriteStatus(true, forProductWithID: "pan")

        #expect(try await loader.loadProduct(withID: "pan").isFavorite)
    }

    // Rule: favorites/guests-have-none (4)
    @Test func `an expired session is an error if the transport signs the requests`() async throws {
        refuseLists { _ in true }
        let signing = ClosureBehavior(intercept: { request, next in
            guard request.url.lastPathComponent == "lists" else { return try await next(request) }
            throw NetworkError(.unauthorized)
        })
        func loader(of user: ServiceUser, _ behaviors: [any RequestBehavior]) -> ProductLoader {
            backend().service(of: user).with(behaviors: behaviors).loader
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
        let backend = backend(cache: ResponseCache())
        let service = backend.service(of: "ann")
        _ = try await service.loader.setFavoriteStatus(true, forProductWithID: "pan")
        let known = try await service.loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        let screen = try await service.viewModel(forProductWithID: "pan", policy: .cacheOnly)
        service.invalidate(.api.appending(path: "lists"))
        shop.respond = { _, _ in throw NetworkError(.unreachable) }

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
        let service = backend(cache: ResponseCache()).service(of: "ann")
        _ = try await service.loader.setFavoriteStatus(true, forProductWithID: "pan")
        shop.respond = { request, carryOut in
            guard request.isForLists else { throw NetworkError(.unreachable) }
            return try carryOut()
        }

        let page = try await service.loader.favorites()

        #expect(page.items.map(\.id) == ["pan"] && page.source.code == .staleIfError)
        #expect((page.source.failure as? NetworkError)?.code == .unreachable)
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `favorites that were loaded by themselves are found offline`() async throws {
        let service = backend(cache: ResponseCache()).service(of: "ann")
        for id in ["pan", "pot"] as [Product.ID] {
            _ = try await service.loader.setFavoriteStatus(true, forProductWithID: id)
        }
        _ = try await service.loader.loadProduct(withID: "pan")
        shop.respond = { _, _ in throw NetworkError(.unreachable) }

        let count = shop.received.count
        let page = try await service.loader.favorites()

        #expect(shop.received.count == count + 2)
        #expect(page.items.map(\.id) == ["pot", "pan"] && page.source.code == .staleIfError)
        #expect(page.items.map(\.isFavorite) == [true, true])
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `favorites that a write has invalidated are found offline`() async throws {
        let cache = ResponseCache()
        let service = backend(cache: cache, related: nil).service(of: "ann")
        for id in ["pan", "pot"] as [Product.ID] {
            _ = try await service.loader.setFavoriteStatus(true, forProductWithID: id)
        }
        shop.respond = { _, _ in throw NetworkError(.unreachable) }

        let count = shop.received.count
        let page = try await service.loader.favorites()

        #expect(shop.received.count == count + 2)
        #expect(page.items.map(\.id) == ["pot", "pan"] && page.source.code == .staleIfError)
        await expectNetworkError(.notCached) {
            try await service.loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        }
    }

    /// Lets the shop refuse the requests for lists with some tokens.
    private func refuseLists(
        _ statusCode: Int = 401,
        if isRefused: @escaping @Sendable (_ token: String?) -> Bool
    ) {
        shop.respond = { request, carryOut in
            guard request.isForLists, isRefused(request.token) else { return try carryOut() }
            return NetworkResponse(statusCode: statusCode)
        }
    }

    private func backend(
        cache: ResponseCache? = nil,
        related: (@Sendable (URL) -> [URL])? = { url in [url.deletingLastPathComponent()] },
        effects: SystemEffects = SystemEffects()
    ) -> ProductBackend {
        ProductBackend(
            client: NetworkClient(baseURL: .api, networking: shop.networking),
            cache: cache,
            related: related,
            retry: RetryBehavior(attempts: 1),
            effects: effects,
            loader: { client in
                .shop(client).storingFavorites(in: .shop(client, canLoadOne: false))
            },
            listManager: { .shop($0, canLoadOne: false) }
        )
    }
}

extension URLRequest {
    fileprivate var isForLists: Bool { Shop.path(of: self).hasPrefix("lists") }
    fileprivate var createsList: Bool { line == "POST https://api.example.com/v1/lists" }
}
