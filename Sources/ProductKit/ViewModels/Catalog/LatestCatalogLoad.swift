import Observation

/// A search or a refresh, which replaces the rows of a catalog when it succeeds.
struct CatalogLoad {
    let timestamp: LogicalTimestamp
    let kind: ViewModelFailure.Kind
    let query: ProductQuery
    /// Other calls wait for this lock until the search or the refresh ends.
    let lock: HeldLock<LogicalTimestamp>
}

/// The searches and refreshes of a catalog, of which at most one is in flight.
@MainActor @Observable
final class LatestCatalogLoad {
    /// The search or refresh in flight, if any, also if the store was reset since it started.
    private(set) var latest: CatalogLoad?
    private let store: ProductStore

    init(in store: ProductStore) {
        self.store = store
    }

    /// The search or refresh in flight, unless the store was reset since it started.
    var current: CatalogLoad? {
        latest.flatMap { store.isCurrent($0.timestamp) ? $0 : nil }
    }

    func isCurrent(_ load: CatalogLoad) -> Bool {
        current?.timestamp == load.timestamp
    }

    /// Begins a search or a refresh, and ends the one in flight.
    func begin(_ kind: ViewModelFailure.Kind, of query: ProductQuery) async throws -> CatalogLoad {
        // A new timestamp is a key that is free, so this call does not wait. Later ones wait for
        // it.
        let timestamp = store.timestamp()
        let lock = try await store.pageLock.acquire(timestamp)
        let load = CatalogLoad(timestamp: timestamp, kind: kind, query: query, lock: lock)
        if let superseded = latest { end(superseded) }
        latest = load
        return load
    }

    /// Ends a search or a refresh, unless it has ended already.
    func end(_ load: CatalogLoad) {
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

    /// Waits until a search or a refresh has ended.
    func wait(for load: CatalogLoad) async throws {
        try await store.pageLock.acquire(load.timestamp).release()
    }
}
