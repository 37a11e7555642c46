import Synchronization

/// Changes that do not come from a client.
extension EmbeddedStore {
    /// Adds a product at the end of the catalog, or replaces the one with its identifier.
    ///
    /// - Parameter product: The product.
    public func putProduct(_ product: StoreProduct) {
        state.withLock { $0.put(product) }
    }

    /// Changes a product and keeps its position in the catalog.
    ///
    /// It does nothing if the store does not have the product.
    ///
    /// - Parameters:
    ///   - id: The product's identifier.
    ///   - change: The change. A new identifier is ignored.
    public func changeProduct(_ id: String, _ change: (inout StoreProduct) -> Void) {
        state.withLock { state in
            guard var product = state.entry(id)?.product else { return }
            change(&product)
            product.id = id
            state.put(product)
        }
    }

    /// Deletes a product.
    ///
    /// Requests for it return 404, and it is removed from all favorites. Its identifier stays on
    /// lists.
    ///
    /// - Parameter id: The product's identifier.
    public func deleteProduct(_ id: String) {
        state.withLock { $0.deleteProduct(id) }
    }

    /// Sets whether a product is a user's favorite, as another device of the user could.
    ///
    /// - Parameters:
    ///   - isFavorite: The new favorite status.
    ///   - id: The product's identifier.
    ///   - user: The user.
    public func setFavorite(
        _ isFavorite: Bool,
        _ id: String,
        of user: String = EmbeddedStore.demoUser
    ) {
        state.withLock { state in
            if isFavorite, state.entry(id) != nil {
                state[dataOf: user].addFavorite(id)
            } else if !isFavorite {
                state[dataOf: user].removeFavorite(id)
            }
        }
    }

    /// Renames a user's list, as another device of the user could.
    ///
    /// The version of the list changes.
    ///
    /// - Parameters:
    ///   - id: The list's identifier.
    ///   - name: The new name.
    ///   - user: The user.
    public func renameList(
        _ id: String,
        to name: String,
        of user: String = EmbeddedStore.demoUser
    ) {
        let now = configuration.now()
        state.withLock { state in
            state[dataOf: user].changeList(id, at: now) { $0.name = name }
        }
    }

    /// Deletes a user's list, as another device of the user could.
    ///
    /// - Parameters:
    ///   - id: The list's identifier.
    ///   - user: The user.
    public func deleteList(_ id: String, of user: String = EmbeddedStore.demoUser) {
        state.withLock { $0[dataOf: user].deleteList(id) }
    }

    /// Accepts a token from now on.
    ///
    /// - Parameters:
    ///   - token: The bearer token.
    ///   - user: The user that the token belongs to.
    public func acceptToken(_ token: String, of user: String = EmbeddedStore.demoUser) {
        state.withLock { $0.tokens[token] = user }
    }

    /// Rejects a token from now on, as if it had expired.
    ///
    /// - Parameter token: The bearer token.
    public func revokeToken(_ token: String) {
        state.withLock { $0.tokens[token] = nil }
    }
}
