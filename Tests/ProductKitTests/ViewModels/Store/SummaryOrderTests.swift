import Foundation
import ProductKit
import Testing

/// Summaries and complete products whose responses arrive in any order.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct SummaryOrderTests {
    let store = ProductStore()
    let held = ActionGate<Product>()

    // Rule: screen/members-follow-request-order (64)
    @Test func `a load that arrives after a later row provides the members that the row lacks`()
        async throws
    {
        let screen = makeScreen(Product.boots(named: "Old").summary(of: []))
        let reload = await started { try await screen.reload() }
        let page = await loadPage()

        try held.release(returning: .boots(named: "Row").summary(of: [.prices]), at: 1)
        try await page.value
        let loaded = Product.boots(named: "Loaded", isFavorite: true).with { $0.prices = [] }
        try held.release(returning: loaded)
        try await reload.value

        #expect(screen.title == "Row" && screen.priceText == "€129.00")
        #expect(screen.detailText == Product.boots.description && screen.isFavorite)
        #expect(screen.phase == .loaded && screen.product.unknownMembers == [])
    }

    // Rule: screen/members-follow-request-order (64); screen/complete-product-replaces-everything (63)
    @Test func `a load that arrives after a later row replaces the images, also with fewer`()
        async throws
    {
        let images = ["/1", "/2"].map { URL(filePath: $0) }
        let screen = makeScreen(Product.boots.with { $0.images = images })
        let reload = await started { try await screen.reload() }
        let page = await loadPage()

        try held.release(returning: .boots.summary(of: [.prices]), at: 1)
        try await page.value
        try held.release(returning: .boots.with { $0.images = [images[0]] })
        try await reload.value

        #expect(screen.product.images == [images[0]])
    }

    // Rule: screen/members-follow-request-order (64); screen/complete-product-replaces-everything (63)
    @Test(arguments: [[0], [1], [0, 1, 2]])
    func `a load that arrives after a later row with the first image provides the others`(
        inRow: [Int]
    ) async throws {
        let images = ["/1", "/2", "/3"].map { URL(filePath: $0) }
        let screen = makeScreen(Product.boots.summary(of: []))
        let reload = await started { try await screen.reload() }
        let page = await loadPage()

        let row = Product.boots.with { $0.images = inRow.map { images[$0] } }
        try held.release(returning: row.summary(of: [.images]), at: 1)
        try await page.value
        try held.release(returning: .boots.with { $0.images = Array(images.prefix(2)) })
        try await reload.value

        // The row is later: it decides unless it has only the first images of the product.
        let expected = inRow == [0] ? Array(images.prefix(2)) : row.images
        #expect(screen.product.images == expected)
    }

    // Rule: screen/members-follow-request-order (64); screen/complete-product-replaces-everything (63)
    @Test(arguments: [[0], [0, 2], [0, 1, 2], [1, 2]], [true, false])
    func `a load that arrives after a later row with the first image replaces the others`(
        inLoad: [Int],
        isLoaded: Bool
    ) async throws {
        let images = ["/1", "/2", "/3"].map { URL(filePath: $0) }
        let shown = Product.boots.with { $0.images = Array(images.prefix(2)) }
        let row = Product.boots.with { $0.images = [images[0]] }.summary(of: [.images])
        let screen = makeScreen(isLoaded ? shown : Product.boots.summary(of: []))
        let reload = await started { try await screen.reload() }
        let page = await loadPage()

        try held.release(returning: row, at: 1)
        try await page.value
        // The value of a new screen completes the row.
        if !isLoaded { _ = makeScreen(shown) }
        #expect(screen.product.images == shown.images)
        try held.release(returning: .boots.with { $0.images = inLoad.map { images[$0] } })
        try await reload.value

        let expected = inLoad.first == 0 ? inLoad.map { images[$0] } : shown.images
        #expect(screen.product.images == expected)
    }

    // Rule: screen/members-follow-request-order (64)
    @Test func `a load that arrives after two later rows does not replace the images of the last`()
        async throws
    {
        let images = ["/1", "/2", "/3"].map { URL(filePath: $0) }
        let screen = makeScreen(.boots.with { $0.images = Array(images.prefix(2)) })
        let reload = await started { try await screen.reload() }
        for image in [0, 2] {
            let page = await loadPage()
            let row = Product.boots.with { $0.images = [images[image]] }
            try held.release(returning: row.summary(of: [.images]), at: 1)
            try await page.value
        }

        try held.release(returning: .boots.with { $0.images = [images[0], images[2]] })
        try await reload.value

        #expect(screen.product.images == [images[2]])
    }

    // Rule: screen/summary-keeps-source (65); screen/unknown-status-is-kept (67)
    @Test(arguments: [true, false])
    func `a load that arrives after a later row is the source, also without the status`(
        knowsStatus: Bool
    ) async throws {
        let screen = ProductViewModel(
            product: .favoriteBoots,
            from: .staleIfError(asOf: Date(timeIntervalSince1970: 43_200), failure: Offline()),
            localUser: .shopper,
            actions: .only(reload: { [held] in try await held.hold() }),
            store: store
        )
        let reload = await started { try await screen.reload() }
        let page = await loadPage()

        try held.release(returning: .boots.summary(of: [.prices]), at: 1)
        try await page.value
        #expect(screen.source.code == .staleIfError)
        let loaded = Product.boots.with { if !knowsStatus { $0.unknownMembers = .isFavorite } }
        try held.release(returning: loaded)
        try await reload.value

        #expect(screen.source == .network && screen.isFavorite == !knowsStatus)
    }

    // Rule: screen/members-follow-request-order (64); screen/superseded-failure-is-ignored (14)
    @Test(arguments: [true, false])
    func `a later row supersedes the failure of a reload only if it is complete`(
        isComplete: Bool
    ) async throws {
        let screen = makeScreen(Product.boots.summary(of: []))
        let reload = await started { try await screen.reload() }
        let page = await loadPage()

        try held.release(returning: isComplete ? .boots : .boots.summary(of: [.prices]), at: 1)
        try await page.value
        try held.release(throwing: Offline())
        try? await reload.value

        #expect(screen.phase == (isComplete ? .loaded : .failed))
        #expect((screen.lastError == nil) == isComplete)
    }

    // Rule: screen/members-follow-request-order (64); screen/not-found-follows-request-order (23)
    @Test func `not found does not delete a product that a later row contains`() async throws {
        let screen = makeScreen(.boots)
        let reload = await started { try await screen.reload() }
        let page = await loadPage()

        try held.release(returning: .boots.summary(of: []), at: 1)
        try await page.value
        try held.release(throwing: ProductError.notFound("walking-boots"))
        try? await reload.value

        #expect(screen.phase != .deleted && screen.detailText == Product.boots.description)
    }

    // Rule: screen/members-follow-request-order (64); catalog/duplicates-keep-place (25)
    @Test func `two summaries of a product on one page complete each other`() async throws {
        let screen = makeScreen(Product.boots.summary(of: []))
        let first = Product.boots(named: "First").summary(of: [.description])
        let second = Product.boots(named: "Second").summary(of: [.prices])

        _ = try await PageServer([":first": Page([first, second])]).openCatalog(in: store)

        #expect(screen.title == "Second" && screen.priceText == "€129.00")
        #expect(screen.detailText == Product.boots.description)
    }

    // Rule: screen/summary-keeps-other-members (62); catalog/page-keeps-pending-edit (50)
    @Test func `a row without the status keeps a pending edit and its rollback`() async throws {
        let product = HeldProduct(.favoriteBoots, in: store)
        let screen = product.screen
        let toggle = await started { try await screen.toggleProductFavoriteStatus() }
        let page = await loadPage()

        try held.release(returning: .boots(named: "Row").summary(of: []))
        try await page.value
        #expect(!screen.isFavorite && screen.title == "Row")
        try product.toggles.release(throwing: Offline())
        try? await toggle.value

        #expect(screen.isFavorite)
    }

    // Rule: screen/members-follow-request-order (64); screen/summary-keeps-other-members (62)
    @Test(arguments: [true, false])
    func `in every order each member is that of the latest request that returned it`(
        isKnown: Bool
    ) async throws {
        for seed in 1...UInt64(400) {
            var choices = SeededChoice(seed: seed)
            let store = ProductStore()
            let first = isKnown ? response(0) : response(0).summary(of: [])
            let screen = makeScreen(first, in: store)
            var requests: [(product: Product, number: Int, task: Task<Void, any Error>)] = []
            var latest = Dictionary(uniqueKeysWithValues: MemberSample.all.map { ($0.name, 0) })
            var known = isKnown ? Product.Members(MemberSample.all.map(\.member)) : []
            var latestName = 0
            for number in 1...5 {
                let isReload = choices.choose(of: 3) == 0
                let task =
                    isReload
                    ? await started { try await screen.reload() } : await loadPage(in: store)
                let product = response(number)
                let members = Product.Members(rawValue: UInt16(choices.choose(of: 256)))
                requests.append((isReload ? product : product.summary(of: members), number, task))
            }
            while !requests.isEmpty {
                let index = choices.choose(of: requests.count)
                let (product, number, task) = requests.remove(at: index)
                try held.release(returning: product, at: index)
                try await task.value

                latestName = max(latestName, number)
                for sample in MemberSample.all
                where !product.unknownMembers.contains(sample.member) {
                    latest[sample.name] = max(latest[sample.name] ?? 0, number)
                    known.insert(sample.member)
                }
                let expected = MemberSample.all.reduce(
                    Product(id: first.id, name: "\(latestName)")
                ) { product, sample in
                    let isUnknown = !known.contains(sample.member)
                    let source = isUnknown ? first : response(latest[sample.name] ?? 0)
                    return product.with { sample.copy(from: source, to: &$0) }
                }
                #expect(screen.product == expected, "seed \(seed), response \(number)")
                #expect(screen.product.unknownMembers.isDisjoint(with: known))
            }
        }
    }

    /// The product in the response to a request, with a different value for most members.
    private func response(_ number: Int) -> Product {
        Product(
            id: "walking-boots",
            name: "\(number)",
            description: number.isMultiple(of: 3) ? nil : "\(number)",
            prices: [Price(amount: Decimal(number), currency: "EUR")],
            images: [URL(filePath: "/\(number)")],
            url: URL(filePath: "/\(number)"),
            isAvailable: number.isMultiple(of: 2),
            isFavorite: number.isMultiple(of: 2),
            updatedAt: Date(timeIntervalSince1970: Double(number)),
            attributes: number.isMultiple(of: 4) ? [:] : ["number": "\(number)"]
        )
    }

    private func makeScreen(_ product: Product, in store: ProductStore? = nil) -> ProductViewModel {
        let reload = { [held] in try await held.hold() }
        return ProductViewModel(
            .only(reload: reload),
            product: product,
            store: store ?? self.store
        )
    }

    /// Loads a page that contains only the product of the next response.
    private func loadPage(in store: ProductStore? = nil) async -> Task<Void, any Error> {
        let catalog = CatalogViewModel(
            .only(loadPage: { [held] _, _ in Page([try await held.hold()]) }),
            store: store ?? self.store
        )
        return await started { try await catalog.search("") }
    }
}

extension MemberSample {
    fileprivate func copy(from source: Product, to target: inout Product) {
        switch member {
        case .description: target.description = source.description
        case .prices: target.prices = source.prices
        case .images: target.images = source.images
        case .url: target.url = source.url
        case .isAvailable: target.isAvailable = source.isAvailable
        case .isFavorite: target.isFavorite = source.isFavorite
        case .updatedAt: target.updatedAt = source.updatedAt
        default: target.attributes = source.attributes
        }
    }
}
