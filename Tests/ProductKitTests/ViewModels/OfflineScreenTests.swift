import Foundation
import ProductKit
import Synchronization
import Testing

/// Screens with a cache: the value they open with, its source and its date.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct OfflineScreenTests {
    private let noon = Date(timeIntervalSince1970: 43_200)

    // Rule: cache/reload-reaches-the-server (62)
    @Test func `a reload sends a request even if the stored response is fresh`() async throws {
        let requests = Counter()
        let service = service { request in
            requests.next()
            return try .boots(to: request)
        }
        let screen = try await service.viewModel(forProductWithID: "walking-boots")

        try await screen.reload()

        #expect(requests.count == 2 && screen.source == .network && screen.phase == .loaded)
    }

    // Rule: cache/unconfirmed-value-only-opens (63); cache/screen-has-source (64)
    @Test func `a screen opens with a stored product and a reload replaces it`() async throws {
        let names = Mutex(["Old", "New"])
        let service = service { request in
            let name = names.withLock { $0.removeFirst() }
            return try NetworkResponse(
                headers: ["ETag": "\"\(name)\""],
                json: Product.boots(named: name)
            )
        }
        _ = try await service.loader.loadProduct(withID: "walking-boots")

        let screen = try await service.viewModel(
            forProductWithID: "walking-boots",
            policy: .cacheFirst
        )
        #expect(screen.title == "Old" && screen.source.code == .cache && screen.asOf != nil)
        try await screen.reload()

        #expect(screen.title == "New" && screen.source == .network)
    }

    // Rule: screen/opened-screen-is-loaded (58); cache/screen-has-source (64)
    @Test(arguments: [FetchPolicy.cacheFirst, .revalidate])
    func `a screen that was opened with a loaded product is loaded`(
        policy: FetchPolicy
    ) async throws {
        let service = service { request in try .boots(to: request) }
        _ = try await service.loader.loadProduct(withID: "walking-boots")

        let screen = try await service.viewModel(
            forProductWithID: "walking-boots",
            policy: policy
        )

        #expect(screen.phase == .loaded && screen.lastError == nil)
        #expect(screen.source.code == (policy == .cacheFirst ? .cache : .network))
        #expect(service.viewModel(for: .boots).phase == .idle)
    }

    // Rule: cache/stale-if-error-is-marked (35); cache/screen-has-source (64)
    @Test func `an offline screen opens with a stored product and its date`() async throws {
        let isDown = Mutex(false)
        let service = service { request in
            guard !isDown.withLock(\.self) else { throw NetworkError(.unreachable) }
            return try .boots(to: request)
        }
        _ = try await service.loader.loadProduct(withID: "walking-boots")
        isDown.withLock { $0 = true }

        let screen = try await service.viewModel(
            forProductWithID: "walking-boots",
            policy: .networkFirst
        )
        #expect(screen.source.code == .staleIfError && screen.asOf == screen.source.asOf)
        #expect(screen.asOf != nil && screen.title == "Walking Boots")
        await #expect(throws: NetworkError.self) { try await screen.reload() }
        #expect(screen.source.code == .staleIfError && screen.lastError?.kind == .reload)

        isDown.withLock { $0 = false }
        try await screen.reload()
        #expect(screen.source == .network && screen.lastError == nil)
    }

    // Rule: cache/screen-has-source (64)
    @Test func `a failed reload keeps the product, its date and the error`() async throws {
        let store = ProductStore(effects: SystemEffects(now: { [noon] in noon }))
        var isDown = false
        let screen = ProductViewModel(
            .only(reload: {
                if isDown { throw Offline() }
                return .boots(named: "New")
            }),
            store: store
        )
        #expect(screen.asOf == nil)
        try await screen.reload()
        isDown = true

        await #expect(throws: Offline()) { try await screen.reload() }

        #expect(screen.title == "New" && screen.asOf == noon && screen.source == .network)
        #expect(screen.lastError?.underlying as? Offline == Offline())
    }

    // Rule: cache/unconfirmed-value-only-opens (63)
    @Test func `an unconfirmed product does not change the store`() {
        let store = ProductStore()
        let shown = ProductViewModel(.only(), product: .boots(named: "Shown"), store: store)

        let opened = ProductViewModel(
            product: .boots(named: "Stored", isFavorite: true),
            from: .cache(asOf: noon),
            localUser: .shopper,
            actions: .only(),
            store: store
        )

        #expect(opened.title == "Shown" && !opened.isFavorite && opened.source == .network)
        #expect(shown.title == "Shown")
    }

    // Rule: cache/unconfirmed-value-only-opens (63)
    @Test func `a loaded product updates screens that show an earlier version`()
        async throws
    {
        let service = service { request in
            try NetworkResponse(json: Product.boots(named: "New"))
        }
        let row = service.viewModel(for: .boots(named: "Old"))

        let screen = try await service.viewModel(forProductWithID: "walking-boots")

        #expect(screen.title == "New" && row.title == "New")
    }

    // Rule: cache/unconfirmed-value-only-opens (63)
    @Test func `a stored page adds products and does not change those in the store`() async throws {
        let store = ProductStore()
        let shown = ProductViewModel(.only(), product: .boots(named: "Shown"), store: store)
        var page = Page([Product.boots(named: "Stored"), Product(id: "tent", name: "Tent")])
        page.source = .staleIfError(asOf: noon, failure: Offline())
        let server = PageServer([":first": page])
        let list = try await server.openCatalog(in: store)

        #expect(list.rows.map(\.title) == ["Shown", "Tent"] && shown.title == "Shown")
        #expect(list.source.code == .staleIfError && list.source.asOf == noon)
        let tent = ProductViewModel(
            .only(reload: { Product(id: "tent", name: "New Tent") }),
            product: Product(id: "tent", name: "Tent"),
            store: store
        )
        #expect(tent.source.code == .staleIfError)
        server.pages[":first"] = Page([.boots(named: "New")])
        try await list.refresh()
        #expect(shown.title == "New" && list.source == .network)
    }

    // Rule: cache/unconfirmed-value-only-opens (63); cache/screen-has-source (64)
    @Test(arguments: [true, false])
    func `a stale page replaces rows only if they come from a cache`(isCached: Bool) async throws {
        let server = PageServer([":first": Page([.boots])])
        if isCached { server.pages[":first"]?.source = .cache(asOf: noon) }
        let list = try await server.openCatalog()
        server.pages[":first"] = .of("tent")
        server.pages[":first"]?.source = .staleIfError(asOf: noon, failure: Offline())

        if isCached {
            try await list.refresh()
        } else {
            await #expect(throws: Offline()) { try await list.refresh() }
        }

        #expect(list.ids == [isCached ? "tent" : "walking-boots"])
        #expect(list.source.code == (isCached ? .staleIfError : .network))
        #expect(list.phase == (isCached ? .loaded : .failed))
        #expect(list.lastError?.kind == (isCached ? nil : .refresh))
    }

    // Rule: cache/screen-has-source (64)
    @Test func `a product of a page has the date at which the page arrived`() async throws {
        let store = ProductStore(effects: SystemEffects(now: { [noon] in noon }))
        let list = try await PageServer([":first": Page([.boots])]).openCatalog(in: store)

        let screen = ProductViewModel(.only(), store: store)

        #expect(screen.asOf == noon && list.source == .network && screen.source == .network)
    }

    // Rule: cache/stale-if-error-is-marked (35); cache/unconfirmed-value-only-opens (63)
    @Test func `the stored lists of a product are shown while the server is unreachable`()
        async throws
    {
        let isDown = Mutex(false)
        let service = service { request in
            guard !isDown.withLock(\.self) else { throw NetworkError(.unreachable) }
            return try NetworkResponse(
                headers: ["ETag": "\"1\""],
                json: ["items": [ProductList.wishlist(holdingBoots: true)]]
            )
        }
        _ = try await service.listManager.allLists()
        isDown.withLock { $0 = true }
        let lists = service.membershipViewModel(for: .boots)

        try await lists.reload()
        #expect(lists.holding == ["Wishlist"] && lists.source.code == .staleIfError)
        isDown.withLock { $0 = false }
        try await lists.reload()
        #expect(lists.holding == ["Wishlist"] && lists.source == .network)
        isDown.withLock { $0 = true }
        await #expect(throws: NetworkError.self) { try await lists.reload() }
        #expect(lists.source == .network && lists.lastError?.kind == .reload)
    }

    // Rule: screen/content-and-status-observed-apart (51)
    // A change of the product's source notifies observers of the source only.
    @Test func `a new source does not notify observers of the content`() async throws {
        let screen = ProductViewModel(
            product: .boots,
            from: .cache(asOf: noon),
            localUser: .shopper,
            actions: .only(reload: { .boots })
        )
        let title = Watcher { screen.title }
        let source = Watcher { screen.source }

        try await screen.reload()
        try await screen.reload()

        #expect(title.changes == 0 && source.changes == 1)
    }

    /// A service whose only behavior is a cache.
    private func service(
        server: @escaping @Sendable (URLRequest) throws -> NetworkResponse
    ) -> ProductService {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in try server(request) },
            behaviors: [CachingBehavior(partition: { "" })]
        )
        return .contract(client: client)
    }
}
