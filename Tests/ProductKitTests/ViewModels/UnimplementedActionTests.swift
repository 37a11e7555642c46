import Foundation
import ProductKit
import Testing

/// Calls of actions that were not provided.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct UnimplementedActionTests {
    // Rule: screen/missing-action-throws (6)
    @Test func `a missing action throws its name and the line that omits it`() async throws {
        let line: UInt = #line + 1
        let viewModel = ProductViewModel(.only())
        let reload = try await #require(throws: UnimplementedAction.self) {
            try await viewModel.reload()
        }
        let toggle = try await #require(throws: UnimplementedAction.self) {
            try await viewModel.toggleProductFavoriteStatus()
        }
        let add = try await #require(throws: UnimplementedAction.self) {
            try await viewModel.addProductToList(withID: "wishlist")
        }

        #expect([reload, toggle, add].map(\.name) == ["reload", "toggleFavorite", "addToList"])
        for error in [reload, toggle, add] {
            let text = error.localizedDescription
            #expect(text.contains("“\(error.name)”"))
            #expect(text.contains("ProductKitTests/UnimplementedActionTests.swift:\(line)"))
            #expect(!error.mayHaveReachedServer)
        }
        #expect(!viewModel.isFavorite)
    }

    // Rule: screen/missing-action-throws (6)
    @Test func `the provided actions are called`() async throws {
        var lists: [ProductList.ID] = []
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { .favoriteBoots }, addToList: { lists.append($0) })
        )

        try await viewModel.toggleProductFavoriteStatus()
        try await viewModel.addProductToList(withID: "wishlist")

        #expect(viewModel.isFavorite)
        #expect(lists == ["wishlist"])
        await #expect(throws: UnimplementedAction.self) { try await viewModel.reload() }
    }

    // Rule: screen/missing-action-is-reported (7)
    @Test func `each missing action is reported once, even if its error is discarded`() async {
        var reported: [String] = []
        let screens = [
            ProductViewModel(.only(otherwise: { reported.append($0.name) })),
            ProductViewModel(
                .only(toggleFavorite: { .favoriteBoots }, otherwise: { reported.append($0.name) })
            ),
        ]

        for viewModel in screens {
            try? await viewModel.reload()
            try? await viewModel.toggleProductFavoriteStatus()
            try? await viewModel.addProductToList(withID: "wishlist")
        }

        #expect(reported == ["reload", "toggleFavorite", "addToList", "reload", "addToList"])
    }
}
