public import Observation

/// The state and the actions of a screen that shows which changes wait in an ``Outbox``.
///
/// ```swift
/// let viewModel = PendingChangesViewModel(
///     actions: .only(changes: { [change] }, send: { 0 })
/// )
/// try await viewModel.send()
/// ```
///
/// Call ``observe()`` while the screen is visible, in SwiftUI by `.task { await viewModel.observe() }`.
/// Without it, the screen shows the state at its creation and after each of its own actions.
@MainActor @Observable
public final class PendingChangesViewModel: FailureStoring {
    /// The changes that wait or are in flight, in the order of saving.
    public private(set) var changes: [Outbox.Change] = []
    /// The changes that the server has refused and that were neither dismissed nor sent again.
    ///
    /// One that other code dismisses stays until the next event, or until ``update()`` is called.
    public private(set) var rejections: [Outbox.Rejection] = []
    /// Whether ``send()`` is in progress.
    public var isSending: Bool { sendsInFlight > 0 }
    /// The failure to show, if any; a success of the same kind sets it to `nil`.
    public var lastError: ViewModelFailure?

    private let actions: Actions
    private var sendsInFlight = 0

    /// Creates a view model, which shows the current changes.
    ///
    /// - Parameter actions: The operations of the screen.
    public init(actions: Actions) {
        self.actions = actions
        update()
    }

    /// Shows the current changes and rejections.
    public func update() {
        changes = actions.changes()
        rejections = actions.rejections()
    }

    /// Updates the screen after each event of the outbox, until the task is cancelled.
    ///
    /// Returns early when the events end, as those of a session do when its user signs out. Then the screen
    /// is empty.
    public func observe() async {
        // Events from now on are buffered, so none is missed between the update and the loop.
        let events = actions.events()
        update()
        for await _ in events { update() }
        update()
    }

    /// Sends all changes now, without waiting for the time of the next attempt.
    ///
    /// With the live actions, that also ends a delay that the server has required.
    ///
    /// - Returns: The number of changes that still wait.
    /// - Throws: The error of the action; `CancellationError` when the task was cancelled.
    @discardableResult
    public func send() async throws -> Int {
        sendsInFlight += 1
        defer { sendsInFlight -= 1 }
        return try await perform(.sendChanges) { try await actions.send() }
    }

    /// Removes a change without sending it.
    ///
    /// Screens show the last change that is left, or else the server's value. The changes of a list go with its
    /// creation.
    ///
    /// A change that is no longer there has been sent or refused. That is not an error.
    ///
    /// - Parameter id: The change's identifier.
    /// - Throws: The error of the action, such as an ``OutboxError`` with code
    ///   ``OutboxError/Code-swift.struct/inFlight``; `CancellationError` when the task was cancelled.
    public func discard(changeWithID id: Outbox.Change.ID) async throws {
        try await perform(.discardChange) { try await actions.discard(id) }
    }

    /// Sends a change again that the server has refused; it waits like a new one.
    ///
    /// A rejection that is no longer there was dismissed or sent again. That is not an error.
    ///
    /// - Parameter id: The rejection's identifier.
    /// - Throws: The error of the action, such as ``OutboxError``; then the rejection stays.
    ///   `CancellationError` when the task was cancelled.
    public func resend(rejectionWithID id: Outbox.Rejection.ID) async throws {
        try await perform(.resendChange) { try await actions.resend(id) }
    }

    /// Removes a rejection that the user has seen.
    ///
    /// - Parameter id: The rejection's identifier.
    /// - Throws: The error of the action; `CancellationError` when the task was cancelled.
    public func dismiss(rejectionWithID id: Outbox.Rejection.ID) async throws {
        try await perform(.dismissRejection) { try await actions.dismiss(id) }
    }

    /// Performs an operation, stores its failure, and shows the changes that remain.
    private func perform<Value>(
        _ kind: ViewModelFailure.Kind,
        _ operation: () async throws -> Value
    ) async throws -> Value {
        defer { update() }
        try Task.checkCancellation()
        do {
            let value = try await operation()
            clearFailure(of: kind)
            return value
        } catch is CancellationError {
            // It is that of the task, or the end of the session.
            throw CancellationError()
        } catch {
            throw storeFailure(ViewModelFailure.cause(error), of: kind)
        }
    }
}
