import Observation

/// The open screens of lists of a store, and the failure that all of them show.
@MainActor @Observable
final class ListScreens {
    private struct WeakScreen {
        weak let screen: ListMembershipViewModel?
    }

    /// The failure of the latest creation of a list that was saved and that the server has refused.
    var rejection: ViewModelFailure?
    @ObservationIgnored private var screens: [WeakScreen] = []

    /// Adds a screen, which is held weakly.
    func add(_ screen: ListMembershipViewModel) {
        screens.removeAll { $0.screen == nil }
        screens.append(WeakScreen(screen: screen))
    }

    /// Removes the failure on all screens.
    func dismissRejection() {
        // Setting an equal value would notify the observers.
        if rejection != nil { rejection = nil }
    }

    /// The screens that exist.
    var all: [ListMembershipViewModel] { screens.compactMap(\.screen) }
}

// The changes that the outbox saves and sends.
extension ProductStore {
    /// The edits of lists that wait in the outbox, in the order of saving.
    var savedListEdits: [Outbox.Edit] { outbox?.savedListEdits ?? [] }

    /// Starts to apply the changes of the outbox to the screens, unless it has started before.
    ///
    /// The store holds the outbox, and the outbox holds the store weakly.
    func observeOutbox() {
        guard !observesOutbox else { return }
        observesOutbox = true
        outbox?.observe(
            OutboxObserver(
                savedChangesDidUpdate: { [weak self] target in self?.adoptSavedValues(of: target) },
                willSend: { [weak self] change in
                    guard let timestamp = self?.timestamp() else { return { _ in } }
                    return { outcome in
                        self?.apply(outcome, of: change.edit, requestedAt: timestamp)
                    }
                },
                didSend: { [weak self] change, outcome in
                    guard let self else { return }
                    // The attempt started before all requests of this store. Lists are in the order of
                    // their confirmations.
                    let isOfProduct = change.edit.subject == .favorite
                    let timestamp =
                        isOfProduct ? .first(generation: generation) : self.timestamp()
                    apply(outcome, of: change.edit, requestedAt: timestamp)
                }
            )
        )
    }

    /// Displays the values of a target that wait in the outbox; those of all targets for `nil`.
    private func adoptSavedValues(of target: Outbox.Edit.Target?) {
        switch target {
        case .favorite(let product):
            existingRecord(of: product)?.adoptSavedValue(of: .favorite)
        case .list(let list):
            for record in existingRecords where record.listsWithMembership.contains(list) {
                record.adoptSavedValue(of: .list(list))
            }
            for screen in listScreens.all { screen.savedListsDidUpdate() }
        case nil:
            for record in existingRecords { record.adoptSavedValues() }
            for screen in listScreens.all { screen.savedListsDidUpdate() }
        }
    }

    /// Applies the outcome of a change, and displays the values of its target that still wait in the outbox.
    ///
    /// The outbox does not contain the change any longer.
    ///
    /// - Parameters:
    ///   - outcome: The outcome.
    ///   - edit: The edit of the change.
    ///   - timestamp: When the attempt started.
    private func apply(
        _ outcome: OutboxObserver.Outcome,
        of edit: Outbox.Edit,
        requestedAt timestamp: LogicalTimestamp
    ) {
        defer { adoptSavedValues(of: edit.target) }
        guard isCurrent(timestamp) else { return }
        switch edit {
        case .setFavorite(let product, let value):
            applyFavorite(outcome, of: product, to: value, requestedAt: timestamp)
        case .addProduct(let product, let list):
            applyMembership(outcome, of: product, in: list, to: true, requestedAt: timestamp)
        case .removeProduct(let product, let list):
            applyMembership(outcome, of: product, in: list, to: false, requestedAt: timestamp)
        case .createList, .renameList, .deleteList:
            applyListEdit(edit, outcome, requestedAt: timestamp)
        }
    }

    private func applyFavorite(
        _ outcome: OutboxObserver.Outcome,
        of id: Product.ID,
        to value: Bool,
        requestedAt timestamp: LogicalTimestamp
    ) {
        switch outcome {
        case .confirmed(let confirmation):
            let product = confirmation.product.flatMap { $0.id == id ? $0 : nil }
            let record = existingRecord(of: id) ?? retainedRecord(of: id)
            if confirmation.foundNoProduct {
                record?.confirmFavoriteOfDeletedProduct(value, requestedAt: timestamp)
            } else {
                record?.confirmFavorite(value, with: product, requestedAt: timestamp)
            }
        case .rejected(let error):
            existingRecord(of: id)?.reject(.favorite, with: error, requestedAt: timestamp)
        }
    }

    /// Adds a record for a product that no screen shows, if loads are in flight.
    ///
    /// They may return the favorite status from before a change. All members of the record are
    /// unknown until then.
    private func retainedRecord(of id: Product.ID) -> ProductRecord? {
        guard loadsInFlight > 0 else { return nil }
        var product = Product(id: id, name: "")
        product.unknownMembers = .all
        return insert(ProductRecord(product, store: self))
    }

    private func applyMembership(
        _ outcome: OutboxObserver.Outcome,
        of product: Product.ID,
        in list: ProductList.ID,
        to value: Bool,
        requestedAt timestamp: LogicalTimestamp
    ) {
        let record = existingRecord(of: product)
        switch outcome {
        case .confirmed: record?.confirm(nil, of: .list(list), with: value)
        case .rejected(let error):
            record?.reject(.list(list), with: error, requestedAt: timestamp)
            removeMissingList(accordingTo: error)
        }
    }

    private func applyListEdit(
        _ edit: Outbox.Edit,
        _ outcome: OutboxObserver.Outcome,
        requestedAt timestamp: LogicalTimestamp
    ) {
        switch outcome {
        case .confirmed(let confirmation):
            if case .createList = edit { listScreens.dismissRejection() }
            for screen in listScreens.all {
                screen.confirm(edit, with: confirmation.list, requestedAt: timestamp)
            }
        case .rejected(let error):
            if case .createList(let id, _) = edit {
                listScreens.rejection = ViewModelFailure(kind: .createList, underlying: error)
                for screen in listScreens.all { screen.removeDraft(withID: id) }
            }
            removeMissingList(accordingTo: error)
        }
    }

    /// Removes a list from the screens if an error reports that it does not exist.
    private func removeMissingList(accordingTo error: any Error) {
        guard case ListError.notFound(let list) = error else { return }
        for screen in listScreens.all { screen.removeList(withID: list) }
    }
}
