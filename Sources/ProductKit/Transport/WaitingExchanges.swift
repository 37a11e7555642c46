#if canImport(FoundationNetworking)
/// A limit of active exchanges: the number of those, and the exchanges that wait for their end, in FIFO
/// order.
struct WaitingExchanges<Exchange: TimedExchange> {
    private var activeCount = 0
    private var waiting: [Exchange] = []
    /// The number of waiting exchanges at which the ended ones are removed.
    private var cleanupThreshold = 64

    /// Whether no exchange is active or waits.
    var isUnused: Bool { activeCount == 0 }

    /// Adds an exchange.
    ///
    /// - Returns: Whether it may start now. Otherwise ``next()`` returns it later.
    mutating func mayStart(_ exchange: Exchange, maximumActiveCount: Int) -> Bool {
        guard activeCount >= maximumActiveCount else {
            activeCount += 1
            return true
        }
        waiting.append(exchange)
        if waiting.count >= cleanupThreshold {
            waiting.removeAll(where: \.hasEnded)
            cleanupThreshold = max(64, waiting.count * 2)
        }
        return false
    }

    /// Ends an active exchange.
    ///
    /// - Returns: The exchange that may start instead; `nil` if none is waiting.
    mutating func next() -> Exchange? {
        waiting.removeFirst(waiting.prefix(while: \.hasEnded).count)
        guard !waiting.isEmpty else {
            activeCount -= 1
            return nil
        }
        return waiting.removeFirst()
    }
}
#endif
