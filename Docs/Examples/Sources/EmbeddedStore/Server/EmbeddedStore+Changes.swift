import Synchronization

/// What happens in a shop without a client's doing.
extension EmbeddedStore {
    /// Adds a product at the end of the catalog, or replaces the one with its identity.
    ///
    /// - Parameter product: The product.
    public func putProduct(_ product: StoreProduct) {
        state.withLock { $0.put(product) }
    }

    /// Changes a product where it stands; a missing one stays missing.
    ///
    /// - Parameters:
    ///   - id: The product's identity.
    ///   - change: What is done to it. A changed identity is ignored.
    public func changeProduct(_ id: String, _ change: (inout StoreProduct) -> Void) {
        state.withLock { state in
            guard var product = state.card(id)?.product else { return }
            change(&product)
            product.id = id
            state.put(product)
        }
    }

    /// Stops selling a product: reads answer 404, favorites forget it, lists keep its identity.
    ///
    /// - Parameter id: The product's identity.
    public func deleteProduct(_ id: String) {
        state.withLock { $0.deleteProduct(id) }
    }

    /// Makes a product a shopper's favorite or not, as another device of theirs might.
    ///
    /// - Parameters:
    ///   - isFavorite: What it shall be.
    ///   - id: The product's identity.
    ///   - user: The shopper.
    public func setFavorite(
        _ isFavorite: Bool,
        _ id: String,
        of user: String = EmbeddedStore.demoUser
    ) {
        state.withLock { state in
            if isFavorite, state.card(id) != nil {
                state[shelfOf: user].addFavorite(id)
            } else if !isFavorite {
                state[shelfOf: user].removeFavorite(id)
            }
        }
    }

    /// Renames a shopper's list, as another device of theirs might; its version changes.
    ///
    /// - Parameters:
    ///   - id: The list's identity.
    ///   - name: The new name.
    ///   - user: The shopper.
    public func renameList(
        _ id: String,
        to name: String,
        of user: String = EmbeddedStore.demoUser
    ) {
        let now = configuration.now()
        state.withLock { state in
            state[shelfOf: user].changeList(id, at: now) { $0.name = name }
        }
    }

    /// Deletes a shopper's list, as another device of theirs might.
    ///
    /// - Parameters:
    ///   - id: The list's identity.
    ///   - user: The shopper.
    public func deleteList(_ id: String, of user: String = EmbeddedStore.demoUser) {
        state.withLock { $0[shelfOf: user].deleteList(id) }
    }

    /// Accepts a token from now on.
    ///
    /// - Parameters:
    ///   - token: The bearer token.
    ///   - user: The shopper who holds it.
    public func acceptToken(_ token: String, of user: String = EmbeddedStore.demoUser) {
        state.withLock { $0.tokens[token] = user }
    }

    /// Refuses a token from now on, as if it had expired.
    ///
    /// - Parameter token: The bearer token.
    public func revokeToken(_ token: String) {
        state.withLock { $0.tokens[token] = nil }
    }
}
