/// One request that the store received and the status it answered.
public struct StoreExchange: Sendable, Hashable {
    /// The method in capitals.
    public let method: String
    /// The path as it was sent, still percent-encoded.
    public let path: String
    /// The query as it was sent; empty when there was none.
    public let query: String
    /// The status, or nothing when the connection was closed instead.
    public let status: Int?
}

/// The newest exchanges, and never so many that a long-running store fills its memory.
struct RecentExchanges: Sendable {
    private(set) var exchanges: [StoreExchange] = []
    private let limit = 50_000

    mutating func append(_ exchange: StoreExchange) {
        if exchanges.count >= 2 * limit { exchanges.removeFirst(limit) }
        exchanges.append(exchange)
    }

    mutating func clear() {
        exchanges = []
    }
}
