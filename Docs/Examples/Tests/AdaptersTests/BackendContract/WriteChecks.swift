import Foundation
import ProductKit
import Testing

/// The stored responses after a write, with every adapter that has lists and favorites.
@Suite(.serialized, .timeLimit(.minutes(5))) struct WriteChecks {
    private static let backends = TestedBackend.supporting([.favorites, .lists]).filter(\.hasCache)
    private static let policies = [FetchPolicy.standard, .cacheFirst, .networkFirst]

    @Test(arguments: backends, policies)
    func `a fresh product does not show a favorite status from before a write`(
        backend: TestedBackend,
        policy: FetchPolicy
    ) async throws {
        let shopper = Shopper(backend)
        try await shopper.storeEverything()

        for isFavorite in [true, false] {
            try await shopper.writeFavorite(isFavorite)
            let product = try await shopper.loader.fetchProduct(withID: "1", policy: policy)
            #expect(product.value.isFavorite == isFavorite)
            let page = try await shopper.loader.products()
            #expect(page.items.map(\.isFavorite) == [isFavorite, true, false, false, false])
            let favorites = try await shopper.loader.favorites()
            #expect(favorites.items.map(\.id) == (isFavorite ? ["1", "2"] : ["2"]))
        }
    }

    @Test(arguments: backends)
    func `fresh lists do not show what was before a write`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        shopper.shop.readHeaders = ["Cache-Control": "max-age=3600"]
        let list = try await shopper.lists.createList(named: "Camp")
        func expect(_ name: String, _ products: [Product.ID]) async throws {
            let loaded = try await shopper.lists.list(withID: list.id)
            #expect(loaded.name == name)
            #expect(loaded.products == products)
            guard backend.features.contains(.allLists) else { return }
            let lists = try await shopper.lists.lists().items
            #expect(lists.map(\.name) == [name])
            #expect(lists.map(\.products) == [products])
        }

        try await expect("Camp", [])
        try await shopper.lists.addProduct(withID: "1", toListWithID: list.id)
        try await expect("Camp", ["1"])
        _ = try await shopper.lists.renameList(withID: list.id, to: "Party")
        try await expect("Party", ["1"])
        try await shopper.lists.removeProduct(withID: "1", fromListWithID: list.id)
        try await expect("Party", [])
        guard backend.features.contains(.deletion) else { return }
        try await shopper.lists.deleteList(withID: list.id)
        await #expect(throws: ListError.notFound(list.id)) {
            try await shopper.lists.list(withID: list.id)
        }
    }

    @Test(arguments: backends)
    func `after a write, products are shown offline, also by the next process`(
        backend: TestedBackend
    ) async throws {
        try await withTemporaryFolder { folder in
            let first = Shopper(backend, folder: folder)
            try await first.storeEverything()
            try await first.writeEverything()
            first.shop.isOnline = false

            for shopper in [first, first.nextProcess(folder)] {
                for policy in Self.policies {
                    let product = try await shopper.loader
                        .fetchProduct(withID: "1", policy: policy)
                    #expect(product.value.name == "Iron Pan")
                    #expect(!product.source.isFromServer)
                }
                let page = try await shopper.loader.products()
                #expect(page.items.count == 5)
                #expect(page.source.code == .staleIfError)
            }
        }
    }

    @Test(arguments: backends, [false, true])
    func `after a write, the next process does not serve what was before it`(
        backend: TestedBackend,
        isOnDisk: Bool
    ) async throws {
        try await withTemporaryFolder { folder in
            let first = Shopper(backend, folder: folder)
            try await first.storeEverything()
            if isOnDisk { first.cache?.flush() }
            try await first.writeFavorite(true)

            let second = first.nextProcess(folder)
            for policy in [FetchPolicy.cacheFirst, .standard] {
                let product = try await second.loader.fetchProduct(withID: "1", policy: policy)
                #expect(product.value.isFavorite)
            }
            #expect(try await second.loader.favorites().items.map(\.id) == ["1", "2"])
        }
    }

    @Test(arguments: backends)
    func `a process that begins with a write shows products offline`(
        backend: TestedBackend
    ) async throws {
        try await withTemporaryFolder { folder in
            let first = Shopper(backend, folder: folder)
            try await first.storeEverything()

            let second = first.nextProcess(folder)
            _ = try await second.lists.createList(named: "Camp")
            second.shop.isOnline = false

            for shopper in [second, second.nextProcess(folder)] {
                let product = try await shopper.loader.fetchProduct(withID: "1")
                #expect(product.value.name == "Iron Pan")
                #expect(!product.source.isFromServer)
                #expect(try await shopper.loader.products().items.count == 5)
            }
        }
    }

    @Test(arguments: backends)
    func `after a write, a product is fresh again once the shop has confirmed it`(
        backend: TestedBackend
    ) async throws {
        try await withTemporaryFolder { folder in
            let first = Shopper(backend, folder: folder)
            first.shop.sendsETags = true
            try await first.storeEverything()
            try await first.writeFavorite(true)

            let second = first.nextProcess(folder)
            let confirmed = try await second.loader.fetchProduct(withID: "1", policy: .standard)
            let count = second.shop.requests.count
            let fresh = try await second.nextProcess(folder).loader
                .fetchProduct(withID: "1", policy: .standard)

            #expect(confirmed.value.isFavorite)
            #expect(fresh.value == confirmed.value)
            #expect(fresh.source.code == .cache)
            #expect(second.shop.requests.count == count)
        }
    }

    @Test(arguments: backends)
    func `a write of one user leaves the stored responses of another fresh`(
        backend: TestedBackend
    ) async throws {
        try await withTemporaryFolder { folder in
            let ann = Shopper(backend, folder: folder)
            try await ann.storeEverything()

            try await ann.session(of: "bob").writeEverything()
            let count = ann.shop.requests.count

            for shopper in [ann, ann.nextProcess(folder)] {
                let product = try await shopper.loader.fetchProduct(withID: "1", policy: .standard)
                #expect(product.source.code == .cache)
            }
            #expect(ann.shop.requests.count == count)
        }
    }

    @Test(arguments: backends)
    func `a write that changed nothing leaves stored responses fresh`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        try await shopper.storeEverything()

        shopper.shop.writeFailures = [backend.failure(422)]
        await #expect(throws: NetworkError.self) {
            try await shopper.lists.createList(named: "Camp")
        }
        shopper.shop.isOnline = false
        await #expect(throws: NetworkError.self) {
            try await shopper.lists.createList(named: "Camp")
        }
        await #expect(throws: NetworkError.self) {
            try await shopper.loader.setFavoriteStatus(true, forProductWithID: "1")
        }
        let count = shopper.shop.requests.count
        let product = try await shopper.loader.fetchProduct(withID: "1", policy: .standard)

        #expect(product.source.code == .cache)
        #expect(shopper.shop.requests.count == count)
    }

    @Test(arguments: backends)
    func `a write whose response was lost invalidates what it may have changed`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        try await shopper.storeEverything()
        shopper.shop.losesWriteResponses = true

        // A backend with lines finds the line that was added.
        try? await shopper.writeFavorite(true)
        let product = try await shopper.loader.fetchProduct(withID: "1", policy: .cacheFirst)

        #expect(product.value.isFavorite)
    }

    @Test(arguments: backends)
    func `a write that was cancelled in flight invalidates what it may have changed`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        try await shopper.storeEverything()
        let held = shopper.shop.holdResponses(where: \.isWrite)
        let count = shopper.shop.writes.count
        let write = Task { try await shopper.writeFavorite(true) }
        try await eventually { shopper.shop.writes.count > count }

        write.cancel()
        await #expect(throws: CancellationError.self) { try await write.value }
        held.finish()
        let product = try await shopper.loader.fetchProduct(withID: "1", policy: .cacheFirst)

        #expect(product.value.isFavorite)
    }

    @Test(arguments: backends)
    func `a product that was requested before a write is not stored after it`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        try await shopper.storeEverything()
        let held = shopper.shop.holdResponses()
        let count = shopper.shop.requests.count
        let load = Task { try await shopper.loader.loadProduct(withID: "1") }
        try await eventually { shopper.shop.requests.count > count }
        for _ in 1...1_000 { await Task.yield() }
        shopper.shop.respondAtOnce()

        try await shopper.session(of: "ann").writeFavorite(true)
        held.finish()
        _ = try await load.value
        let product = try await shopper.loader.fetchProduct(withID: "1", policy: .cacheFirst)

        #expect(product.value.isFavorite)
    }
}

