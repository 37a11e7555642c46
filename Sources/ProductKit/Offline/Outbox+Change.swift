public import Foundation

extension Outbox {
    /// An edit that was saved and not confirmed by the server yet.
    public struct Change: Identifiable, Hashable, Sendable {
        /// The identifier: 32 hexadecimal digits, the same for every attempt and after a restart.
        public let id: Identifier<Change>
        /// The edit.
        public let edit: Edit
        /// The time at which the edit was saved, in whole seconds.
        ///
        /// It is for display: nothing is decided by it.
        public let savedAt: Date

        /// Creates a change, for a test or a preview.
        public init(id: Identifier<Change>, edit: Edit, savedAt: Date) {
            self.id = id
            self.edit = edit
            self.savedAt = savedAt
        }
    }

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

extension Outbox.Change {
    /// Creates a change with a new identifier.
    init(_ edit: Outbox.Edit, effects: SystemEffects) {
        let digits = effects.uuid().uuidString.utf8.filter { $0 != UInt8(ascii: "-") }
        id = Identifier(String(decoding: digits, as: UTF8.self).lowercased())
        self.edit = edit
        let seconds = effects.now().timeIntervalSince1970.rounded(.down)
        savedAt = Date(timeIntervalSince1970: seconds)
    }
}
