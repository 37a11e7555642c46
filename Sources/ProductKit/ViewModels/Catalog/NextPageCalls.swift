import Observation

/// The calls that load the next page of a catalog, of which one at a time sends requests.
///
/// The others wait for it and share its outcome. When other rows are shown, its lock is released
/// early, because its page will be dropped.
@MainActor @Observable
final class NextPageCalls {
    /// The lock of the call that sends requests for the rows shown, if any.
    private var lock: HeldLock<LogicalTimestamp>?
    /// When a search or a refresh last replaced the rows; the key of the lock.
    @ObservationIgnored private(set) var rowsReplacedAt: LogicalTimestamp
    /// When a call last succeeded.
    @ObservationIgnored private var succeededAt: LogicalTimestamp
    /// When a call for the rows shown last failed, and its error.
    @ObservationIgnored private var failure: (timestamp: LogicalTimestamp, error: any Error)?
    private let store: ProductStore

    init(in store: ProductStore, at timestamp: LogicalTimestamp) {
        self.store = store
        rowsReplacedAt = timestamp
        succeededAt = timestamp
    }

    /// Whether a next page for the rows shown is in flight.
    var isInFlight: Bool { lock != nil }

    /// Waits until no search, no refresh and no other call is in flight.
    ///
    /// - Returns: The lock for the rows shown, for ``begin(_:)`` and ``release(_:)``.
    func acquireLock(after loads: LatestCatalogLoad) async throws -> HeldLock<LogicalTimestamp> {
        while true {
            try await loads.wait()
            let key = rowsReplacedAt
            let lock = try await store.pageLock.acquire(key)
            // While this call waited, other rows may have been shown or another search started.
            if key == rowsReplacedAt, loads.current == nil { return lock }
            lock.release()
        }
    }

    /// Returns whether another call has succeeded since a time; throws its error if it has failed.
    func hasSucceeded(since start: LogicalTimestamp) throws -> Bool {
        if let failure, failure.timestamp > start { throw failure.error }
        return succeededAt > start
    }

    /// Marks the call that holds the lock as in flight.
    func begin(_ lock: HeldLock<LogicalTimestamp>) {
        self.lock = lock
    }

    /// Records that the call in flight has succeeded, so that the calls that wait for it return.
    func recordSuccess() {
        succeededAt = store.timestamp()
    }

    /// Records the error of the call in flight, which the calls that wait for it throw.
    func recordFailure(_ error: any Error) {
        failure = (store.timestamp(), error)
    }

    /// Releases the lock, unless this was done when the rows were replaced.
    func release(_ lock: HeldLock<LogicalTimestamp>) {
        guard lock.key == rowsReplacedAt else { return }
        if self.lock != nil { self.lock = nil }
        lock.release()
    }

    /// Lets the calls that wait continue, because the page in flight will be dropped.
    func rowsWereReplaced() {
        if let lock { release(lock) }
        failure = nil
        rowsReplacedAt = store.timestamp()
    }
}
