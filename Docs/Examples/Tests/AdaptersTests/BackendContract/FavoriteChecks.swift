import Foundation
import ProductKit
import Testing

/// Favorites, with every adapter that supports them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FavoriteChecks {
    private static let backends = TestedBackend.supporting(.favorites)

    @Test(arguments: backends)
    func `a favorite survives a reload and is listed`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)

        let product = try await shopper.loader.setFavoriteStatus(true, forProductWithID: "2")

        #expect(product?.isFavorite == true)
        for policy in [FetchPolicy.cacheFirst, .networkFirst, .revalidate, .reload] {
            let loaded = try await shopper.loader.fetchProduct(withID: "2", policy: policy)
            #expect(loaded.value.isFavorite)
        }
        let page = try await shopper.loader.products()
        #expect(page.items.filter(\.isFavorite).map(\.id) == ["2"])
        #expect(try await shopper.loader.favorites().items.map(\.id) == ["2"])
    }

    @Test(arguments: backends)
    func `setting a favorite twice is one change, and so is its removal`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)

        for _ in 1...2 {
            _ = try await shopper.loader.setFavoriteStatus(true, forProductWithID: "1")
        }
        #expect(shopper.shop.lineCount == 1)
        let writeCount = shopper.shop.writes.count
        for _ in 1...2 {
            let product = try await shopper.loader.setFavoriteStatus(false, forProductWithID: "1")
            #expect(product?.isFavorite == false)
        }

        #expect(shopper.shop.lineCount == 0)
        #expect(shopper.shop.writes.count == writeCount + (backend.hasIdempotentWrites ? 2 : 1))
        #expect(try await shopper.loader.favorites().items.isEmpty)
    }

    @Test(arguments: backends)
    func `favorites are listed with the newest first`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        for id in ["3", "1", "5"] as [Product.ID] {
            _ = try await shopper.loader.setFavoriteStatus(true, forProductWithID: id)
        }

        let page = try await shopper.loader.favorites()

        #expect(page.items.map(\.id) == ["5", "1", "3"])
        #expect(page.items.allSatisfy { $0.isFavorite })
        #expect(page.next == nil)
    }

    @Test(arguments: TestedBackend.supporting([.favorites, .allLists]))
    func `the list that stores the favorites is hidden`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        _ = try await shopper.loader.setFavoriteStatus(true, forProductWithID: "1")
        _ = try await shopper.lists.createList(named: "Camp")

        #expect(try await shopper.lists.allLists().items.map(\.name) == ["Camp"])
    }

    @Test(arguments: backends)
    func `a missing product cannot become a favorite`(backend: TestedBackend) async {
        let shopper = Shopper(backend)

        await #expect(throws: ProductError.notFound("9")) {
            try await shopper.loader.setFavoriteStatus(true, forProductWithID: "9")
        }
        #expect(shopper.shop.lineCount == 0)
    }

    @Test(arguments: backends)
    func `no favorite changes offline`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        _ = try await shopper.loader.setFavoriteStatus(true, forProductWithID: "1")
        _ = try await shopper.loader.products()
        let writeCount = shopper.shop.writes.count
        shopper.shop.isOnline = false

        for (id, isFavorite) in [("1", false), ("1", true), ("2", true)] {
            let error = await #expect(throws: NetworkError.self) {
                try await shopper.loader
                    .setFavoriteStatus(isFavorite, forProductWithID: Product.ID(id))
            }
            #expect(error?.code == .unreachable)
        }

        #expect(shopper.shop.writes.count == writeCount)
        #expect(shopper.shop.lineCount == 1)
    }

    @Test(arguments: backends.filter(\.hasCache))
    func `favorites are shown offline as they were, and report it`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        _ = try await shopper.loader.setFavoriteStatus(true, forProductWithID: "1")
        _ = try await shopper.loader.loadProduct(withID: "1")
        let page = try await shopper.loader.products()
        let favorites = try await shopper.loader.favorites()
        shopper.shop.isOnline = false

        let product = try await shopper.loader.fetchProduct(withID: "1", policy: .networkFirst)
        let offlinePage = try await shopper.loader.products()
        let offlineFavorites = try await shopper.loader.favorites()

        #expect(product.value.isFavorite)
        #expect(product.source.code == .staleIfError)
        #expect(offlinePage.items == page.items)
        #expect(offlinePage.source.code == .staleIfError)
        #expect(offlineFavorites.items == favorites.items)
        #expect(offlineFavorites.source.code == .staleIfError)
    }

    @Test(arguments: TestedBackend.supporting(.guests))
    func `guests have no favorites, but products`(backend: TestedBackend) async throws {
        let guest = Shopper(backend, user: nil)

        let product = try await guest.loader.loadProduct(withID: "1")
        let page = try await guest.loader.products()

        #expect(!product.isFavorite)
        #expect(page.items.count == 5)
        let error = await #expect(throws: (any Error).self) {
            try await guest.loader.setFavoriteStatus(true, forProductWithID: "1")
        }
        #expect(error is UnsupportedOperation || (error as? NetworkError)?.code == .unauthorized)
        #expect(guest.shop.lineCount == 0)
    }

    @Test(arguments: TestedBackend.lacking(.guests))
    func `a shop that requires a token has nothing for guests`(backend: TestedBackend) async {
        let guest = Shopper(backend, user: nil)
        let operations: [@Sendable () async throws -> Void] = [
            { _ = try await guest.loader.loadProduct(withID: "1") },
            { _ = try await guest.loader.products() },
            { _ = try await guest.loader.favorites() },
            { _ = try await guest.loader.setFavoriteStatus(true, forProductWithID: "1") },
            { _ = try await guest.lists.lists() },
        ]
        for operation in operations {
            let error = await #expect(throws: NetworkError.self) { try await operation() }
            #expect(error?.code == .unauthorized)
        }
        #expect(guest.shop.lineCount == 0)
    }

    @Test(arguments: TestedBackend.lacking(.favorites))
    func `favorites that the shop does not have are unsupported`(backend: TestedBackend) async {
        let shopper = Shopper(backend)

        await #expect(throws: UnsupportedOperation("favorites")) {
            try await shopper.loader.favorites()
        }
        await #expect(throws: UnsupportedOperation("setFavorite")) {
            try await shopper.loader.setFavoriteStatus(true, forProductWithID: "1")
        }
        #expect(shopper.shop.requests.isEmpty)
    }

    @Test(arguments: backends)
    func `favorites set at the same time create one list`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)

        try await withThrowingTaskGroup { group in
            for id in ["1", "2", "3"] as [Product.ID] {
                group.addTask {
                    _ = try await shopper.loader.setFavoriteStatus(true, forProductWithID: id)
                }
            }
            try await group.waitForAll()
        }

        #expect(shopper.shop.content.lists.count { !$0.lines.isEmpty } == 1)
        #expect(Set(try await shopper.loader.favorites().items.map(\.id)) == ["1", "2", "3"])
    }

    @Test(arguments: TestedBackend.supporting([.favoritesInList, .allLists]))
    func `the favorites of several lists with the name are merged`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        shopper.shop.content.lists = [["1", "2"], ["2", "3"]].enumerated().map { number, ids in
            FakeShop.List(
                id: "f\(number)",
                owner: "ann",
                name: "Favorites",
                lines: ids.map { ("\(number)-\($0)", $0) }
            )
        }

        let favorites = try await shopper.loader.favorites()
        let product = try await shopper.loader.setFavoriteStatus(false, forProductWithID: "2")

        #expect(favorites.items.map(\.id) == ["3", "2", "1"])
        #expect(product?.isFavorite == false)
        #expect(shopper.shop.lineCount == 2)
    }

    @Test(arguments: backends)
    func `many favorites are on several pages`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        shopper.shop.content.items = (1...25).map { FakeShop.Item(id: "\($0)", name: "Mug \($0)") }
        _ = try await shopper.loader.setFavoriteStatus(true, forProductWithID: "1")
        let index = try #require(shopper.shop.content.lists.firstIndex { !$0.lines.isEmpty })
        shopper.shop.content.lists[index].lines = (1...25).map { ("l\($0)", "\($0)") }

        let first = try await shopper.loader.favorites()
        let second = try await shopper.loader.favorites(after: first.next)

        #expect(first.items.count == 20)
        #expect((first.items + second.items).map(\.id) == (1...25).reversed().map { "\($0)" })
        #expect(second.next == nil)
        #expect(second.total == 25)
    }

    @Test(arguments: TestedBackend.supporting(.favoritesInList))
    func `a stored product does not show a favorite status from before a change`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        _ = try await shopper.loader.setFavoriteStatus(true, forProductWithID: "1")
        let list = try #require(shopper.shop.content.lists.first { !$0.lines.isEmpty })

        try await shopper.lists
            .removeProduct(withID: "1", fromListWithID: ProductList.ID(list.id))
        let product = try await shopper.loader.fetchProduct(withID: "1", policy: .cacheFirst)

        #expect(!product.value.isFavorite)
    }

    @Test(arguments: backends)
    func `favorites that no longer exist are left out, also if all are, and can be removed`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        for id in ["1", "2"] as [Product.ID] {
            _ = try await shopper.loader.setFavoriteStatus(true, forProductWithID: id)
        }

        shopper.shop.content.items.removeFirst()
        let left = try await shopper.loader.favorites()
        shopper.shop.content.items = []
        let none = try await shopper.loader.favorites()
        for id in ["1", "2"] as [Product.ID] {
            _ = try? await shopper.loader.setFavoriteStatus(false, forProductWithID: id)
        }

        #expect(left.items.map(\.id) == ["2"])
        #expect(none.items.isEmpty)
        #expect(none.next == nil)
        #expect(left.rejected.isEmpty && none.rejected.isEmpty)
        #expect(shopper.shop.lineCount == 0)
    }

    @Test(
        arguments: TestedBackend.supporting(.favoritesInList),
        [[26], [45, 30, 26], Array(26...45)]
    )
    func `the next page of favorites begins after those that are left of the first`(
        backend: TestedBackend,
        removed: [Int]
    ) async throws {
        let shopper = Shopper(backend)
        shopper.shop.content.items = (1...45).map { FakeShop.Item(id: "\($0)", name: "Mug \($0)") }
        _ = try await shopper.loader.setFavoriteStatus(true, forProductWithID: "1")
        let index = try #require(shopper.shop.content.lists.firstIndex { !$0.lines.isEmpty })
        shopper.shop.content.lists[index].lines = (1...45).map { ("l\($0)", "\($0)") }

        let first = try await shopper.loader.favorites()
        let ids = removed.map { "\($0)" }
        shopper.shop.content.lists[index].lines.removeAll { ids.contains($0.product) }
        let second = try await shopper.loader.favorites(after: first.next)
        let third = try await shopper.loader.favorites(after: second.next)

        #expect(first.items.map(\.id) == (26...45).reversed().map { "\($0)" })
        #expect(second.items.map(\.id) == (6...25).reversed().map { "\($0)" })
        #expect(third.items.map(\.id) == (1...5).reversed().map { "\($0)" })
        #expect(third.total == 45 - removed.count)
        #expect(third.next == nil)
    }

    @Test(arguments: TestedBackend.supporting(.favoritesInList))
    func `a cursor that is not from a page of favorites is invalid`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let page = try await shopper.loader.products(matching: ProductQuery(limit: 2))
        let cursor = try #require(page.next)
        let count = shopper.shop.requests.count

        let error = await #expect(throws: NetworkError.self) {
            try await shopper.loader.favorites(after: cursor)
        }

        #expect(error?.code == .invalidRequest)
        #expect(shopper.shop.requests.count == count)
    }
}
