import Foundation
import ProductKit
import Testing

/// Several users of one service, whose token comes from a task-local value, as in a server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UserChecks {
    private static let backends = TestedBackend.supporting([.favorites, .allLists])

    @Test(arguments: TestedBackend.all)
    func `each request is signed for the user of its task`(backend: TestedBackend) async throws {
        let shopper = Shopper.ofEachTask(backend)

        for user in ["ann", nil, "bob", "ann"] {
            let count = shopper.shop.requests.count
            try await CurrentUser.$name.withValue(user) {
                let load = { _ = try await shopper.loader.loadProduct(withID: "1") }
                guard user == nil, !backend.features.contains(.guests) else {
                    return try await load()
                }
                await #expect(throws: NetworkError.self) { try await load() }
            }
            let requests = shopper.shop.requests.dropFirst(count)
            #expect(!requests.isEmpty)
            #expect(requests.allSatisfy { $0.user == user })
        }
    }

    @Test(arguments: backends)
    func `another user of the service sees nothing of the first`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper.ofEachTask(backend)
        shopper.shop.readHeaders = ["Cache-Control": "max-age=3600"]
        try await shopper.makeFavorite(of: "ann")

        try await CurrentUser.$name.withValue("bob") {
            let stored = await #expect(throws: NetworkError.self) {
                try await shopper.loader.fetchProduct(withID: "1", policy: .cacheOnly)
            }
            #expect(stored?.code == .notCached)
            let product = try await shopper.loader.fetchProduct(withID: "1", policy: .cacheFirst)
            #expect(product.source.code == .network)
            #expect(!product.value.isFavorite)
            #expect(try await shopper.loader.favorites().items.isEmpty)
            #expect(try await shopper.lists.allLists().items.isEmpty)
        }

        try await CurrentUser.$name.withValue("ann") {
            let product = try await shopper.loader.fetchProduct(withID: "1", policy: .cacheFirst)
            #expect(product.value.isFavorite)
            #expect(try await shopper.loader.favorites().items.map(\.id) == ["1"])
        }
    }

    @Test(arguments: backends.filter { $0.features.contains(.guests) })
    func `a guest after a signed-in user has no favorites, but products`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper.ofEachTask(backend)
        try await shopper.makeFavorite(of: "ann")

        let product = try await shopper.loader.loadProduct(withID: "1")
        let page = try await shopper.loader.products()
        let favorites = try await shopper.loader.favorites()
        let error = await #expect(throws: NetworkError.self) {
            try await shopper.loader.setFavoriteStatus(true, forProductWithID: "2")
        }

        #expect(!product.isFavorite)
        #expect(page.items.map(\.isFavorite) == [false, false, false, false, false])
        #expect(favorites.items.isEmpty)
        #expect(error?.code == .unauthorized)
        #expect(shopper.shop.lineCount == 1)
    }

    @Test(arguments: backends)
    func `a guest after a signed-in user finds nothing of that user offline`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper.ofEachTask(backend)
        try await shopper.makeFavorite(of: "ann")
        shopper.shop.isOnline = false

        for policy in [FetchPolicy.standard, .cacheFirst, .networkFirst, .cacheOnly] {
            let error = await #expect(throws: NetworkError.self) {
                try await shopper.loader.fetchProduct(withID: "1", policy: policy)
            }
            #expect(error?.code == (policy == .cacheOnly ? .notCached : .unreachable))
        }
    }

    @Test(arguments: backends)
    func `favorites that two users set at the same time belong to each of them`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper.ofEachTask(backend)
        let users = [("ann", "1"), ("bob", "2")] as [(String, Product.ID)]

        try await withThrowingTaskGroup { group in
            for (user, id) in users {
                group.addTask {
                    try await CurrentUser.$name.withValue(user) {
                        _ = try await shopper.loader.setFavoriteStatus(true, forProductWithID: id)
                    }
                }
            }
            try await group.waitForAll()
        }

        for (user, id) in users {
            let favorites = try await CurrentUser.$name.withValue(user) {
                try await shopper.loader.favorites()
            }
            #expect(favorites.items.map(\.id) == [id])
        }
    }
}

/// The user of the current task.
private enum CurrentUser {
    @TaskLocal static var name: String?
}

extension Shopper {
    /// Creates a service whose user is that of each task.
    fileprivate static func ofEachTask(_ backend: TestedBackend) -> Shopper {
        Shopper(backend, token: { CurrentUser.name.map { AccessToken($0, user: $0) } })
    }

    /// Makes a product the favorite of a user, and stores it.
    fileprivate func makeFavorite(of user: String) async throws {
        try await CurrentUser.$name.withValue(user) {
            _ = try await loader.setFavoriteStatus(true, forProductWithID: "1")
            _ = try await loader.loadProduct(withID: "1")
            _ = try await loader.products()
            _ = try await lists.createList(named: "Camp")
        }
    }
}
