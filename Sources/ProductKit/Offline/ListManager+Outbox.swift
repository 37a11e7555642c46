extension ListManager {
    /// Returns a manager that saves each change of a list in an outbox.
    ///
    /// The methods return what the server returns for the next attempt, so they behave the same online.
    /// If the change must be sent later, they return as well, and a list has the identifier and the name
    /// of the call. A list that is renamed only if it is unchanged is never saved: its version would not
    /// be current any longer. An older name that waits is removed then.
    ///
    /// New lists are saved, unless the outbox was created with `savesNewLists: false`, the server assigns their
    /// identifiers, see ``findingCreatedLists()``, or there is only one list, see ``init(onlyList:lines:)``.
    ///
    /// - Parameter outbox: The session of an outbox, which was started with the original manager.
    /// - Returns: A manager with the same reads.
    public func performingEdits(in outbox: Outbox.Session) -> ListManager {
        savingEdits(in: outbox, awaitsServer: true)
    }

    /// Returns a manager for screens, whose edits end when they are saved and never wait for the server.
    package func saving(in outbox: Outbox.Session) -> ListManager {
        savingEdits(in: outbox, awaitsServer: false)
    }

    private func savingEdits(in outbox: Outbox.Session, awaitsServer: Bool) -> ListManager {
        @Sendable func outcome(
            of edit: Outbox.Edit
        ) async throws -> EditOutcome<Outbox.Confirmation> {
            try await outbox.outcome(of: edit, awaitsServer: awaitsServer)
        }
        var manager = self
        manager.addProduct = { id, list in
            try await outcome(of: .addProduct(id, toList: list)).map { _ in }
        }
        manager.removeProduct = { id, list in
            try await outcome(of: .removeProduct(id, fromList: list)).map { _ in }
        }
        manager.deleteList = { id in try await outcome(of: .deleteList(id)).map { _ in } }
        manager.renameList = { [renameList] id, name, version in
            guard version == nil else {
                let renamed = try await renameList(id, name, version)
                // An older name that still waits must not replace this one.
                for change in outbox.changes {
                    guard case .renameList(id, _) = change.edit else { continue }
                    _ = try? await outbox.discard(change.id)
                }
                return renamed
            }
            return try await outcome(of: .renameList(id, name: name))
                .map { $0.list ?? ProductList(id: id, name: name) }
        }
        guard outbox.savesNewLists, !createsListsDirectly else { return manager }
        manager.createList = { id, name in
            try await outcome(of: .createList(id, name: name))
                .map { $0.list ?? ProductList(id: id, name: name) }
        }
        return manager
    }
}
