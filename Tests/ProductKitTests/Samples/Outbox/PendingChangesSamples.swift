import Foundation
import ProductKit
import Testing

/// The code of the documentation about the screen of pending changes.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct PendingChangesSamples {
    private let change = Outbox.Change(
        id: "1",
        edit: .setFavorite("walking-boots", to: true),
        savedAt: Date(timeIntervalSince1970: 0)
    )

    @Test func `a test of the pending changes gives the actions it cares about`() async throws {
        let change = change

        let viewModel = PendingChangesViewModel(
            actions: .only(changes: { [change] }, send: { 0 })
        )
        try await viewModel.send()

        #expect(viewModel.changes == [change])
    }

    @Test func `actions are live or given`() {
        let change = change
        let outbox = Outbox().start(for: "anna") { _ in Outbox.Confirmation() }

        let live = PendingChangesViewModel.Actions(outbox: outbox)
        let test = PendingChangesViewModel.Actions.only(changes: { [change] })

        #expect(live.changes().isEmpty && test.changes() == [change])
    }
}
