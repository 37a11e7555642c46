import Foundation
import ProductKit
import Synchronization
import Testing

/// Favorites in a list that cannot be found, because one of the user's lists is not valid.
@Suite(.serialized, .timeLimit(.minutes(5))) final class UnreadableFavoritesTests: Sendable {
    private let isValid = Mutex(false)
    private let writes = Counter()

    // Rule: favorites/unreadable-list-is-unknown (10)
    @Test func `products are loaded, and their favorite status is unknown`() async throws {
        let product = try await loader.fetchProduct(withID: "pan")
        let page = try await loader.products()

        #expect(product.value.name == "Product" && product.source == .network)
        #expect(product.value.unknownMembers == .isFavorite)
        #expect(page.items.map(\.id) == ["pan", "pot"])
        #expect(page.items.allSatisfy { $0.unknownMembers == .isFavorite })
    }

    // Rule: favorites/unreadable-list-is-unknown (10); favorites/list-is-created-once (2)
    @Test func `no favorite is listed or changed, and no list is created`() async throws {
        await expectNetworkError(.unreadable) { try await loader.favorites() }
        for isFavorite in [true, false] {
            await expectNetworkError(.unreadable) {
                try await loader.setFavoriteStatus(isFavorite, forProductWithID: "pan")
            }
        }

        #expect(writes.count == 0)
    }

    // Rule: favorites/unreadable-list-is-unknown (10)
    @Test func `the stored lists stay, one of which is not valid`() async throws {
        let client = NetworkClient(behaviors: [CachingBehavior(partition: { "anna" })]) {
            [isDown = writes] _ in
            guard isDown.count == 0 else { throw NetworkError(.unreachable) }
            return .json(#"{"items": [{"id": "1", "name": "Camp", "products": []}, {"id": "2"}]}"#)
        }
        let lists = ListManager(client: client)
        let loader = ProductLoader.storingFavorites(in: lists)
        await expectNetworkError(.unreadable) { try await loader.favorites() }

        writes.next()

        await expectNetworkError(.unreachable) { try await loader.favorites() }
        #expect(try await lists.allLists().items.map(\.name) == ["Camp"])
    }

    // Rule: favorites/unreadable-list-is-unknown (10)
    @Test func `a readable list with the name is enough`() async throws {
        isValid.withLock { $0 = true }

        let products = try await loader.products().items

        #expect(products.map(\.isFavorite) == [true, false])
        #expect(products.allSatisfy { !$0.unknownMembers.contains(.isFavorite) })
    }

    // Rule: favorites/unreadable-list-is-unknown (10); screen/unknown-status-is-kept (67)
    @MainActor @Test func `a screen keeps the status that it shows`() async throws {
        isValid.withLock { $0 = true }
        let service = ProductService(loader: loader, listManager: lists, localUser: .shopper)
        let screen = try await service.viewModel(forProductWithID: "pan")
        let catalog = service.catalogViewModel()
        isValid.withLock { $0 = false }

        try await screen.reload()
        #expect(screen.isFavorite && screen.phase == .loaded)
        #expect(!screen.product.unknownMembers.contains(.isFavorite))

        try await catalog.search("")
        #expect(catalog.rows.map(\.isFavorite) == [true, false])
        let opened = try await service.viewModel(forProductWithID: "pan")
        #expect(opened.isFavorite)
    }

    // Rule: screen/unknown-status-is-kept (67); screen/superseded-failure-is-ignored (14)
    @MainActor @Test func `a reload without a status supersedes earlier ones`() async throws {
        let gate = ActionGate<Product>()
        let screen = ProductViewModel(
            .only(reload: { try await gate.hold() }),
            product: .favoriteBoots
        )
        let earlier = Task { try await screen.reload() }
        await gate.waitForCalls(1)
        let later = Task { try await screen.reload() }
        await gate.waitForCalls(1)

        var product = Product.boots(named: "New")
        product.unknownMembers = .isFavorite
        try gate.release(returning: product, at: 1)
        try await later.value
        try gate.release(throwing: NetworkError(.unavailable))
        try await earlier.value

        #expect(screen.title == "New" && screen.isFavorite && screen.phase == .loaded)
        #expect(screen.lastError == nil)
    }

    private var loader: ProductLoader { .storingFavorites(in: lists) }

    private var lists: ListManager {
        ListManager(
            addProduct: { [writes] _, _ in writes.next() },
            removeProduct: { [writes] _, _ in writes.next() },
            lists: { [self] _ in
                let products = isValid.withLock(\.self) ? #"["pan"]"# : "7"
                let valid = #"{"id": "1", "name": "Favorites", "products": \#(products)}"#
                let text = #"{"items": [\#(valid), {"id": "2"}]}"#
                return try NetworkResponse(body: Data(text.utf8)).json()
            },
            create: { [writes] id, name in
                writes.next()
                return ProductList(id: id, name: name)
            }
        )
    }
}
