import Synchronization

extension EmbeddedStore {
    /// Everything that came in and was answered, in the order of the answers.
    public var exchanges: [StoreExchange] {
        log.withLock { $0.exchanges }
    }

    /// Counts the answered requests of one kind.
    ///
    /// - Parameters:
    ///   - method: The method in capitals.
    ///   - path: The path as it was sent, still percent-encoded.
    /// - Returns: How many there were since the store opened or the log was cleared.
    public func count(of method: String, _ path: String) -> Int {
        log.withLock { log in
            log.exchanges.count { $0.method == method && $0.path == path }
        }
    }

    /// Forgets the exchanges so far.
    public func clearExchanges() {
        log.withLock { $0.clear() }
    }

    /// Reads a product as the store has it.
    ///
    /// - Parameter id: The product's identity.
    /// - Returns: The product, or nothing when the store does not sell it.
    public func product(_ id: String) -> StoreProduct? {
        state.withLock { $0.card(id)?.product }
    }

    /// Tells whether a product is a shopper's favorite.
    ///
    /// - Parameters:
    ///   - id: The product's identity.
    ///   - user: The shopper.
    /// - Returns: Whether it is.
    public func isFavorite(_ id: String, of user: String = EmbeddedStore.demoUser) -> Bool {
        state.withLock { $0[shelfOf: user].favorites[id] != nil }
    }

    /// Reads a shopper's favorites.
    ///
    /// - Parameter user: The shopper.
    /// - Returns: The identities of the products, newest first.
    public func favorites(of user: String = EmbeddedStore.demoUser) -> [String] {
        state.withLock { $0.favoriteCards(of: user).map(\.card.product.id) }
    }

    /// Reads a shopper's lists.
    ///
    /// - Parameter user: The shopper.
    /// - Returns: The lists in the order of their creation.
    public func lists(of user: String = EmbeddedStore.demoUser) -> [StoreList] {
        state.withLock { $0[shelfOf: user].lists.map(\.list) }
    }
}
