import ProductKit
import Testing

/// Additions of a product to lists.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ListAdditionTests {
    // Rule: screen/lists-are-independent (39)
    @Test func `additions to different lists run concurrently`() async throws {
        let server = EditServer()
        let viewModel = ProductViewModel(server.actions())
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }

        try await viewModel.addProductToList(withID: "groceries")

        #expect(server.additions == ["wishlist", "groceries"] && server.held.count == 1)
        try server.held.release()
        try await first.value
    }

    // Rule: screen/concurrent-additions-share-a-call (40)
    @Test func `concurrent additions to one list share a call, and all succeed`() async throws {
        let server = EditServer()
        let viewModel = ProductViewModel(server.actions())
        let additions = await started(times: 3) {
            try await viewModel.addProductToList(withID: "wishlist")
        }

        try server.held.release()
        for addition in additions { try await addition.value }

        #expect(server.additions == ["wishlist"] && viewModel.lastError == nil)
    }

    // Rule: screen/next-addition-retries (41)
    @Test(arguments: [true, false])
    func `when the shared call fails or is cancelled, the next caller makes its own`(
        isCancelled: Bool
    ) async throws {
        let server = EditServer()
        let viewModel = ProductViewModel(server.actions())
        let additions = await started(times: 3) {
            try await viewModel.addProductToList(withID: "wishlist")
        }

        if isCancelled { additions[0].cancel() }
        try server.held.release(throwing: Offline())
        let error = await #expect(throws: (any Error).self) { try await additions[0].value }
        for addition in additions.dropFirst() { try await addition.value }

        #expect(error is CancellationError == isCancelled)
        #expect(server.additions.count == 2 && viewModel.lastError == nil)
    }

    // Rule: screen/addition-can-be-repeated (42)
    @Test func `an addition after a successful one is a new call`() async throws {
        var calls = 0
        let viewModel = ProductViewModel(.only(addToList: { _ in calls += 1 }))

        try await viewModel.addProductToList(withID: "wishlist")
        try await viewModel.addProductToList(withID: "wishlist")

        #expect(calls == 2)
    }

    // Rule: screen/failed-addition-keeps-phase (43)
    @Test func `a failed addition is thrown and stored, and keeps the phase`() async throws {
        let missing = ListError.notFound("wishlist")
        let viewModel = ProductViewModel(
            .only(reload: { .boots }, addToList: { _ in throw missing })
        )

        await #expect(throws: missing) { try await viewModel.addProductToList(withID: "wishlist") }
        #expect(viewModel.phase == .idle)
        try await viewModel.reload()
        await #expect(throws: missing) { try await viewModel.addProductToList(withID: "wishlist") }

        #expect(viewModel.phase == .loaded && viewModel.product == .boots)
        #expect(viewModel.lastError?.kind == .addToList)
        #expect(viewModel.lastError?.underlying as? ListError == missing)
    }

    // Rule: screen/failed-addition-keeps-phase (43)
    @Test func `every failed caller throws, and the next success clears the failure`() async throws
    {
        let held = ActionGate<Void>(ignoresCancellation: true)
        var calls = 0
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                if calls == 1 { try await held.hold() }
                if calls == 2 { throw Offline() }
            })
        )
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let second = await started { try await viewModel.addProductToList(withID: "wishlist") }

        try held.release(throwing: ListError.notFound("wishlist"))
        await #expect(throws: ListError.notFound("wishlist")) { try await first.value }
        await #expect(throws: Offline()) { try await second.value }
        #expect(viewModel.lastError?.underlying as? Offline == Offline())

        try await viewModel.addProductToList(withID: "wishlist")
        #expect(viewModel.lastError == nil && calls == 3)
    }

    // Rule: screen/lists-are-independent (39); screen/status-is-always-consistent (38)
    @Test func `an addition behind a removal is sent`() async throws {
        let held = ActionGate<Void>(ignoresCancellation: true)
        var lines: [String] = []
        let store = ProductStore()
        let viewModel = ProductViewModel(
            .only(addToList: { list in lines.append("add to \(list)") }),
            store: store
        )
        let sheet = ListMembershipViewModel(
            .only(removeFromList: { list in
                lines.append("remove from \(list)")
                try await held.hold()
            }),
            lists: [.wishlist(holdingBoots: true)],
            store: store
        )
        let removal = await started { try await sheet.toggleMembership(inListWithID: "wishlist") }
        let addition = await started { try await viewModel.addProductToList(withID: "wishlist") }
        #expect(sheet.holding == ["Wishlist"])

        try held.release()
        try await removal.value
        try await addition.value

        #expect(lines == ["remove from wishlist", "add to wishlist"])
        #expect(sheet.holding == ["Wishlist"])
    }

    // Rule: screen/opposite-edit-after-failure (31)
    @Test(
        arguments: [(Offline(), true), (NetworkError(.unreachable), false)]
            as [(any Error, Bool)]
    )
    func `an addition behind a removal is sent if the response to the removal is lost`(
        error: any Error,
        isSent: Bool
    ) async throws {
        let held = ActionGate<Void>(ignoresCancellation: true)
        var additions = 0
        let store = ProductStore()
        let viewModel = ProductViewModel(.only(addToList: { _ in additions += 1 }), store: store)
        let sheet = ListMembershipViewModel(
            .only(
                loadLists: { Page([.wishlist(holdingBoots: true)]) },
                removeFromList: { _ in try await held.hold() }
            ),
            lists: [.wishlist(holdingBoots: true)],
            store: store
        )
        let removal = await started { try await sheet.toggleMembership(inListWithID: "wishlist") }
        let addition = await started { try await viewModel.addProductToList(withID: "wishlist") }

        // The server has not carried out the removal yet.
        try await sheet.reload()
        try held.release(throwing: error)
        await #expect(throws: (any Error).self) { try await removal.value }
        try await addition.value

        #expect(additions == (isSent ? 1 : 0) && sheet.holding == ["Wishlist"])
    }
}
