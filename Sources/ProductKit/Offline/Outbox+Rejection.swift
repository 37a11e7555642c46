extension Outbox {
    /// A change that the server has refused, with its edit, which can be sent again.
    public struct Rejection: Identifiable, Hashable, Sendable {
        /// The change.
        public let change: Change
        /// The reason, which can be shown to the user.
        public let message: String

        /// The identifier of the change.
        public var id: Identifier<Change> { change.id }

        /// Creates a rejection, for a test or a preview.
        public init(change: Change, message: String) {
            self.change = change
            self.message = message
        }
    }
}

extension Outbox.Session {
    /// Sends an edit again that the server has refused, for example for a reason that has passed.
    ///
    /// It is saved as a new change, with a new identifier, and behind the changes that wait. Then the
    /// rejection is removed. If the server refuses it again, there is a new rejection.
    ///
    /// - Parameter id: The identifier of the rejection.
    /// - Returns: The identifier of the new change, or of an equal one that waits already; `nil` if the
    ///   rejection does not exist any longer, for example at the second call.
    /// - Throws: The errors of ``open()`` and ``save(_:)``. Then the rejection stays.
    @concurrent @discardableResult
    public func resend(_ id: Outbox.Rejection.ID) async throws -> Outbox.Change.ID? {
        try await open()
        guard let rejection = rejections.first(where: { $0.id == id }) else { return nil }
        let change = try await save(rejection.change.edit)
        dismiss(id)
        return change
    }
}
