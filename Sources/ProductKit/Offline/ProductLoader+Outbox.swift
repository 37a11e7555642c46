extension ProductLoader {
    /// Returns a loader that saves each change of a favorite status in an outbox.
    ///
    /// ``setFavoriteStatus(_:forProductWithID:)`` returns what the server returns for the next attempt,
    /// so it behaves the same online. If the change must be sent later, it returns `nil`.
    ///
    /// The methods return normally for a saved change. A closure of `Actions` that calls them reports it as
    /// confirmed, and saves the next tap only when the attempt has ended. The screens that a ``ProductService``
    /// creates save each tap at once. In `Actions` of your own, call ``Outbox/Session/save(_:)``, and return
    /// ``EditOutcome/saved``.
    ///
    /// - Parameter outbox: The session of an outbox, which was started with the original loader.
    /// - Returns: A loader with the same reads.
    public func performingEdits(in outbox: Outbox.Session) -> ProductLoader {
        savingEdits(in: outbox, awaitsServer: true)
    }

    /// Returns a loader for screens, whose edits end when they are saved and never wait for the server.
    package func saving(in outbox: Outbox.Session) -> ProductLoader {
        savingEdits(in: outbox, awaitsServer: false)
    }

    private func savingEdits(in outbox: Outbox.Session, awaitsServer: Bool) -> ProductLoader {
        var loader = self
        loader.setFavorite = { id, status in
            let edit = Outbox.Edit.setFavorite(id, to: status)
            let outcome = try await outbox.outcome(of: edit, awaitsServer: awaitsServer)
            return try outcome.map { confirmation in
                if confirmation.foundNoProduct { throw ConfirmedWithoutProduct() }
                return confirmation.product
            }
        }
        return loader
    }
}
