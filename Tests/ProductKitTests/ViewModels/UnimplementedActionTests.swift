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
        for (kind, name) in zip(
            ProductViewModel.kinds,
            ["reload", "toggleFavorite", "addToList"]
        ) {
            let error = try await #require(throws: UnimplementedAction.self) {
                try await viewModel.perform(kind)
            }
            let text = error.localizedDescription
            #expect(error.name == name && text.contains("“\(name)”"))
            #expect(text.contains("ProductKitTests/UnimplementedActionTests.swift:\(line)"))
            #expect(!error.mayHaveReachedServer)
        }
        #expect(!viewModel.isFavorite)
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
            for kind in ProductViewModel.kinds { try? await viewModel.perform(kind) }
        }

        #expect(reported == ["reload", "toggleFavorite", "addToList", "reload", "addToList"])
    }
}
