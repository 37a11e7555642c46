extension ProductLoader {
    /// Returns a loader that saves each change of a favorite status in an outbox.
    ///
    /// ``setFavoriteStatus(_:forProductWithID:)`` returns what the server returns for the next attempt,
    /// so it behaves the same online. If the change must be sent later, it throws ``SavedForLater``.
    /// Behaviors that ``with(behaviors:)`` adds to the result apply to its reads only.
    ///
    /// - Parameter outbox: The outbox, which must have been started with the original loader.
    /// - Returns: A loader with the same reads.
    public func offline(_ outbox: Outbox) -> ProductLoader {
        var loader = self
        loader.setFavorite = { id, status in
            let confirmation = try await outbox.perform(.setFavorite(id, to: status))
            if confirmation.foundNoProduct { throw ConfirmedWithoutProduct() }
            return confirmation.product
        }
        return loader
    }
}

extension ListManager {
    /// Returns a manager that saves each change of a list in an outbox.
    ///
    /// The methods return what the server returns for the next attempt, so they behave the same online.
    /// If the change must be sent later, they throw ``SavedForLater``. A list that is renamed only if
    /// it is unchanged is never saved: its version would not be current any longer.
    ///
    /// New lists are saved if the outbox does; see ``Outbox/savesNewLists``.
    ///
    /// - Parameter outbox: The outbox, which must have been started with the original manager.
    /// - Returns: A manager with the same reads.
    public func offline(_ outbox: Outbox) -> ListManager {
        var manager = self
        manager.addProduct = { id, list in try await outbox.perform(.addProduct(id, toList: list)) }
        manager.removeProduct = { id, list in
            try await outbox.perform(.removeProduct(id, fromList: list))
        }
        manager.deleteList = { id in try await outbox.perform(.deleteList(id)) }
        manager.renameList = { [renameList] id, name, version in
            guard version == nil else { return try await renameList(id, name, version) }
            let list = try await outbox.perform(.renameList(id, name: name)).list
            return list ?? ProductList(id: id, name: name)
        }
        guard outbox.savesNewLists else { return manager }
        manager.createList = { id, name in
            let list = try await outbox.perform(.createList(id, name: name)).list
            return list ?? ProductList(id: id, name: name)
        }
        return manager
    }
}
