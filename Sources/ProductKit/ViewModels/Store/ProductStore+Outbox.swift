// The changes that the outbox saves and sends.
extension ProductStore {
    /// Starts to apply the changes of the outbox to the screens, unless it has started before.
    ///
    /// The store holds the outbox, and the outbox holds the store weakly.
    func observeOutbox() {
        guard !observesOutbox else { return }
        observesOutbox = true
        outbox?.observe(
            OutboxObserver(
                savedChangesDidUpdate: { [weak self] target in self?.showSavedValues(of: target) },
                completion: { [weak self] change, wasSent in
                    guard let self else { return { _ in } }
                    // An attempt that started before the store did so before all of its requests. Names of
                    // lists are in the order of their confirmations.
                    let timestamp =
                        wasSent && !change.edit.isOfListItself ? firstTimestamp : timestamp()
                    return { [weak self] result in
                        self?.apply(result, of: change.edit, requestedAt: timestamp)
                    }
                }
            )
        )
    }

    /// Displays the values of a target that wait in the outbox; those of all targets for `nil`.
    private func showSavedValues(of target: Outbox.Edit.Target?) {
        let edits = outbox?.lastEdits(of: target)
        switch target {
        case .favorite(let product):
            existingRecord(of: product)?.showSavedValue(of: .favorite, from: edits)
        case .list(let list):
            for record in existingRecords where record.listsWithMembership.contains(list) {
                record.showSavedValue(of: .list(list), from: edits)
            }
            for screen in listScreens.all { screen.updateRows() }
        case nil:
            for record in existingRecords { record.showSavedValues(from: edits) }
            for screen in listScreens.all { screen.updateRows() }
        }
    }

    /// Applies the outcome of a change, and displays the values of its target that still wait in the outbox.
    ///
    /// The outbox does not contain the change any longer.
    private func apply(
        _ result: Result<Outbox.Confirmation, any Error>,
        of edit: Outbox.Edit,
        requestedAt timestamp: LogicalTimestamp
    ) {
        defer { showSavedValues(of: edit.target) }
        guard isCurrent(timestamp) else { return }
        switch result {
        case .success(let confirmation): confirm(edit, with: confirmation, requestedAt: timestamp)
        case .failure(let error): reject(edit, with: error, requestedAt: timestamp)
        }
    }

    private func confirm(
        _ edit: Outbox.Edit,
        with confirmation: Outbox.Confirmation,
        requestedAt timestamp: LogicalTimestamp
    ) {
        switch edit {
        case .setFavorite(let id, let value):
            let product = confirmation.product.flatMap { $0.id == id ? $0 : nil }
            let record = existingRecord(of: id) ?? retainedRecord(of: id)
            if confirmation.foundNoProduct {
                record?.confirmFavoriteOfDeletedProduct(value, requestedAt: timestamp)
            } else {
                record?.confirmFavorite(value, with: product, requestedAt: timestamp)
            }
        case .addProduct(let product, let list):
            existingRecord(of: product)?.confirm(nil, of: .list(list), with: true)
        case .removeProduct(let product, let list):
            existingRecord(of: product)?.confirm(nil, of: .list(list), with: false)
        case .createList, .renameList, .deleteList:
            if case .createList(let id, _) = edit { listScreens.confirm(id) }
            for screen in listScreens.all {
                screen.confirm(edit, with: confirmation.list, requestedAt: timestamp)
            }
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

    private func reject(
        _ edit: Outbox.Edit,
        with error: any Error,
        requestedAt timestamp: LogicalTimestamp
    ) {
        switch edit {
        case .setFavorite(let id, _):
            existingRecord(of: id)?.reject(.favorite, with: error, requestedAt: timestamp)
        case .addProduct(let product, let list), .removeProduct(let product, let list):
            // The reason is that of the creation, which was shown.
            if listScreens.isOfRejectedList(error, in: outbox) { break }
            existingRecord(of: product)?.reject(.list(list), with: error, requestedAt: timestamp)
        case .createList(let id, _): listScreens.reject(id, with: error)
        case .renameList, .deleteList: break
        }
        guard case ListError.notFound(let list) = error else { return }
        for screen in listScreens.all { screen.removeList(withID: list) }
    }
}
