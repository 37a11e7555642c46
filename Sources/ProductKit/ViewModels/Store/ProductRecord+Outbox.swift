/// The saved edits of a product that the server has refused, with their errors.
///
/// All screens of the product show the latest one. It is removed when the server confirms an edit
/// of the same subject, or when the user dismisses the failures on one of the screens.
struct RejectedEdits {
    /// One failure for each subject, the latest one last.
    private var failures: [(target: ProductRecord.Target, failure: ProductFailure)] = []

    /// Whether no edit was refused.
    var isEmpty: Bool { failures.isEmpty }

    /// Adds the failure of an edit, which replaces an earlier one of the same subject.
    mutating func add(_ failure: ProductFailure, of target: ProductRecord.Target) {
        remove(target)
        failures.append((target, failure))
    }

    /// Removes the failure of a subject, if there is one.
    mutating func remove(_ target: ProductRecord.Target) {
        failures.removeAll { $0.target == target }
    }

    /// The latest failure to show on a screen of a record, if any.
    @MainActor func current(for record: ProductRecord) -> ViewModelFailure? {
        failures.reversed().lazy.compactMap { $0.failure.current(for: record) }.first
    }
}

// The changes that the outbox of the store has saved.
extension ProductRecord {
    /// The failure of the latest refused edit, which all screens of the product show.
    var rejection: ViewModelFailure? { rejections.current(for: self) }

    /// Removes the failures of all refused edits.
    func dismissRejections() {
        if !rejections.isEmpty { rejections = RejectedEdits() }
    }

    /// Displays the value of a flag that waits in the outbox, or the server's value if none does.
    func adoptSavedValue(of target: Target) {
        guard store.outbox != nil else { return }
        let saved = savedValue(of: target)
        update(target) { $0.setSaved(saved) }
    }

    /// Displays the values that wait in the outbox, as far as some screen shows them.
    func adoptSavedValues() {
        adoptSavedValue(of: .favorite)
        for list in listsWithMembership { adoptSavedValue(of: .list(list)) }
    }

    /// Replaces a pending edit by the value that is saved.
    ///
    /// With an outbox, that is the value that waits in it now: the edit may have been sent, refused
    /// or replaced meanwhile. Without one, it is the edit's value.
    func replaceBySavedValue(_ edit: PendingEdit, of target: Target) {
        guard store.outbox != nil else {
            return update(target) { $0.save(edit, at: store.timestamp()) }
        }
        let saved = savedValue(of: target)
        update(target) { flag in
            flag.rollBack(edit)
            flag.setSaved(saved)
        }
    }

    /// Applies the server's value of a flag after an edit, and removes the failure of an earlier
    /// edit.
    ///
    /// - Parameters:
    ///   - edit: The pending edit that was sent; `nil` if the outbox has sent it.
    ///   - target: The flag.
    ///   - value: The server's value.
    func confirm(_ edit: PendingEdit?, of target: Target, with value: Bool) {
        let saved = savedValue(of: target)
        update(target) { flag in
            flag.confirm(edit, with: value, at: store.timestamp())
            flag.setSaved(saved)
        }
        if !rejections.isEmpty { rejections.remove(target) }
    }

    /// Removes the value of a change that the server has refused, and shows its error.
    ///
    /// An earlier attempt, whose response was lost, may have been carried out. So the next edit is
    /// sent even if it seems to change nothing.
    func reject(_ target: Target, with error: any Error, requestedAt timestamp: LogicalTimestamp) {
        _ = apply(error, requestedAt: timestamp)
        let saved = savedValue(of: target)
        update(target) { flag in
            flag.markOutcomeUnknown(at: store.timestamp())
            flag.setSaved(saved)
        }
        let failure = ViewModelFailure(kind: target.failureKind, underlying: error)
        rejections.add(ProductFailure(failure, of: self), of: target)
    }

    /// The value of a flag that waits in the outbox; `nil` if none does.
    private func savedValue(of target: Target) -> Bool? {
        switch target {
        case .favorite: store.outbox?.savedFavoriteStatus(of: id)
        case .list(let list): store.outbox?.savedMembership(of: id, in: list)
        }
    }
}

extension ProductRecord.Target {
    /// The kind of a failed edit.
    fileprivate var failureKind: ViewModelFailure.Kind {
        switch self {
        case .favorite: .toggleFavorite
        case .list(let list): .toggleMembership(list)
        }
    }
}
