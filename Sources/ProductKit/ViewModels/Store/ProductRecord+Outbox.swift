// The changes that the outbox of the store has saved.
extension ProductRecord {
    /// The failure of the latest refused edit, which all screens of the product show.
    var rejection: ViewModelFailure? {
        rejections.reversed().lazy.compactMap { $0.failure.current(for: self) }.first
    }

    /// Removes the failures of all refused edits.
    func dismissRejections() {
        if !rejections.isEmpty { rejections = [] }
    }

    /// Displays the value of a flag that waits in the outbox, or the server's value if none does.
    ///
    /// A caller that updates many flags passes the last edits of all.
    func showSavedValue(of target: Target, from edits: [Outbox.Edit.Part: Outbox.Edit]? = nil) {
        let edit = target.edit(of: id)
        guard let edits = edits ?? store.outbox?.lastEdits(of: edit.target) else { return }
        let saved = edits[edit.part].map { $0 == edit }
        update(target) { $0.setSaved(saved) }
    }

    /// Displays the values that wait in the outbox, as far as some screen shows them.
    func showSavedValues(from edits: [Outbox.Edit.Part: Outbox.Edit]?) {
        showSavedValue(of: .favorite, from: edits)
        for list in listsWithMembership { showSavedValue(of: .list(list), from: edits) }
    }

    /// Applies the server's value of a flag after an edit, and removes the failure of an earlier edit.
    func confirm(_ edit: PendingEdit?, of target: Target, with value: Bool) {
        update(target) { $0.confirm(edit, with: value, at: store.timestamp()) }
        if !rejections.isEmpty { rejections.removeAll { $0.target == target } }
    }

    /// Shows the error of a saved change that the server has refused.
    ///
    /// An earlier attempt, whose response was lost, may have been carried out. So the next edit is
    /// sent even if it seems to change nothing.
    func reject(_ target: Target, with error: any Error, requestedAt timestamp: LogicalTimestamp) {
        _ = apply(error, requestedAt: timestamp)
        update(target) { $0.markOutcomeUnknown(at: store.timestamp()) }
        let failure = ViewModelFailure(kind: target.failureKind, underlying: error)
        let others = rejections.filter { $0.target != target }
        rejections = others + [(target, ProductFailure(failure, of: self))]
    }
}

extension ProductRecord.Target {
    /// The edit that sets the flag of a product.
    fileprivate func edit(of product: Product.ID) -> Outbox.Edit {
        switch self {
        case .favorite: .setFavorite(product, to: true)
        case .list(let list): .addProduct(product, toList: list)
        }
    }

    fileprivate var failureKind: ViewModelFailure.Kind {
        switch self {
        case .favorite: .toggleFavorite
        case .list(let list): .toggleMembership(list)
        }
    }
}
