import Foundation
import ProductKit
import Testing

/// Rows and responses that contain only some members of a product that is open.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct SummaryTests {
    let store = ProductStore()
    let full = Product.favoriteBoots.with { $0.attributes = ["brand": "Fell"] }

    // Rule: screen/summary-keeps-other-members (62); catalog/page-updates-product-screens (47)
    @Test func `a row with an identifier and a name changes only the name of an open screen`()
        async throws
    {
        let screen = ProductViewModel(.only(), product: full, store: store)
        let row = try Product.decoded(from: #"{"id": "walking-boots", "name": "New"}"#)

        try await show(row)

        #expect(screen.product == full.with { $0.name = "New" })
        #expect(screen.product.unknownMembers == [])
    }

    // Rule: screen/summary-keeps-other-members (62)
    @Test func `a row can remove a value that it knows to be absent`() async throws {
        let screen = ProductViewModel(.only(), product: full, store: store)
        let row = try Product.decoded(
            from: #"{"id": "walking-boots", "name": "New", "description": null, "prices": []}"#
        )

        try await show(row)

        #expect(screen.product.description == nil && screen.priceText == nil)
        #expect(screen.isFavorite && screen.product.attributes == full.attributes)
    }

    // Rule: screen/summary-keeps-other-members (62)
    @Test(arguments: [(1, 3), (2, 3), (3, 3), (0, 0)])
    func `a row with the first images keeps the others`(rowCount: Int, count: Int) async throws {
        let full = full.with { $0.images = images("a", "b", "c") }
        let screen = ProductViewModel(.only(), product: full, store: store)
        let row = full.with { $0.images = Array(full.images.prefix(rowCount)) }

        try await show(row.summary(of: [.images]))

        #expect(screen.product.images == Array(full.images.prefix(count)))
    }

    // Rule: screen/summary-keeps-other-members (62)
    @Test func `a row with another image, and a complete product, replace the images`()
        async throws
    {
        let full = full.with { $0.images = images("a", "b", "c") }
        let first = full.with { $0.images = images("a") }
        let screen = ProductViewModel(.only(), product: full, store: store)

        try await show(full.with { $0.images = images("b") }.summary(of: [.images]))
        #expect(screen.product.images == images("b"))

        let other = ProductStore()
        let reloaded = ProductViewModel(.only(reload: { first }), product: full, store: other)
        try await reloaded.reload()
        #expect(reloaded.product.images == images("a"))
        // An older value brings no images back.
        let opened = ProductViewModel(.only(), product: full, store: other)
        #expect(opened.product.images == images("a"))
    }

    // Rule: screen/complete-product-replaces-everything (63)
    @Test(arguments: [#""description": 7"#, #""isFavorite": 7"#])
    func
        `a reload with a member that cannot be decoded removes the last images, and so does a link`(
            member: String
        ) async throws
    {
        let full = full.with { $0.images = images("a", "b") }
        var loaded = try Product.decoded(
            from: #"{"id": "walking-boots", "name": "New", \#(member)}"#
        )
        loaded.images = images("a")
        let services = (0..<3).map { [loaded] _ in
            ProductService(
                loader: ProductLoader(load: { _ in loaded }),
                listManager: .only(),
                localUser: .shopper
            )
        }

        let screen = services[0].viewModel(for: full)
        try await screen.reload()
        #expect(screen.product.images == images("a"))

        let open = services[1].viewModel(for: full)
        _ = try await services[1].viewModel(forProductWithID: full.id)
        #expect(open.product.images == images("a"))

        // An older value brings no images back, unless a row is all that is known after a sign-out.
        let link = try await services[2].viewModel(forProductWithID: full.id)
        _ = services[2].viewModel(for: full)
        #expect(link.product.images == images("a"))
        services[2].store.reset()
        _ = services[2].viewModel(for: loaded.summary(of: [.images]))
        #expect(services[2].viewModel(for: full).product.images == full.images)
    }

    // Rule: screen/first-values-complete-summaries (66)
    @Test func `a new screen's value has the images that follow those of a row`() async throws {
        let full = full.with { $0.images = images("a", "b") }
        let row = full.with { $0.images = images("a") }.summary(of: [.images])
        let catalog = try await show(row)
        #expect(catalog.rows[0].image == full.images.first)

        let screen = ProductViewModel(.only(), product: full, store: store)

        #expect(screen.product.images == full.images)
    }

    // Rule: screen/complete-product-replaces-everything (63)
    @Test func `a reload removes values, whatever its product declares unknown`() async throws {
        let bare = try Product.decoded(from: #"{"id": "walking-boots", "name": "New"}"#)
        let screen = ProductViewModel(.only(reload: { bare }), product: full, store: store)

        try await screen.reload()

        #expect(screen.product == bare && !screen.isFavorite)
        #expect(screen.product.unknownMembers == [])
    }

    // Rule: screen/complete-product-replaces-everything (63)
    @Test(arguments: [true, false])
    func `a product loaded to be opened, or after a toggle, removes values`(
        isOpened: Bool
    ) async throws {
        let service = service { Fetched(.boots.summary(of: []), source: .network) }
        let screen = service.viewModel(for: full)

        if isOpened {
            _ = try await service.viewModel(forProductWithID: "walking-boots")
        } else {
            try await screen.toggleProductFavoriteStatus()
        }

        #expect(screen.detailText == "" && !screen.isFavorite)
        #expect(screen.product.unknownMembers == [])
    }

    // Rule: screen/summary-keeps-other-members (62); screen/toggle-updates-content (27)
    @Test(arguments: [Product.Members.isFavorite, []])
    func `the summary that a toggle returns keeps the other members`(
        members: Product.Members
    ) async throws {
        let saved = Product.boots(named: "Saved").summary(of: members)
        let screen = ProductViewModel(.only(toggleFavorite: { _ in saved }), store: store)

        try await screen.toggleProductFavoriteStatus()

        // The status in the response is final; without one, the toggle is confirmed.
        #expect(screen.isFavorite == (members == []))
        #expect(screen.title == "Saved" && screen.detailText == Product.boots.description)
    }

    // Rule: screen/summary-keeps-other-members (62)
    @Test func `a confirmed toggle makes the status of a row known`() async throws {
        let row = Product.boots.summary(of: [.prices])
        let screen = ProductViewModel(.only(toggleFavorite: { _ in nil }), product: row)

        try await screen.toggleProductFavoriteStatus()
        try await screen.toggleProductFavoriteStatus()

        #expect(!screen.isFavorite && !screen.product.unknownMembers.contains(.isFavorite))
    }

    // Rule: screen/summary-keeps-other-members (62)
    @Test func `summaries of one product complete each other`() async throws {
        let screen = ProductViewModel(.only(), product: full.summary(of: [.prices]), store: store)
        #expect(screen.product == full.summary(of: [.prices]) && screen.detailText == "")

        try await show(full.summary(of: [.description]))

        #expect(screen.priceText == "€129.00" && screen.detailText == full.description)
        #expect(
            screen.product.unknownMembers
                == [.images, .url, .isAvailable, .isFavorite, .updatedAt, .attributes]
        )
    }

    // Rule: screen/first-values-complete-summaries (66)
    @Test func `a new screen's value is used where only a row is known`() async throws {
        let catalog = try await show(full.summary(of: [.prices]).with { $0.name = "Row" })

        let screen = ProductViewModel(.only(), product: full, store: store)

        #expect(screen.title == "Row" && screen.detailText == full.description)
        #expect(screen.isFavorite && catalog.rows[0].isFavorite)
        #expect(screen.product.unknownMembers == [] && screen.asOf == nil)
    }

    // Rule: screen/first-values-complete-summaries (66); cache/screen-has-source (64)
    @Test func `a cached product is used where only a row is known, and is its source`()
        async throws
    {
        let date = Date(timeIntervalSince1970: 43_200)
        let service = service { [full] in Fetched(full, source: .cache(asOf: date)) }
        let row = service.viewModel(for: Product.boots(named: "Row").summary(of: []))

        let screen = try await service.viewModel(forProductWithID: "walking-boots")

        #expect(row.title == "Row" && row.detailText == full.description && row.isFavorite)
        #expect(screen.source == .cache(asOf: date) && screen.asOf == date)
    }

    // Rule: screen/summary-keeps-source (65)
    @Test func `a summary changes date and source only if it contains all members shown`()
        async throws
    {
        let clock = ManualClock(skipsDelays: true)
        let store = ProductStore(effects: clock.effects())
        let stored = FetchSource.cache(asOf: clock.date - 60)
        let screen = ProductViewModel(
            product: full.summary(of: [.description, .isFavorite]),
            from: stored,
            localUser: .shopper,
            actions: .only(),
            store: store
        )
        clock.advance(by: .seconds(60))

        try await show(full.summary(of: [.prices]), in: store)
        #expect(screen.priceText == "€129.00")
        #expect(screen.source == stored && screen.asOf == stored.asOf)

        // The favorite status has no date.
        try await show(full.summary(of: [.prices, .description]), in: store)
        #expect(screen.source == .network && screen.asOf == clock.date)
    }

    // Rule: screen/summary-keeps-other-members (62); screen/reset-drops-responses (48)
    // Rule: screen/not-found-means-deleted (20)
    @Test(arguments: [true, false])
    func `after a sign-out a row does not keep the former user's members`(
        isDeleted: Bool
    ) async throws {
        let screen = ProductViewModel(
            .only(reload: { throw ProductError.notFound("walking-boots") }),
            product: full,
            store: store
        )
        let row = Product.boots(named: "New").summary(of: [.prices])

        store.reset()
        if isDeleted { try? await screen.reload() }
        #expect((screen.phase == .deleted) == isDeleted)
        try await show(row)

        #expect(screen.product == row && screen.phase != .deleted)
        #expect(screen.product.unknownMembers == row.unknownMembers)
        #expect(ProductViewModel(.only(), product: full, store: store).isFavorite)
    }

    // Rule: screen/equal-response-notifies-no-observer (52); screen/summary-keeps-other-members (62)
    @Test func `an equal summary notifies no observer, a newly known member those of the content`()
        async throws
    {
        let row = Product(id: "walking-boots", name: "Boots").summary(of: [.prices])
        let screen = ProductViewModel(.only(), product: row, store: store)
        let content = Watcher { screen.product.unknownMembers }

        try await show(row)
        try await show(row.summary(of: []))
        #expect(content.changes == 0)

        try await show(Product(id: "walking-boots", name: "Boots").summary(of: [.description]))
        #expect(content.changes == 1 && !screen.product.unknownMembers.contains(.description))
    }

    private func images(_ names: String...) -> [URL] {
        names.map { URL.api.appending(path: $0) }
    }

    /// Shows a catalog with one row.
    @discardableResult
    private func show(
        _ row: Product,
        in store: ProductStore? = nil
    ) async throws -> CatalogViewModel {
        try await PageServer([":first": Page([row])]).openCatalog(in: store ?? self.store)
    }

    private func service(
        fetch: @escaping @Sendable () async throws -> Fetched<Product>
    ) -> ProductService {
        ProductService(
            loader: ProductLoader(
                fetch: { _, _ in try await fetch() },
                setFavorite: { _, _ in nil }
            ),
            listManager: .only(),
            localUser: .shopper
        )
    }
}
