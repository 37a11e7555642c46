import Foundation
import ProductKit
import Testing

/// A product that the server reports as not found.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct DeletedProductTests {
    let notFound = ProductError.notFound("walking-boots")

    // Rule: screen/not-found-means-deleted (20)
    @Test(arguments: [ViewModelFailure.Kind.reload, .toggleFavorite, .addToList])
    func `“not found” from any action marks the product as deleted`(
        kind: ViewModelFailure.Kind
    ) async throws {
        let viewModel = ProductViewModel(
            .only(
                reload: { throw notFound },
                toggleFavorite: { _ in throw notFound },
                addToList: { _ in throw notFound }
            )
        )

        await #expect(throws: notFound) {
            switch kind {
            case .reload: try await viewModel.reload()
            case .toggleFavorite: try await viewModel.toggleProductFavoriteStatus()
            default: try await viewModel.addProductToList(withID: "wishlist")
            }
        }

        #expect(viewModel.phase == .deleted)
        #expect(viewModel.product == .boots)
        #expect(viewModel.lastError?.kind == kind)
        #expect(viewModel.lastError?.underlying as? ProductError == notFound)
    }

    // Rule: screen/confirmed-edit-outlasts-product (68)
    @Test(arguments: [true, false])
    func `a confirmed toggle of a product that has gone stays`(status: Bool) async throws {
        let loader = ProductLoader(
            load: { _ in throw ProductError.notFound("walking-boots") },
            setFavorite: { _, _ in nil }
        )
        let viewModel = ProductViewModel(
            ProductViewModel.Actions(
                productID: "walking-boots",
                loader: loader,
                listManager: .only()
            ),
            product: .boots.with { $0.isFavorite = !status }
        )

        try await viewModel.toggleProductFavoriteStatus()

        #expect(viewModel.isFavorite == status && viewModel.phase == .deleted)
        #expect(viewModel.lastError == nil)
        #expect(
            try await loader.setFavoriteStatus(status, forProductWithID: "walking-boots") == nil
        )
    }

    // Rule: screen/confirmed-edit-outlasts-product (68)
    @Test(arguments: [404, 410])
    func `a removal that an outbox sends is confirmed although the product has gone`(
        statusCode: Int
    ) async throws {
        let service = ProductService(
            baseURL: .api,
            localUser: .shopper,
            user: .signedIn("anna"),
            networking: .closure { request in
                request.httpMethod == "DELETE"
                    ? NetworkResponse(statusCode: 204)
                    : .problem(#"{"title": "Gone"}"#, statusCode: statusCode)
            },
            outbox: .controlled()
        )
        let outbox = try #require(service.outbox)
        let viewModel = service.viewModel(for: .favoriteBoots)

        try await viewModel.toggleProductFavoriteStatus()
        let isSent = await eventually { outbox.changes.isEmpty && !viewModel.isFavoriteUnsent }

        #expect(isSent && !viewModel.isFavorite && viewModel.phase == .deleted)
        #expect(viewModel.lastError == nil && outbox.rejections.isEmpty)
        #expect(
            try await service.loader.setFavoriteStatus(
                false,
                forProductWithID: .init("walking-boots")
            )
                == nil
        )
    }

    // Rule: screen/deleted-product-rejects-edits (21)
    @Test func `a deleted product can lose its star`() async throws {
        var sent: [Bool] = []
        let viewModel = ProductViewModel(
            .only(
                reload: { throw notFound },
                toggleFavorite: { isFavorite in
                    sent.append(isFavorite)
                    return nil
                }
            ),
            product: .favoriteBoots
        )
        await #expect(throws: notFound) { try await viewModel.reload() }

        try await viewModel.toggleProductFavoriteStatus()

        #expect(sent == [false] && !viewModel.isFavorite && viewModel.phase == .deleted)
    }

    // Rule: screen/deleted-product-rejects-edits (21)
    @Test func `a deleted product rejects toggles and additions without a call`() async throws {
        let viewModel = ProductViewModel(.only(reload: { throw notFound }))
        await #expect(throws: notFound) { try await viewModel.reload() }
        let status = Watcher { viewModel.isFavorite }

        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        await #expect(throws: notFound) { try await toggle.value }
        await #expect(throws: notFound) { try await viewModel.addProductToList(withID: "wishlist") }

        #expect(status.changes == 0 && !viewModel.isFavorite && viewModel.phase == .deleted)
        #expect(viewModel.lastError?.kind == .addToList)
    }

    // Rule: screen/deleted-product-rejects-edits (21)
    @Test func `a waiting toggle is not sent after “not found”`() async throws {
        let held = ActionGate<Void>()
        var sent: [Bool] = []
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { isFavorite in
                sent.append(isFavorite)
                if sent.count == 1 { try await held.hold() }
                return .boots.with { $0.isFavorite = isFavorite }
            }),
            product: .favoriteBoots
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }

        try held.release(throwing: notFound)
        await #expect(throws: notFound) { try await first.value }
        await #expect(throws: notFound) { try await second.value }

        #expect(sent == [false] && viewModel.isFavorite && viewModel.phase == .deleted)
    }

    // Rule: screen/deleted-product-rejects-edits (21)
    @Test func `a waiting addition is not sent after “not found”`() async throws {
        let held = ActionGate<Void>()
        var calls = 0
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                if calls == 1 { try await held.hold() }
            })
        )
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let second = await started { try await viewModel.addProductToList(withID: "wishlist") }

        try held.release(throwing: notFound)
        await #expect(throws: notFound) { try await first.value }
        await #expect(throws: notFound) { try await second.value }

        #expect(calls == 1 && viewModel.phase == .deleted)
    }

    // Rule: screen/reload-can-restore (22)
    @Test func `a successful reload restores a deleted product`() async throws {
        var isDeleted = true
        let viewModel = ProductViewModel(
            .only(
                reload: { if isDeleted { throw notFound } else { .boots(named: "Back") } },
                toggleFavorite: { _ in .boots(named: "Back", isFavorite: true) }
            )
        )
        await #expect(throws: notFound) { try await viewModel.reload() }

        isDeleted = false
        try await viewModel.reload()

        #expect(viewModel.phase == .loaded && viewModel.title == "Back")
        #expect(viewModel.lastError == nil)
        try await viewModel.toggleProductFavoriteStatus()
        #expect(viewModel.isFavorite)
    }

    // Rule: screen/reload-can-restore (22)
    @Test func `rejected edits do not prevent a reload from restoring the product`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { try await held.hold() },
                addToList: { _ in throw notFound }
            )
        )
        await #expect(throws: notFound) { try await viewModel.addProductToList(withID: "wishlist") }
        let reload = await started { try await viewModel.reload() }

        await #expect(throws: notFound) { try await viewModel.toggleProductFavoriteStatus() }
        await #expect(throws: notFound) { try await viewModel.addProductToList(withID: "wishlist") }
        try held.release(returning: .boots(named: "Back"))
        try await reload.value

        #expect(viewModel.phase == .loaded && viewModel.title == "Back")
    }

    // Rule: screen/reload-can-restore (22)
    @Test func `rejected waiting edits do not prevent a reload from restoring the product`()
        async throws
    {
        let loads = ActionGate<Product>()
        let toggles = ActionGate<Void>()
        var sent: [Bool] = []
        let viewModel = ProductViewModel(
            .only(
                reload: { try await loads.hold() },
                toggleFavorite: { isFavorite in
                    sent.append(isFavorite)
                    if sent.count == 1 { try await toggles.hold() }
                    return .boots.with { $0.isFavorite = isFavorite }
                }
            ),
            product: .favoriteBoots
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let reload = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }

        try toggles.release(throwing: notFound)
        await #expect(throws: notFound) { try await first.value }
        await #expect(throws: notFound) { try await second.value }
        try loads.release(returning: .boots(named: "Back"))
        try await reload.value

        #expect(sent == [false])
        #expect(viewModel.phase == .loaded && viewModel.title == "Back")
    }

    // Rule: screen/other-not-found-deletes-nothing (24)
    @Test func `“not found” for another product or a list deletes nothing`() async throws {
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
    func `a 404 to an addition is about the product if the problem names it`(
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

        #expect((error as? ProductError == notFound) == isDeleted)
        #expect((error as? ListError == .notFound("wishlist")) == !isDeleted)
        #expect(viewModel.phase == (isDeleted ? .deleted : .idle))
    }
}
