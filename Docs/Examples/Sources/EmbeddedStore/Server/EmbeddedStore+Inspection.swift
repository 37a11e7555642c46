import Synchronization

extension EmbeddedStore {
    /// The requests that the store has responded to, in the order of the responses.
    public var exchanges: [StoreExchange] {
        log.withLock { $0.exchanges }
    }

    /// The number of requests that the store has responded to since it was created.
    public var requestCount: Int {
        log.withLock { $0.totalCount }
    }

    /// The number of writes that the store did not carry out again, because it knew their
    /// `Idempotency-Key`.
    public var repeatedWriteCount: Int {
        state.withLock(\.completedRequests.repetitionCount)
    }

    /// Counts the requests with a method and a path.
    ///
    /// - Parameters:
    ///   - method: The method in capitals.
    ///   - path: The path as sent, percent-encoded.
    /// - Returns: The number since the store was created or the log was cleared.
    public func count(of method: String, _ path: String) -> Int {
        log.withLock { log in
            log.exchanges.count { $0.method == method && $0.path == path }
        }
    }

    /// Clears the log of requests.
    public func clearExchanges() {
        log.withLock { $0.clear() }
    }

    /// Returns a product as the store has it.
    ///
    /// - Parameter id: The product's identifier.
    /// - Returns: The product, or `nil` if the store does not have it.
    public func product(_ id: String) -> StoreProduct? {
        state.withLock { $0.entry(id)?.product }
    }

    /// Returns whether a product is a user's favorite.
    ///
    /// - Parameters:
    ///   - id: The product's identifier.
    ///   - user: The user.
    /// - Returns: The favorite status.
    public func isFavorite(_ id: String, of user: String = EmbeddedStore.demoUser) -> Bool {
        state.withLock { $0[dataOf: user].favorites[id] != nil }
    }

    /// Returns a user's favorites.
    ///
    /// - Parameter user: The user.
    /// - Returns: The identifiers of the products, newest first.
    public func favorites(of user: String = EmbeddedStore.demoUser) -> [String] {
        state.withLock { $0.favoriteEntries(of: user).map(\.entry.product.id) }
    }

    /// Returns a user's lists.
    ///
    /// - Parameter user: The user.
    /// - Returns: The lists in the order of their creation.
    public func lists(of user: String = EmbeddedStore.demoUser) -> [StoreList] {
        state.withLock { $0[dataOf: user].lists.map(\.list) }
    }
}

/// A request that the store received and the status of its response.
public struct StoreExchange: Sendable, Hashable {
    /// The method in capitals.
    public let method: String
    /// The path as sent, percent-encoded.
    public let path: String
    /// The query as sent, empty if there was none.
    public let query: String
    /// The status code, or `nil` if the connection was closed instead.
    public let status: Int?
}

/// The latest exchanges, limited in number so that a store can run for a long time.
struct RecentExchanges: Sendable {
    private(set) var exchanges: [StoreExchange] = []
    private(set) var totalCount = 0
    private let limit = 50_000

    mutating func append(_ exchange: StoreExchange) {
        if exchanges.count >= 2 * limit { exchanges.removeFirst(limit) }
        exchanges.append(exchange)
        totalCount += 1
    }

    mutating func clear() {
        exchanges = []
    }
}
