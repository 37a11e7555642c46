extension Outbox {
    /// A step of a change, or a failure of the storage.
    ///
    /// Later versions may add cases: give every `switch` a `default`.
    public enum Event: Sendable {
        /// Changes that were saved earlier, such as in an earlier run of the app, wait to be sent; none if
        /// there were only rejections.
        case loaded([Change])
        /// A change was saved. All screens display it when the call that saves it returns.
        case saved(Change)
        /// The server has carried out a change.
        case sent(Change)
        /// A change need not be sent any longer, because a later one replaced it or the user has discarded it.
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
        /// Records of a later version of the library, or about its changes, were found. They are preserved and not sent.
        case unknownRecords(Int)
        /// The storage failed: the file could not be opened, written or, at a sign-out, emptied.
        ///
        /// Each later edit tries it again.
        case failed(OutboxError)
    }
}
