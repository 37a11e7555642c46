/// The reactions of a ``ProductStore`` to the changes of an outbox.
///
/// It is a class, so that the sender can compare observers by identity.
final class OutboxObserver: Sendable {
    /// Applies the response of the server to a change, or the error with which the server has refused it.
    ///
    /// The outbox no longer contains the change, and contains those that still wait.
    typealias Completion = @MainActor @Sendable (Result<Outbox.Confirmation, any Error>) -> Void

    /// Called after changes of a target were saved or removed; `nil` if those of all targets may have changed.
    let savedChangesDidUpdate: @MainActor @Sendable (Outbox.Edit.Target?) -> Void
    /// Called before a change is sent, and returns what to call with its outcome.
    ///
    /// That is not called if the change must be sent again later, or if the user signs out. If the change
    /// was sent before the store observed the outbox, this is called when the outcome has arrived.
    let completion: @MainActor @Sendable (Outbox.Change, _ wasSent: Bool) -> Completion

    init(
        savedChangesDidUpdate: @escaping @MainActor @Sendable (Outbox.Edit.Target?) -> Void,
        completion: @escaping @MainActor @Sendable (Outbox.Change, _ wasSent: Bool) -> Completion
    ) {
        self.savedChangesDidUpdate = savedChangesDidUpdate
        self.completion = completion
    }
}
