import Foundation
import ProductKit
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct DeletedProductTests {
    let gone = ProductError.notFound("walking-boots")

    // Rule: screen/not-found-means-deleted (20)
    @Test(arguments: [ViewModelFailure.Kind.reload, .toggleFavorite, .addToList])
    func `not found from any action deletes the product`(
        kind: ViewModelFailure.Kind
    ) async throws {
        let viewModel = ProductViewModel(
            .only(
                reload: { throw gone },
                toggleFavorite: { _ in throw gone },
                addToList: { _ in throw gone }
            )
        )

        await #expect(throws: gone) {
            switch kind {
            case .reload: try await viewModel.reload()
            case .toggleFavorite: try await viewModel.toggleProductFavoriteStatus()
            default: try await viewModel.addProductToList(withID: "wishlist")
            }
        }

        #expect(viewModel.phase == .deleted)
        #expect(viewModel.product == .boots)
        #expect(viewModel.lastError?.kind == kind)
        #expect(viewModel.lastError?.underlying as? ProductError == gone)
    }

    // Rule: screen/deleted-product-rejects-edits (21)
    @Test func `a deleted product is neither toggled nor added`() async throws {
        let viewModel = ProductViewModel(.only(reload: { throw gone }))
        await #expect(throws: gone) { try await viewModel.reload() }

        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(!viewModel.isFavorite)
        await #expect(throws: gone) { try await toggle.value }
        await #expect(throws: gone) { try await viewModel.addProductToList(withID: "wishlist") }

        #expect(!viewModel.isFavorite && viewModel.phase == .deleted)
        #expect(viewModel.lastError?.kind == .addToList)
    }

    // Rule: screen/deleted-product-rejects-edits (21)
    @Test func `a tap that waited while the product was deleted is not sent`() async throws {
        let held = Held<Void>()
        var wishes: [Bool] = []
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { wanted in
                wishes.append(wanted)
                if wishes.count == 1 {
                    try await held.suspend()
                }
                return .boots.with { $0.isFavorite = wanted }
            })
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }
        let third = await started { try await viewModel.toggleProductFavoriteStatus() }

        try held.fail(gone)
        await #expect(throws: gone) { try await first.value }
        await #expect(throws: gone) { try await second.value }
        await #expect(throws: gone) { try await third.value }

        #expect(wishes == [true] && !viewModel.isFavorite && viewModel.phase == .deleted)
    }

    // Rule: screen/deleted-product-rejects-edits (21)
    @Test func `an addition that waited while the product was deleted is not sent`() async throws {
        let held = Held<Void>()
        var calls = 0
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                if calls == 1 { try await held.suspend() }
            })
        )
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let second = await started { try await viewModel.addProductToList(withID: "wishlist") }

        try held.fail(gone)
        await #expect(throws: gone) { try await first.value }
        await #expect(throws: gone) { try await second.value }

        #expect(calls == 1 && viewModel.phase == .deleted)
    }

    // Rule: screen/reload-can-restore (22)
    @Test func `a reload can bring the product back`() async throws {
        var isGone = true
        let viewModel = ProductViewModel(
            .only(
                reload: { if isGone { throw gone } else { .boots(named: "Back") } },
                toggleFavorite: { _ in .boots(named: "Back", isFavorite: true) }
            )
        )
        await #expect(throws: gone) { try await viewModel.reload() }

        isGone = false
        try await viewModel.reload()

        #expect(viewModel.phase == .loaded && viewModel.title == "Back")
        #expect(viewModel.lastError == nil)
        try await viewModel.toggleProductFavoriteStatus()
        #expect(viewModel.isFavorite)
    }

    // Rule: screen/reload-can-restore (22)
    @Test func `edits refused meanwhile do not stop a reload from bringing it back`() async throws {
        let held = Held<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { try await held.suspend() },
                addToList: { _ in throw gone }
            )
        )
        await #expect(throws: gone) { try await viewModel.addProductToList(withID: "wishlist") }
        let reload = await started { try await viewModel.reload() }

        await #expect(throws: gone) { try await viewModel.toggleProductFavoriteStatus() }
        await #expect(throws: gone) { try await viewModel.addProductToList(withID: "wishlist") }
        try held.resume(returning: .boots(named: "Back"))
        try await reload.value

        #expect(viewModel.phase == .loaded && viewModel.title == "Back")
    }

    // Rule: screen/reload-can-restore (22)
    @Test func `edits sent away from the line do not stop it either`() async throws {
        let loads = Held<Product>()
        let toggles = Held<Void>()
        var wishes: [Bool] = []
        let viewModel = ProductViewModel(
            .only(
                reload: { try await loads.suspend() },
                toggleFavorite: { wanted in
                    wishes.append(wanted)
                    if wishes.count == 1 {
                        try await toggles.suspend()
                    }
                    return .boots.with { $0.isFavorite = wanted }
                }
            )
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let reload = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }

        try toggles.fail(gone)
        await #expect(throws: gone) { try await first.value }
        await #expect(throws: gone) { try await second.value }
        try loads.resume(returning: .boots(named: "Back"))
        try await reload.value

        #expect(wishes == [true])
        #expect(viewModel.phase == .loaded && viewModel.title == "Back")
    }

    // Rule: screen/other-not-found-deletes-nothing (24)
    @Test func `another product or a list that is not found deletes nothing`() async throws {
        let other = ProductError.notFound("sandals")
        let list = ListError.notFound("wishlist")
        let viewModel = ProductViewModel(
            .only(
                reload: { throw other },
                toggleFavorite: { _ in throw other },
                addToList: { _ in throw list }
            )
        )

        await #expect(throws: list) { try await viewModel.addProductToList(withID: "wishlist") }
        #expect(viewModel.phase == .idle)
        await #expect(throws: other) { try await viewModel.toggleProductFavoriteStatus() }
        #expect(viewModel.phase == .idle)
        await #expect(throws: other) { try await viewModel.reload() }
        #expect(viewModel.phase == .failed)
    }

    // Rule: screen/other-not-found-deletes-nothing (24)
    @Test(
        arguments: [
            (nil, false), ("/v1/lists/wishlist", false), ("/v1/products/sandals", false),
            ("/v1/lists/wishlist/products/walking-boots", false),
            ("/v1/products/walking-boots", true),
        ] as [(String?, Bool)]
    )
    func `a 404 to an addition is the product's only when the problem names it`(
        instance: String?,
        isDeleted: Bool
    ) async throws {
        let problem = ["title": "Not found", "instance": instance].compactMapValues(\.self)
        let viewModel = ProductViewModel(
            ProductViewModel.Actions(
                productID: "walking-boots",
                baseURL: .api,
                networking: .closure { _ in
                    var response = try NetworkResponse(statusCode: 404, json: problem)
                    response.headers["Content-Type"] = "application/problem+json"
                    return response
                }
            )
        )

        let error = await #expect(throws: (any Error).self) {
            try await viewModel.addProductToList(withID: "wishlist")
        }

        #expect((error as? ProductError == gone) == isDeleted)
        #expect((error as? ListError == .notFound("wishlist")) == !isDeleted)
        #expect(viewModel.phase == (isDeleted ? .deleted : .idle))
    }
}
