import ProductKit
import Testing

/// Responses that arrive after the response to a later request.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct LateResponseTests {
    // Rule: screen/not-found-means-deleted (20); screen/not-found-follows-request-order (23)
    @Test func `an earlier reload does not change the status of a deleted product`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        let first = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.reload() }

        try held.release(throwing: ProductError.notFound(Product.boots.id), at: 1)
        _ = await second.result
        try held.release(returning: .favoriteBoots)

        await #expect(throws: ProductError.notFound(Product.boots.id)) { try await first.value }
        #expect(!viewModel.isFavorite && viewModel.phase == .deleted)
    }

    // Rule: screen/not-found-follows-request-order (23)
    // Rule: screen/confirmed-edit-outlasts-product (68)
    @Test func `an earlier toggle is confirmed on a deleted product`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { throw ProductError.notFound(Product.boots.id) },
                toggleFavorite: { _ in try await held.hold() }
            )
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }

        await #expect(throws: ProductError.self) { try await viewModel.reload() }
        try held.release(returning: .favoriteBoots)

        try await toggle.value
        #expect(viewModel.isFavorite && viewModel.phase == .deleted)
    }

    // Rule: screen/superseded-failure-is-ignored (14); screen/not-found-follows-request-order (23)
    @Test func `the failure of an earlier reload does not hide “not found”`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        let first = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.reload() }

        try held.release(throwing: ProductError.notFound(Product.boots.id), at: 1)
        _ = await second.result
        try held.release(throwing: Offline())

        await #expect(throws: ProductError.notFound(Product.boots.id)) { try await first.value }
        #expect(viewModel.lastError?.underlying as? ProductError == .notFound(Product.boots.id))
    }

    // Rule: screen/later-reload-wins (12); screen/failure-keeps-content (16)
    @Test func `the failure of the latest reload stays when earlier ones end`()
        async throws
    {
        let store = ProductStore()
        let held = ActionGate<Product>()
        let actions = ProductViewModel.Actions.only(
            reload: { try await held.hold() }
        )
        let viewModel = ProductViewModel(actions, store: store)
        let other = ProductViewModel(actions, store: store)
        let first = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.reload() }
        let otherReload = await started { try await other.reload() }
        let latest = await started { try await viewModel.reload() }

        try held.release(throwing: Offline(), at: 3)
        _ = await latest.result
        try held.release(throwing: Offline(), at: 1)
        _ = await second.result
        try held.release(returning: .boots, at: 1)
        try await otherReload.value
        try held.release(returning: .boots)
        try await first.value

        #expect(viewModel.phase == .failed && viewModel.lastError?.kind == .reload)
    }
}
