extension PendingChangesViewModel {
    /// The operations of a screen that shows which changes wait, as closures.
    ///
    /// ```swift
    /// let live = PendingChangesViewModel.Actions(outbox: outbox)
    /// let test = PendingChangesViewModel.Actions.only(changes: { [change] })
    /// ```
    ///
    /// The closures are like those of ``ProductViewModel/Actions``.
    public struct Actions {
        /// Returns the changes that wait or are in flight, in the order of saving.
        public var changes: () -> [Outbox.Change]
        /// Returns the changes that the server has refused, unless they were dismissed or sent again.
        public var rejections: () -> [Outbox.Rejection]
        /// Sends all changes now, and returns how many still wait.
        public var send: Loading<Int>
        /// Removes a change without sending it; throws an error if it is in flight.
        public var discard: AsyncAction<Outbox.Change.ID>
        /// Removes a rejection.
        public var dismiss: AsyncAction<Outbox.Rejection.ID>
        /// Sends a change again that the server has refused, and removes its rejection.
        public var resend: AsyncAction<Outbox.Rejection.ID>
        /// Returns the events from now on.
        public var events: () -> AsyncStream<Outbox.Event>

        /// Creates actions from closures.
        public init(
            changes: @escaping () -> [Outbox.Change],
            rejections: @escaping () -> [Outbox.Rejection],
            send: @escaping Loading<Int>,
            discard: @escaping AsyncAction<Outbox.Change.ID>,
            dismiss: @escaping AsyncAction<Outbox.Rejection.ID>,
            resend: @escaping AsyncAction<Outbox.Rejection.ID>,
            events: @escaping () -> AsyncStream<Outbox.Event>
        ) {
            self.changes = changes
            self.rejections = rejections
            self.send = send
            self.discard = discard
            self.dismiss = dismiss
            self.resend = resend
            self.events = events
        }
    }
}

@available(*, unavailable)
extension PendingChangesViewModel.Actions: Sendable {}

extension PendingChangesViewModel.Actions {
    /// Creates the live actions of a session of an outbox.
    ///
    /// - Parameter outbox: The session.
    public init(outbox: Outbox.Session) {
        self.init(
            changes: { outbox.changes },
            rejections: { outbox.rejections },
            send: { try await outbox.sendAll(ignoringRetryAfter: true) },
            discard: { id in
                let isDiscarded = try await outbox.discard(id)
                if !isDiscarded, outbox.changes.contains(where: { $0.id == id }) {
                    throw OutboxError(.inFlight)
                }
            },
            dismiss: { id in outbox.dismiss(id) },
            resend: { id in try await outbox.resend(id) },
            events: { outbox.events() }
        )
    }

    /// Creates actions of which only some are provided.
    ///
    /// A missing `send`, `discard`, `dismiss` or `resend` throws ``UnimplementedAction`` with its name.
    /// A missing `changes` or `rejections` returns none, and missing `events` end at once.
    public static func only(
        changes: (() -> [Outbox.Change])? = nil,
        rejections: (() -> [Outbox.Rejection])? = nil,
        send: Loading<Int>? = nil,
        discard: AsyncAction<Outbox.Change.ID>? = nil,
        dismiss: AsyncAction<Outbox.Rejection.ID>? = nil,
        resend: AsyncAction<Outbox.Rejection.ID>? = nil,
        events: (() -> AsyncStream<Outbox.Event>)? = nil,
        otherwise: @escaping (UnimplementedAction) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> PendingChangesViewModel.Actions {
        let missing = UnimplementedAction.reporting(to: otherwise, file: file, line: line)
        return PendingChangesViewModel.Actions(
            changes: changes ?? { [] },
            rejections: rejections ?? { [] },
            send: send ?? { throw missing("send") },
            discard: discard ?? { _ in throw missing("discard") },
            dismiss: dismiss ?? { _ in throw missing("dismiss") },
            resend: resend ?? { _ in throw missing("resend") },
            events: events ?? { AsyncStream { $0.finish() } }
        )
    }
}
