import Foundation
import ProductKit
import Testing

/// The actor on which loaders run.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct LoaderIsolationTests {
    // Rule: screen/loaders-run-off-main-actor (2)
    @Test func `a loader and a list manager run off the main actor`() async throws {
        let loader = ProductLoader(
            load: { _ in
                dispatchPrecondition(condition: .notOnQueue(.main))
                return .boots
            },
            setFavorite: { _, isFavorite in
                dispatchPrecondition(condition: .notOnQueue(.main))
                return .boots.with { $0.isFavorite = isFavorite }
            }
        )
        let lists = ListManager { _, _ in dispatchPrecondition(condition: .notOnQueue(.main)) }
        let viewModel = ProductViewModel(
            ProductViewModel.Actions(productID: "walking-boots", loader: loader, listManager: lists)
        )

        try await viewModel.reload()
        try await viewModel.toggleProductFavoriteStatus()
        try await viewModel.addProductToList(withID: "wishlist")

        #expect(viewModel.phase == .loaded && viewModel.isFavorite)
    }
}
