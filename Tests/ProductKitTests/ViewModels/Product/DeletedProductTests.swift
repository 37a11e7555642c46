import Foundation
import ProductKit
import Testing

/// A product that the server reports as not found.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct DeletedProductTests {
    let notFound = ProductError.notFound("walking-boots")

    // Rule: screen/not-found-means-deleted (20)
    @Test(arguments: ProductViewModel.kinds)
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

        await #expect(throws: notFound) { try await viewModel.perform(kind) }

        #expect(viewModel.phase == .deleted && viewModel.product == .boots)
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

    // Rule: screen/newer-product-ends-failure (69); screen/not-found-means-deleted (20)
    @Test(arguments: [ProductError.notFound("walking-boots") as any Error, Offline()])
    func `“not found” after an edit does not end the failure of a reload`(
        failure: any Error
    ) async throws {
        var actions = ProductViewModel.Actions(
            productID: "walking-boots",
            loader: ProductLoader(
                load: { throw ProductError.notFound($0) },
                setFavorite: { _, _ in nil }
            ),
            listManager: .only()
        )
        actions.reload = { throw failure }
        let viewModel = ProductViewModel(actions, product: .favoriteBoots)
        await #expect(throws: (any Error).self) { try await viewModel.reload() }

        try await viewModel.toggleProductFavoriteStatus()

        #expect(!viewModel.isFavorite && viewModel.phase == .deleted)
        #expect(viewModel.lastError?.kind == .reload)
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
        let isSent = await eventually { !viewModel.isFavoriteUnsent }

        #expect(isSent && !viewModel.isFavorite && viewModel.phase == .deleted)
        #expect(viewModel.lastError == nil && outbox.changes.isEmpty && outbox.rejections.isEmpty)
        let product = try await service.loader.setFavoriteStatus(
            false,
            forProductWithID: "walking-boots"
        )
        #expect(product == nil)
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

        await #expect(throws: notFound) { try await viewModel.toggleProductFavoriteStatus() }
        await #expect(throws: notFound) { try await viewModel.addProductToList(withID: "wishlist") }

        #expect(status.changes == 0 && !viewModel.isFavorite && viewModel.phase == .deleted)
        #expect(viewModel.lastError?.kind == .addToList)
    }

    // Rule: screen/deleted-product-rejects-edits (21); screen/reload-can-restore (22)
    @Test func `a waiting toggle is not sent after “not found”, and does not prevent a reload`()
        async throws
    {
        let loads = ActionGate<Product>()
        let server = EditServer()
        let viewModel = ProductViewModel(
            server.actions(reload: { try await loads.hold() }),
            product: .favoriteBoots
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let reload = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }

        try server.held.release(throwing: notFound)
        await #expect(throws: notFound) { try await first.value }
        await #expect(throws: notFound) { try await second.value }
        #expect(server.statuses == [false] && viewModel.isFavorite)

        try loads.release(returning: .boots(named: "Back"))
        try await reload.value
        #expect(viewModel.phase == .loaded && viewModel.title == "Back")
    }

    // Rule: screen/deleted-product-rejects-edits (21)
    @Test func `a waiting addition is not sent after “not found”`() async throws {
        let server = EditServer()
        let viewModel = ProductViewModel(server.actions())
        let additions = await started(times: 2) {
            try await viewModel.addProductToList(withID: "wishlist")
        }

        try server.held.release(throwing: notFound)
        for addition in additions { await #expect(throws: notFound) { try await addition.value } }

        #expect(server.additions.count == 1 && viewModel.phase == .deleted)
    }

    // Rule: screen/reload-can-restore (22)
    @Test func `a reload restores a deleted product, also after rejected edits`() async throws {
        let held = ActionGate<Product>()
        var isDeleted = true
        let viewModel = ProductViewModel(
            .only(
                reload: { try await held.hold() },
                toggleFavorite: { _ in .boots(named: "Back", isFavorite: true) },
                addToList: { _ in if isDeleted { throw notFound } }
            )
        )
        await #expect(throws: notFound) { try await viewModel.addProductToList(withID: "wishlist") }
        let reload = await started { try await viewModel.reload() }

        await #expect(throws: notFound) { try await viewModel.toggleProductFavoriteStatus() }
        await #expect(throws: notFound) { try await viewModel.addProductToList(withID: "wishlist") }
        isDeleted = false
        try held.release(returning: .boots(named: "Back"))
        try await reload.value

        #expect(viewModel.phase == .loaded && viewModel.title == "Back")
        #expect(viewModel.lastError == nil)
        try await viewModel.toggleProductFavoriteStatus()
        try await viewModel.addProductToList(withID: "wishlist")
        #expect(viewModel.isFavorite)
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
