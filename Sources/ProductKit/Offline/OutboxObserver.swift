/// The reactions of a ``ProductStore`` to the changes of an outbox.
///
/// It is a class, so that the sender can compare observers by identity.
final class OutboxObserver: Sendable {
    /// The outcome of a change.
    enum Outcome {
        /// The server has carried it out.
        case confirmed(Outbox.Confirmation)
        /// The server has refused it.
        case rejected(any Error)
    }

    /// Applies an outcome to the screens.
    ///
    /// The outbox no longer contains the change, and contains those that still wait.
    typealias Completion = @MainActor @Sendable (Outcome) -> Void

    /// Called after changes of a target were saved or removed; `nil` if those of all targets may
    /// have changed.
    let savedChangesDidUpdate: @MainActor @Sendable (Outbox.Edit.Target?) -> Void
    /// Called before a change is sent, and returns what to call with its outcome.
    ///
    /// That is not called if the change must be sent again later, or if the user signs out.
    let willSend: @MainActor @Sendable (Outbox.Change) -> Completion
    /// Called with the outcome of a change that was sent before the store observed the outbox.
    let didSend: @MainActor @Sendable (Outbox.Change, Outcome) -> Void

    init(
        savedChangesDidUpdate: @escaping @MainActor @Sendable (Outbox.Edit.Target?) -> Void,
        willSend: @escaping @MainActor @Sendable (Outbox.Change) -> Completion,
        didSend: @escaping @MainActor @Sendable (Outbox.Change, Outcome) -> Void
    ) {
        self.savedChangesDidUpdate = savedChangesDidUpdate
        self.willSend = willSend
        self.didSend = didSend
    }
}
