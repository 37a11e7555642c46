/// A Boolean that the user edits on a screen before the server has confirmed the edit.
///
/// It stores the value that the server last confirmed, the value that is saved in an outbox, and the
/// user's pending edits. The value to display is that of the last pending edit, else the saved value,
/// else the confirmed value. Rolling back an edit only removes it from the pending edits. No earlier
/// value is ever restored, so a rollback cannot overwrite anything newer.
struct OptimisticFlag {
    /// The value that the server has, as far as is known.
    private(set) var confirmed: Bool
    /// When the request started that returned the confirmed value; for a confirmed edit, when its response
    /// was applied.
    private var timestamp = LogicalTimestamp.distantPast
    /// The value that is saved and not confirmed; `nil` if there is none.
    private var saved: Bool?
    /// When a value was saved outside of the outbox of the store; `nil` if the outbox has it.
    ///
    /// The outbox removes its own value. Any other one is removed by the response to a later request.
    private var savedAt: LogicalTimestamp?
    /// The edits that are displayed and neither confirmed nor saved, oldest first.
    private var pendingEdits: [PendingEdit] = []
    /// The time at which the response to an edit was lost; `nil` after a response to a later request.
    ///
    /// The server may or may not have carried out the edit.
    private var outcomeUnknownSince: LogicalTimestamp?

    /// Creates a flag without pending edits, which displays a value until something newer is known.
    init(_ confirmed: Bool) {
        self.confirmed = confirmed
    }

    var displayed: Bool { pendingEdits.last?.value ?? saved ?? confirmed }

    /// Whether a value is saved that the server has not confirmed.
    var isUnsent: Bool { saved != nil }

    /// Displays an edit until it is confirmed or rolled back.
    mutating func beginEdit(to value: Bool, at timestamp: LogicalTimestamp) -> PendingEdit {
        let edit = PendingEdit(value: value, timestamp: timestamp)
        pendingEdits.append(edit)
        return edit
    }

    /// Whether an edit must be sent, now that no earlier edit is in flight.
    ///
    /// It need not be sent if its value is saved, if the server is known to have it and no other one
    /// is saved, or if the last pending edit has another value, which will be sent instead.
    func needsRequest(for edit: PendingEdit) -> Bool {
        guard edit.value == pendingEdits.last?.value else { return false }
        return saved.map { edit.value != $0 }
            ?? (edit.value != confirmed || outcomeUnknownSince != nil)
    }

    /// Whether a response to a later request has shown that the server has the value of an edit.
    func hasConfirmed(_ edit: PendingEdit) -> Bool {
        confirmed == edit.value && timestamp > edit.timestamp
    }

    /// Sets the confirmed value if no response has been applied yet.
    mutating func adopt(_ value: Bool) {
        if timestamp == .distantPast { confirmed = value }
    }

    /// Applies the server's value, unless the response to a later request has been applied.
    mutating func apply(_ value: Bool, requestedAt timestamp: LogicalTimestamp) {
        guard timestamp > self.timestamp else { return }
        self.timestamp = timestamp
        confirmed = value
        if let since = outcomeUnknownSince, timestamp > since { outcomeUnknownSince = nil }
        if let savedAt, timestamp > savedAt { setSaved(nil) }
    }

    /// Sets the value that waits in the outbox of the store; `nil` if none does.
    mutating func setSaved(_ value: Bool?) {
        (saved, savedAt) = (value, nil)
    }

    /// Replaces an edit by a saved value, which stays until the response to a later request.
    mutating func save(_ edit: PendingEdit, at timestamp: LogicalTimestamp) {
        (saved, savedAt) = (edit.value, timestamp)
        rollBack(edit)
    }

    /// Records that an edit was sent and its response lost.
    mutating func markOutcomeUnknown(at timestamp: LogicalTimestamp) {
        outcomeUnknownSince = timestamp
    }

    /// Applies the response to an edit, and removes the edit, and a value that was saved outside of the
    /// outbox.
    ///
    /// The timestamp is the current time: requests that started before may return the value from before the
    /// edit, so their responses are superseded.
    mutating func confirm(_ edit: PendingEdit?, with value: Bool, at timestamp: LogicalTimestamp) {
        self.timestamp = timestamp
        confirmed = value
        outcomeUnknownSince = nil
        if savedAt != nil { setSaved(nil) }
        if let edit { rollBack(edit) }
    }

    /// Removes an edit; does nothing if it has already been confirmed or rolled back.
    mutating func rollBack(_ edit: PendingEdit) {
        pendingEdits.removeAll { $0 == edit }
    }
}

/// A change of an ``OptimisticFlag`` that the server has not confirmed yet.
struct PendingEdit: Equatable {
    /// The value that the user chose.
    let value: Bool
    /// When the user chose it; different for each edit.
    fileprivate let timestamp: LogicalTimestamp
}
