import Foundation
import ProductKit
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct UnimplementedActionTests {
    // Rule: screen/missing-action-throws (6)
    @Test func `an action not given throws its name and where it was left out`() async throws {
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
        }
        #expect(!viewModel.isFavorite)
    }

    // Rule: screen/missing-action-throws (6)
    @Test func `the actions given are called`() async throws {
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
    @Test func `otherwise is told, even where the error is swallowed`() async {
        await withKnownIssue {
            let viewModel = ProductViewModel(.only(otherwise: { Issue.record($0) }))
            try? await viewModel.reload()
        }
    }

    // Rule: screen/missing-action-is-reported (7)
    @Test func `otherwise is told of every action that was not given, once`() async {
        var told: [String] = []
        let screens = [
            ProductViewModel(.only(otherwise: { told.append($0.name) })),
            ProductViewModel(
                .only(toggleFavorite: { .favoriteBoots }, otherwise: { told.append($0.name) })
            ),
        ]

        for viewModel in screens {
            try? await viewModel.reload()
            try? await viewModel.toggleProductFavoriteStatus()
            try? await viewModel.addProductToList(withID: "wishlist")
        }

        #expect(told == ["reload", "toggleFavorite", "addToList", "reload", "addToList"])
    }
}
