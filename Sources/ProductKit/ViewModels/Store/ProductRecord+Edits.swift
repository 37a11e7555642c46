// Editing the favorite status and the memberships.
extension ProductRecord {
    /// Displays a favorite status at once, and sends it after the earlier edits if still needed.
    ///
    /// An edit that is not needed any longer is saved if a saved value is shown, otherwise confirmed.
    func setFavorite(
        _ value: Bool,
        send: () async throws -> EditOutcome<Product?>
    ) async throws -> EditOutcome<Void> {
        try await edit(.favorite, to: value, if: { $0.needsRequest(for: $1) }) { edit, timestamp in
            do {
                return try await send().map { product in
                    try checkIdentifier(product?.id, requestedAt: timestamp)
                    confirmFavorite(value, of: edit, with: product, requestedAt: timestamp)
                }
            } catch is ConfirmedWithoutProduct {
                try checkGeneration(of: timestamp)
                confirmFavoriteOfDeletedProduct(value, of: edit, requestedAt: timestamp)
                return .confirmed(())
            }
        }
    }

    /// Displays a membership at once, and sends it after the earlier edits if still needed.
    ///
    /// Whether it is needed is decided when no earlier edit is in flight.
    func setMembership(
        _ value: Bool,
        in list: ProductList.ID,
        if isNeeded: (OptimisticFlag, PendingEdit) -> Bool = { $0.needsRequest(for: $1) },
        send: () async throws -> EditOutcome<Void>
    ) async throws -> EditOutcome<Void> {
        try await edit(.list(list), to: value, if: isNeeded) { edit, timestamp in
            try await send().map {
                try checkGeneration(of: timestamp)
                confirm(edit, of: .list(list), with: value)
            }
        }
    }

    /// Displays an edit, waits for the earlier edits of the same flag, and sends it if needed.
    ///
    /// When this returns or throws, the edit is no longer pending.
    private func edit(
        _ target: Target,
        to value: Bool,
        if isNeeded: (OptimisticFlag, PendingEdit) -> Bool,
        send: (PendingEdit, LogicalTimestamp) async throws -> EditOutcome<Void>
    ) async throws -> EditOutcome<Void> {
        // A removal, from the favorites or from a list, is possible without the product.
        if value { try checkExistence() }
        let edit = update(target) { $0.beginEdit(to: value, at: store.timestamp()) }
        // A confirmed edit has been removed already, so this has no effect on it.
        defer { update(target) { $0.rollBack(edit) } }
        let lock = try await acquireLock(for: edit, of: target)
        defer { lock.release() }
        if value { try checkExistence() }
        let (isNeeded, isUnsent) = update(target) { (isNeeded($0, edit), $0.isUnsent) }
        // The server may still refuse the saved value.
        guard isNeeded else { return isUnsent ? .saved : .confirmed(()) }
        let timestamp = store.timestamp()
        do {
            let outcome = try await send(edit, timestamp)
            // The edit is saved even if the task was cancelled meanwhile.
            if case .saved = outcome { try checkGeneration(of: timestamp) }
            if case .saved = outcome, store.outbox == nil {
                update(target) { $0.save(edit, at: store.timestamp()) }
            } else {
                showSavedValue(of: target)
            }
            return outcome
        } catch {
            let error = apply(error, requestedAt: timestamp)
            if store.isCurrent(timestamp), error.mayHaveReachedServer {
                update(target) { $0.markOutcomeUnknown(at: store.timestamp()) }
            }
            throw error
        }
    }

    /// Waits until no earlier edit of the same flag is in flight.
    ///
    /// An edit that is cancelled while it waits is rolled back before the lock passes to another.
    /// The closure for this is created only if the edit waits, because it is an allocation.
    private func acquireLock(
        for edit: PendingEdit,
        of target: Target
    ) async throws -> HeldLock<Target> {
        if let lock = try editLock.acquireIfFree(target) { return lock }
        return try await editLock.acquire(target) { [self] in
            update(target) { $0.rollBack(edit) }
        }
    }
}
