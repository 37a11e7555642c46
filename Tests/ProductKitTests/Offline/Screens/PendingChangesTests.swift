import Foundation
import ProductKit
import Testing

/// The screen of the changes that wait in an outbox.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct PendingChangesTests {
    // Rule: outbox/pending-screen-follows-events (97)
    @Test
    func `the screen shows the changes when it opens, when it is observed and after each event`()
        async throws
    {
        var changes = [change("1")]
        var rejections: [Outbox.Rejection] = []
        let (events, continuation) = AsyncStream.makeStream(of: Outbox.Event.self)
        let screen = PendingChangesViewModel(
            actions: .only(changes: { changes }, rejections: { rejections }, events: { events })
        )
        #expect(screen.changes == changes && screen.rejections.isEmpty)
        changes = [change("2")]
        let observing = await started { await screen.observe() }
        #expect(screen.changes == changes)

        let updated = Watcher { screen.rejections }
        changes = [change("3")]
        rejections = [Outbox.Rejection(change: change("2"), message: "Refused.")]
        continuation.yield(.rejected(change("2"), Offline()))
        #expect(await eventually { screen.changes == changes && screen.rejections == rejections })
        #expect(updated.changes == 1)
        observing.cancel()
        try await observing.promptValue

        changes = []
        continuation.yield(.sent(change("3")))
        #expect(screen.changes == [change("3")])
        screen.update()
        #expect(screen.changes.isEmpty)
    }

    // Rule: outbox/pending-screen-sends-now (98)
    @Test func `sending returns how many changes still wait, and shows them`() async throws {
        var changes = [change("1"), change("2")]
        let gate = ActionGate<Int>()
        let screen = PendingChangesViewModel(
            actions: .only(changes: { changes }, send: { try await gate.hold() })
        )
        let sending = await started { try await screen.send() }
        #expect(screen.isSending)

        changes = [change("2")]
        try gate.release(returning: 1)

        #expect(try await sending.promptValue == 1)
        #expect(!screen.isSending && screen.changes.map(\.id) == ["2"] && screen.lastError == nil)
    }

    // Rule: outbox/pending-screen-sends-now (98)
    @Test func `the end of the session is no failure`() async throws {
        let screen = PendingChangesViewModel(
            actions: .only(send: { throw CancellationError() })
        )

        await #expect(throws: CancellationError.self) { try await screen.send() }

        #expect(screen.lastError == nil && !screen.isSending)
    }

    // Rule: outbox/pending-screen-sends-now (98)
    @Test func `a failure is thrown and shown until the same action succeeds`() async throws {
        var error: (any Error)? = Offline()
        let screen = PendingChangesViewModel(
            actions: .only(
                send: {
                    if let error { throw error }
                    return 0
                },
                discard: { _ in throw OutboxError(.inFlight) }
            )
        )

        await #expect(throws: Offline()) { try await screen.send() }
        #expect(screen.lastError?.kind == .sendChanges && !screen.isSending)
        error = nil
        try await screen.send()
        #expect(screen.lastError == nil)
        await #expect(throws: OutboxError(.inFlight)) {
            try await screen.discard(changeWithID: "1")
        }
        try await screen.send()

        #expect(screen.lastError?.kind == .discardChange)
    }

    // Rule: outbox/pending-screen-sends-now (98); screen/cancellation-is-not-a-failure (44)
    @Test func `a cancelled action shows no failure`() async throws {
        let gate = ActionGate<Int>(ignoresCancellation: true)
        let screen = PendingChangesViewModel(actions: .only(send: { try await gate.hold() }))
        let sending = await started { try await screen.send() }

        sending.cancel()
        try gate.release(throwing: Offline())

        await #expect(throws: CancellationError.self) { try await sending.promptValue }
        #expect(screen.lastError == nil && !screen.isSending)
    }

    // Rule: outbox/rejection-can-be-resent (102)
    @Test func `a refused edit that is sent again is shown as a change`() async throws {
        let screens = SavingScreens()
        let product = try await screens.refusedScreen()
        let pending = PendingChangesViewModel(actions: .init(outbox: screens.outbox))
        let rejection = try #require(pending.rejections.first)
        #expect(!product.isFavorite && product.lastError != nil)

        try await pending.resend(rejectionWithID: rejection.id)
        try await pending.resend(rejectionWithID: rejection.id)

        #expect(pending.rejections.isEmpty)
        #expect(pending.changes.map(\.edit) == [rejection.change.edit])
        #expect(product.isFavorite && product.isFavoriteUnsent && pending.lastError == nil)
        await screens.attempts.waitForCalls(1)
        try await screens.confirm(isCounted: true)
        #expect(product.isFavorite && !product.isFavoriteUnsent && product.lastError == nil)
    }

    // Rule: outbox/pending-screen-sends-now (98); outbox/rejection-can-be-resent (102)
    @Test func `a refused edit that cannot be saved again is a failure`() async throws {
        let rejection = Outbox.Rejection(change: change("1"), message: "Refused.")
        let screen = PendingChangesViewModel(
            actions: .only(rejections: { [rejection] }, resend: { _ in throw Offline() })
        )

        await #expect(throws: Offline()) { try await screen.resend(rejectionWithID: "1") }

        #expect(screen.lastError?.kind == .resendChange && screen.rejections == [rejection])
    }

    // Rule: screen/missing-action-throws (6)
    @Test func `a missing action throws its name`() async throws {
        let screen = PendingChangesViewModel(actions: .only())
        let actions: [(String, @MainActor () async throws -> Void)] = [
            ("send", { try await screen.send() }),
            ("discard", { try await screen.discard(changeWithID: "1") }),
            ("dismiss", { try await screen.dismiss(rejectionWithID: "1") }),
            ("resend", { try await screen.resend(rejectionWithID: "1") }),
        ]

        for (name, action) in actions {
            let error = await #expect(throws: UnimplementedAction.self) { try await action() }
            #expect(error?.name == name)
        }
        await screen.observe()

        #expect(screen.changes.isEmpty && screen.rejections.isEmpty)
    }

    // Rule: outbox/discarding-shows-server-value (99)
    @Test func `a discarded change of an outbox is no longer shown on the product's screens`()
        async throws
    {
        let screens = SavingScreens()
        let lists = screens.listScreen()
        let pending = PendingChangesViewModel(actions: .init(outbox: screens.outbox))
        try await screens.outbox.save(.renameList("wishlist", name: "Gifts"))
        await screens.attempts.waitForCalls(1)
        // These wait for the name.
        try await lists.toggleMembership(inListWithID: "wishlist")
        try await screens.outbox.save(.deleteList("wishlist"))
        #expect(lists.rows.isEmpty)
        pending.update()
        #expect(pending.changes.count == 2)

        let deletion = try #require(pending.changes.last)
        try await pending.discard(changeWithID: deletion.id)
        #expect(lists.names == ["Gifts"] && lists.holding == [])
        try await lists.toggleMembership(inListWithID: "wishlist")
        pending.update()
        let membership = try #require(pending.changes.last)
        #expect(lists.holding == ["Gifts"])
        try await pending.discard(changeWithID: membership.id)

        #expect(lists.holding == [] && pending.changes.count == 1)
        // It is gone, as the user intended.
        try await pending.discard(changeWithID: membership.id)
        #expect(pending.lastError == nil)
    }

    // Rule: outbox/discarding-shows-server-value (99)
    @Test func `a change in flight cannot be discarded`() async throws {
        let screens = SavingScreens()
        let product = try await screens.sendingScreen()
        let pending = PendingChangesViewModel(actions: .init(outbox: screens.outbox))
        let change = try #require(pending.changes.first)

        await #expect(throws: OutboxError(.inFlight)) {
            try await pending.discard(changeWithID: change.id)
        }

        #expect(product.isFavorite && pending.changes == [change])
        #expect(pending.lastError?.kind == .discardChange)
        #expect(pending.lastError?.localizedDescription.contains("cannot be discarded") == true)
    }

    // Rule: outbox/pending-screen-follows-events (97); outbox/pending-screen-sends-now (98)
    @Test func `the screen of an outbox shows rejections until they are dismissed`() async throws {
        let screens = SavingScreens()
        let pending = PendingChangesViewModel(actions: .init(outbox: screens.outbox))
        let observing = await started { await pending.observe() }
        _ = try await screens.refusedScreen()

        #expect(try await pending.send() == 0 && pending.changes.isEmpty)
        let rejection = try #require(pending.rejections.first)
        #expect(rejection.change.edit == .setFavorite("walking-boots", to: true))
        try await pending.dismiss(rejectionWithID: rejection.id)

        #expect(pending.rejections.isEmpty && screens.outbox.rejections.isEmpty)
        observing.cancel()
        try await observing.promptValue
    }

    // Rule: outbox/pending-screen-follows-events (97)
    @Test func `the screen is empty after its user has signed out`() async throws {
        let screens = SavingScreens()
        _ = try await screens.sendingScreen()
        let screen = PendingChangesViewModel(actions: .init(outbox: screens.outbox))
        let observing = await started { await screen.observe() }
        try #require(screen.changes.count == 1)

        // No event reports it.
        try await screens.outbox.removeAll()
        try await observing.promptValue

        #expect(screen.changes.isEmpty)
    }

    private func change(_ id: Outbox.Change.ID) -> Outbox.Change {
        .named(id, .setFavorite("walking-boots", to: true))
    }
}
