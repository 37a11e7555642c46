import Foundation
import ProductKit
import Testing

/// Signing out and other users, with every adapter.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SignOutChecks {
    @Test(arguments: TestedBackend.all)
    func `signing out leaves nothing readable`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        _ = try await shopper.loader.loadProduct(withID: "1")
        _ = try await shopper.loader.products()
        if let cache = shopper.cache {
            #expect(cache.contentsDescription().contains(URL.store.absoluteString))
        }

        await shopper.service.signOut()

        for policy in [FetchPolicy.cacheOnly, .cacheFirst, .networkFirst] {
            await #expect(throws: TokenError.sessionEnded) {
                try await shopper.loader.fetchProduct(withID: "1", policy: policy)
            }
        }
        for user in ["ann", "bob", nil] {
            let next = shopper.session(of: user)
            let error = await #expect(throws: NetworkError.self) {
                try await next.loader.fetchProduct(withID: "1", policy: .cacheOnly)
            }
            #expect(error?.code == .notCached)
        }
        let rest = shopper.cache?.contentsDescription() ?? ""
        #expect(!rest.contains(URL.store.absoluteString))
    }

    @Test(arguments: TestedBackend.all)
    func `signing out ends a request, and its response is not stored`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let held = shopper.shop.hold()
        let load = Task { try await shopper.loader.loadProduct(withID: "1") }
        await shopper.shop.waitForRequest()

        await shopper.service.signOut()

        await #expect(throws: CancellationError.self) { try await load.value }
        held.finish()
        let error = await #expect(throws: NetworkError.self) {
            try await shopper.session(of: "ann").loader
                .fetchProduct(withID: "1", policy: .cacheOnly)
        }
        #expect(error?.code == .notCached)
    }

    @Test(arguments: TestedBackend.all)
    func `no write is sent after signing out`(backend: TestedBackend) async {
        let shopper = Shopper(backend)
        await shopper.service.signOut()

        _ = try? await shopper.lists.createList(named: "Camp")
        try? await shopper.lists.addProduct(withID: "1", toListWithID: "2")
        _ = try? await shopper.loader.setFavoriteStatus(true, forProductWithID: "1")

        #expect(shopper.shop.requests.isEmpty)
    }

    @Test(arguments: TestedBackend.all)
    func `another user sees nothing of the first`(backend: TestedBackend) async throws {
        let ann = Shopper(backend)
        _ = try await ann.loader.loadProduct(withID: "1")
        if backend.features.contains(.favorites) {
            _ = try await ann.loader.setFavoriteStatus(true, forProductWithID: "1")
        }
        let bob = ann.session(of: "bob")

        let stored = await #expect(throws: NetworkError.self) {
            try await bob.loader.fetchProduct(withID: "1", policy: .cacheOnly)
        }
        let first = try await bob.loader.fetchProduct(withID: "1", policy: .cacheFirst)

        #expect(stored?.code == .notCached)
        #expect(first.source.code == .network)
        #expect(!first.value.isFavorite)
        #expect(try await !bob.loader.products().items.contains(where: \.isFavorite))
        if backend.features.contains(.favorites) {
            #expect(try await bob.loader.favorites().items.isEmpty)
            #expect(try await ann.loader.favorites().items.map(\.id) == ["1"])
        }
        if backend.features.contains(.allLists) {
            _ = try await ann.lists.createList(named: "Camp")
            #expect(try await bob.lists.allLists().items.isEmpty)
        }
    }

    @Test(arguments: TestedBackend.cached)
    func `the next session of the same user finds the stored products`(
        backend: TestedBackend
    ) async throws {
        let first = Shopper(backend)
        _ = try await first.loader.loadProduct(withID: "1")

        let product = try await first.session(of: "ann").loader
            .fetchProduct(withID: "1", policy: .cacheOnly)

        #expect(product.source.code == .cache)
    }

    @Test(arguments: TestedBackend.cached)
    func `the cache contains no token`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend, user: "s3cret-token")
        _ = try await shopper.loader.loadProduct(withID: "1")

        let requests = shopper.shop.requests
        let text = shopper.cache?.contentsDescription() ?? ""

        #expect(requests.allSatisfy { $0.user == "s3cret-token" })
        #expect(!text.replacing("partition “user s3cret-token”", with: "").contains("s3cret"))
    }

    @Test(arguments: TestedBackend.supporting(.lists))
    func `signing out ends a write, which is not sent again`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let held = shopper.shop.hold()
        let creation = Task { try await shopper.lists.createList(named: "Camp") }
        await shopper.shop.waitForRequest()

        await shopper.service.signOut()

        await #expect(throws: CancellationError.self) { try await creation.value }
        held.finish()
        // It may be a read that precedes the write.
        #expect(shopper.shop.requests.count == 1)
        #expect(shopper.shop.writes.isEmpty)
    }
}
