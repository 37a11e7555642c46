extension Outbox {
    /// A step of a change, or a failure of the storage.
    ///
    /// Later versions may add cases: give every `switch` a `default`.
    public enum Event: Sendable {
        /// Changes that were saved earlier, such as in an earlier run of the app, wait to be sent; none if
        /// there were only rejections.
        case loaded([Change])
        /// A change was saved, and is displayed by all screens.
        case saved(Change)
        /// The server has carried out a change.
        case sent(Change)
        /// A change need not be sent any longer, because a later one replaced it or because the user
        /// has discarded it.
        case removed(Change)
        /// The server has refused a change, with this error; it is not sent again.
        case rejected(Change, any Error)
        /// A change could not be sent now, with this error; it is sent again later.
        case postponed(Change, any Error)
        /// A part of the file could not be read. Its bytes were saved beside it.
        ///
        /// It is torn if only its end is damaged, as after a loss of power. At most the record that
        /// contains the damage is lost.
        case damaged(byteCount: Int, isTorn: Bool)
        /// Records of a later version of the library were found. They are preserved, and not sent.
        case unknownRecords(Int)
        /// The storage failed. Edits of the user fail with the same error until it works again.
        case failed(OutboxError)
    }
}

/// The reactions of a ``ProductStore`` to the changes of an outbox.
struct OutboxObserver: Sendable {
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
}
