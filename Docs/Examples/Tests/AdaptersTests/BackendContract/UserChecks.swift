import Foundation
import ProductKit
import Testing

/// Several users of one device, each with a service of their own.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UserChecks {
    private static let backends = TestedBackend.supporting([.favorites, .allLists])

    @Test(arguments: TestedBackend.all)
    func `each request is signed for the user of its service`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)

        for user in ["ann", nil, "bob", "ann"] {
            let count = shopper.shop.requests.count
            let loader = shopper.session(of: user).loader
            let load = { _ = try await loader.loadProduct(withID: "1") }
            if user == nil, !backend.features.contains(.guests) {
                await #expect(throws: NetworkError.self) { try await load() }
            } else {
                try await load()
            }
            let requests = shopper.shop.requests.dropFirst(count)
            #expect(!requests.isEmpty)
            #expect(requests.allSatisfy { $0.user == user })
        }
    }

    @Test(arguments: backends)
    func `another user of the device sees nothing of the first`(
        backend: TestedBackend
    ) async throws {
        let ann = Shopper(backend)
        let bob = ann.session(of: "bob")
        ann.shop.readHeaders = ["Cache-Control": "max-age=3600"]
        try await ann.makeFavorite()

        let stored = await #expect(throws: NetworkError.self) {
            try await bob.loader.fetchProduct(withID: "1", policy: .cacheOnly)
        }
        #expect(stored?.code == .notCached)
        let bobs = try await bob.loader.fetchProduct(withID: "1", policy: .cacheFirst)
        #expect(bobs.source.code == .network)
        #expect(!bobs.value.isFavorite)
        #expect(try await bob.loader.favorites().items.isEmpty)
        #expect(try await bob.lists.allLists().items.isEmpty)

        let anns = try await ann.loader.fetchProduct(withID: "1", policy: .cacheFirst)
        #expect(anns.value.isFavorite)
        #expect(try await ann.loader.favorites().items.map(\.id) == ["1"])
    }

    @Test(arguments: backends.filter { $0.features.contains(.guests) })
    func `a guest after a signed-in user has no favorites, but products`(
        backend: TestedBackend
    ) async throws {
        let ann = Shopper(backend)
        let guest = ann.session(of: nil)
        try await ann.makeFavorite()

        let product = try await guest.loader.loadProduct(withID: "1")
        let page = try await guest.loader.products()
        let favorites = try await guest.loader.favorites()
        let error = await #expect(throws: NetworkError.self) {
            try await guest.loader.setFavoriteStatus(true, forProductWithID: "2")
        }

        #expect(!product.isFavorite)
        #expect(page.items.map(\.isFavorite) == [false, false, false, false, false])
        #expect(favorites.items.isEmpty)
        #expect(error?.code == .unauthorized)
        #expect(ann.shop.lineCount == 1)
    }

    @Test(arguments: backends)
    func `a guest after a signed-in user finds nothing of that user offline`(
        backend: TestedBackend
    ) async throws {
        let ann = Shopper(backend)
        let guest = ann.session(of: nil)
        try await ann.makeFavorite()
        ann.shop.isOnline = false

        for policy in [FetchPolicy.standard, .cacheFirst, .networkFirst, .cacheOnly] {
            let error = await #expect(throws: NetworkError.self) {
                try await guest.loader.fetchProduct(withID: "1", policy: policy)
            }
            #expect(error?.code == (policy == .cacheOnly ? .notCached : .unreachable))
        }
    }

    @Test(arguments: backends)
    func `favorites that two users set at the same time belong to each of them`(
        backend: TestedBackend
    ) async throws {
        let ann = Shopper(backend)
        let users = [(ann, "1"), (ann.session(of: "bob"), "2")] as [(Shopper, Product.ID)]

        try await withThrowingTaskGroup { group in
            for (user, id) in users {
                group.addTask {
                    _ = try await user.loader.setFavoriteStatus(true, forProductWithID: id)
                }
            }
            try await group.waitForAll()
        }

        for (user, id) in users {
            #expect(try await user.loader.favorites().items.map(\.id) == [id])
        }
    }
}

extension Shopper {
    /// Makes a product the user’s favorite, and stores it.
    fileprivate func makeFavorite() async throws {
        _ = try await loader.setFavoriteStatus(true, forProductWithID: "1")
        _ = try await loader.loadProduct(withID: "1")
        _ = try await loader.products()
        _ = try await lists.createList(named: "Camp")
    }
}
