import ProductKit
import Testing

/// Products that are loaded to be opened, as for a link into the app, beside other screens.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct LinkTests {
    let notFound = ProductError.notFound("walking-boots")

    // Rule: screen/link-follows-request-order (60)
    // Rule: catalog/store-releases-unshown-products (54)
    @Test(arguments: [true, false])
    func `a link cannot undo a later edit, which outlives its screen until the link ends`(
        succeeds: Bool
    ) async throws {
        let gate = ActionGate<Product>()
        let service = service { try await gate.hold() }
        let link = await started {
            try await service.viewModel(forProductWithID: "walking-boots")
        }
        await gate.waitForCalls(1)
        // The screen is closed at once.
        try await service.viewModel(for: .boots).toggleProductFavoriteStatus()
        #expect(service.viewModel(for: .boots).isFavorite)

        try gate.release(returningOrFailing: succeeds ? .boots(named: "Old") : nil)

        if succeeds {
            let screen = try await link.value
            #expect(screen.isFavorite && screen.title == "Walking Boots")
        } else {
            await #expect(throws: Offline()) { try await link.value }
            #expect(!service.viewModel(for: .boots).isFavorite)
        }
    }

    // Rule: screen/wrong-product-is-rejected (19)
    @Test func `a link whose response is another product opens no screen`() async throws {
        let service = service { .boots(named: "New") }
        let shown = service.viewModel(for: .boots)
        let error = ProductError.wrongProduct(expected: "hat", received: "walking-boots")

        await #expect(throws: error) { try await service.viewModel(forProductWithID: "hat") }

        #expect(shown.title == "Walking Boots")
    }

    // Rule: screen/link-follows-request-order (60); screen/not-found-means-deleted (20)
    @Test func `a link that is not found marks the product's open screens as deleted`()
        async throws
    {
        let service = service { throw notFound }
        let shown = service.viewModel(for: .boots)

        await #expect(throws: notFound) {
            try await service.viewModel(forProductWithID: "walking-boots")
        }

        #expect(shown.phase == .deleted && shown.title == "Walking Boots")
    }

    // Rule: screen/link-follows-request-order (60); screen/not-found-follows-request-order (23)
    @Test(arguments: [true, false])
    func `a link requested before a reload does not change its result`(isFound: Bool) async throws {
        let gate = ActionGate<Void>()
        let calls = Counter()
        let service = service {
            let isLink = calls.next() == 1
            if isLink { try await gate.hold() }
            if isLink == isFound { return .boots(named: isLink ? "Old" : "New") }
            throw notFound
        }
        let shown = service.viewModel(for: .boots)
        let link = await started {
            try await service.viewModel(forProductWithID: "walking-boots")
        }
        await gate.waitForCalls(1)

        try? await shown.reload()
        gate.open()
        await #expect(throws: notFound) { try await link.value }

        #expect(shown.phase == (isFound ? .deleted : .loaded))
        #expect(shown.title == (isFound ? "Walking Boots" : "New"))
    }

    // Rule: cancellation/stray-cancellation-is-a-failure (5)
    @Test func `a link whose request is cancelled by other code fails with a text`() async throws {
        let service = service { throw CancellationError() }

        let error = await #expect(throws: NetworkError.self) {
            try await service.viewModel(forProductWithID: "walking-boots")
        }

        #expect(error?.code == .connectionLost)
    }

    private func service(
        load: @escaping @Sendable () async throws -> Product
    ) -> ProductService {
        ProductService(
            loader: ProductLoader(
                load: { _ in try await load() },
                setFavorite: { _, isFavorite in .boots.with { $0.isFavorite = isFavorite } }
            ),
            listManager: .only(),
            localUser: .shopper
        )
    }
}
