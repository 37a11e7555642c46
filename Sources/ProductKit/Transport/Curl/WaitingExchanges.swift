#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
/// The exchanges with one origin: the number of those with a transfer, and those that wait for one,
/// in FIFO order.
struct WaitingExchanges {
    private var activeCount = 0
    private var waiting: [CurlExchange] = []
    /// The number of waiting exchanges at which the ended ones are removed.
    private var cleanupThreshold = 64

    /// Whether no exchange has a transfer or waits for one.
    var isUnused: Bool { activeCount == 0 }

    /// Adds an exchange.
    ///
    /// - Returns: Whether it may start now. Otherwise ``next()`` returns it later.
    mutating func mayStart(_ exchange: CurlExchange, maximumActiveCount: Int) -> Bool {
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

    /// Ends the transfer of an exchange.
    ///
    /// - Returns: The exchange that may start instead; `nil` if none is waiting.
    mutating func next() -> CurlExchange? {
        waiting.removeFirst(waiting.prefix(while: \.hasEnded).count)
        guard !waiting.isEmpty else {
            activeCount -= 1
            return nil
        }
        return waiting.removeFirst()
    }
}
#endif