extension Shopper {
    /// Stores a product that is not a favorite, the products, the favorites and the lists, which are
    /// fresh for an hour.
    fileprivate func storeEverything() async throws {
        shop.readHeaders = ["Cache-Control": "max-age=3600"]
        _ = try await loader.setFavoriteStatus(true, forProductWithID: "2")
        _ = try await loader.loadProduct(withID: "1")
        _ = try await loader.products()
        _ = try await loader.favorites()
        if backend.features.contains(.allLists) { _ = try await lists.lists() }
    }

    /// Changes the favorite status of the product, and does not load it afterwards.
    fileprivate func writeFavorite(_ isFavorite: Bool) async throws {
        guard backend.features.contains(.favoritesInList) else {
            _ = try await loader.setFavoriteStatus(isFavorite, forProductWithID: "1")
            return
        }
        let list = shop.content.lists.first { $0.lines.contains { $0.product == "2" } }
        let id = ProductList.ID(try #require(list).id)
        if isFavorite {
            try await lists.addProduct(withID: "1", toListWithID: id)
        } else {
            try await lists.removeProduct(withID: "1", fromListWithID: id)
        }
    }

    /// Makes the product a favorite, and creates, changes and renames a list.
    fileprivate func writeEverything() async throws {
        _ = try await loader.setFavoriteStatus(true, forProductWithID: "1")
        let list = try await lists.createList(named: "Camp")
        try await lists.addProduct(withID: "1", toListWithID: list.id)
        _ = try await lists.renameList(withID: list.id, to: "Party")
        if backend.features.contains(.deletion) { try await lists.deleteList(withID: list.id) }
    }
}
