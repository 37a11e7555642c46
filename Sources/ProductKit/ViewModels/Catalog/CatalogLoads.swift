import Observation

/// A search or a refresh, which replaces the rows of a catalog when it succeeds.
struct RowReplacement {
    let timestamp: LogicalTimestamp
    let kind: ViewModelFailure.Kind
    let query: ProductQuery
    /// The lock of the rows, which a search or a refresh that supersedes this one takes over.
    fileprivate let lock: HeldLock<CatalogLoads.Target>
}

/// The loads of a catalog in flight: at most one search or refresh, and at most one next page.
@MainActor @Observable
final class CatalogLoads {
    /// What one load at a time changes.
    enum Target: Hashable {
        /// The rows of a catalog, which a search or a refresh replaces.
        case rows(ObjectIdentifier)
        /// The end of the rows that were shown at a time, to which a next page is appended.
        case end(LogicalTimestamp)
    }

    /// The search or refresh in flight, if any, also if the store was reset since it started.
    private(set) var latest: RowReplacement?
    /// The lock of the call that sends requests for the page after the rows shown, if any.
    private var nextPageLock: HeldLock<Target>?
    /// When a search or a refresh last replaced the rows.
    @ObservationIgnored private(set) var rowsReplacedAt: LogicalTimestamp
    /// When a call for a next page last succeeded.
    @ObservationIgnored private var nextPageSucceededAt = LogicalTimestamp.distantPast
    /// When a call for the page after the rows shown last failed, and its error.
    @ObservationIgnored private var nextPageFailure:
        (timestamp: LogicalTimestamp, error: any Error)?
    private let store: ProductStore

    init(in store: ProductStore) {
        self.store = store
        rowsReplacedAt = store.timestamp()
    }

    /// The search or refresh in flight, unless the store was reset since it started.
    var current: RowReplacement? {
        latest.flatMap { store.isCurrent($0.timestamp) ? $0 : nil }
    }

    func isCurrent(_ load: RowReplacement) -> Bool {
        current?.timestamp == load.timestamp
    }

    /// Begins a search or a refresh, which supersedes the one in flight.
    func begin(_ kind: ViewModelFailure.Kind, of query: ProductQuery) async throws -> RowReplacement
    {
        // Only a search or a refresh in flight locks the rows, so this call does not wait.
        let lock =
            if let current { current.lock } else { try await store.catalogLock.acquire(rows) }
        let timestamp = store.timestamp()
        let load = RowReplacement(timestamp: timestamp, kind: kind, query: query, lock: lock)
        latest = load
        return load
    }

    /// Ends a search or a refresh, unless it has ended already.
    func end(_ load: RowReplacement) {
        guard latest?.timestamp == load.timestamp else { return }
        latest = nil
        load.lock.release()
    }

    /// Ends the search or refresh in flight, unless it is a refresh of the query given or shown.
    func endSuperseded(by query: ProductQuery, showing shownQuery: ProductQuery) {
        guard let latest else { return }
        let isNeeded = latest.query == query || latest.query == shownQuery
        if latest.kind == .search || !isNeeded { end(latest) }
    }

    /// Waits until no search and no refresh is in flight.
    func wait() async throws {
        while let load = current { try await wait(for: load) }
    }

    /// Waits until a search or a refresh, and any that has superseded it, has ended.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, or the store was reset meanwhile.
    func wait(for load: RowReplacement) async throws {
        try await store.catalogLock.waitUntilFree(rows)
        guard store.isCurrent(load.timestamp) else { throw CancellationError() }
    }

    private var rows: Target { .rows(ObjectIdentifier(self)) }
}

// Next pages: the calls wait for the one that sends requests, and share its outcome.
extension CatalogLoads {
    /// Whether a next page for the rows shown is in flight.
    var isLoadingNextPage: Bool { nextPageLock != nil }

    /// Waits until no search, no refresh and no other call is in flight, and locks the rows shown.
    func acquireNextPageLock() async throws -> HeldLock<Target> {
        while true {
            try await wait()
            let lock = try await store.catalogLock.acquire(end)
            // While this call waited, other rows may have been shown or another search started.
            if lock.key == end, current == nil { return lock }
            lock.release()
        }
    }

    /// Returns whether another call has succeeded since a time; throws its error if it has failed.
    func nextPageHasSucceeded(since start: LogicalTimestamp) throws -> Bool {
        if let nextPageFailure, nextPageFailure.timestamp > start { throw nextPageFailure.error }
        return nextPageSucceededAt > start
    }

    /// Marks the call that holds the lock as in flight.
    func beginNextPage(_ lock: HeldLock<Target>) {
        nextPageLock = lock
    }

    /// Records the end of the call in flight: the calls that wait for it return, or throw its error.
    func recordNextPage(_ error: (any Error)? = nil) {
        let now = store.timestamp()
        if let error { nextPageFailure = (now, error) } else { nextPageSucceededAt = now }
    }

    /// Releases the lock, unless this was done when the rows were replaced.
    func releaseNextPageLock(_ lock: HeldLock<Target>) {
        guard lock.key == end else { return }
        if nextPageLock != nil { nextPageLock = nil }
        lock.release()
    }

    /// Lets the calls that wait continue, because the next page in flight will be dropped.
    func rowsWereReplaced() {
        if let nextPageLock { releaseNextPageLock(nextPageLock) }
        nextPageFailure = nil
        rowsReplacedAt = store.timestamp()
    }

    private var end: Target { .end(rowsReplacedAt) }
}
