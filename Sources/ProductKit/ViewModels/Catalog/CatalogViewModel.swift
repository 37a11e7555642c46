import Foundation
public import Observation

/// The state and the actions of a screen that searches and pages through the catalog.
///
/// ```swift
/// let viewModel = CatalogViewModel(
///     localUser: LocalUser(currency: "EUR"),
///     actions: .only(loadPage: { _, _ in Page([boots]) })
/// )
/// try await viewModel.search("boots")
/// ```
///
/// These guarantees hold in whatever order keystrokes, pages, edits and failures arrive:
///
/// - A next page is dropped if other rows are shown by the time it arrives. A search that is
///   superseded by a newer one changes nothing.
/// - Next pages and refreshes run one at a time. Each sends requests only if they are still needed
///   when it starts.
/// - Pages, reloads and edits are ordered by the time at which their requests started. A row shows
///   the same as the product's own screen if both share a ``ProductStore``.
///
/// A method returns normally when the screen is in the state that it promises, even if another call
/// led to it. Otherwise it throws the error, and stores it in ``lastError`` for the screen.
/// Cancellation is thrown and not stored. See <doc:CatalogScreen>.
@MainActor @Observable
public final class CatalogViewModel: FailureStoring {
    /// The failure to show, if any.
    ///
    /// A search or a refresh that succeeds sets it to `nil`. A next page that succeeds does so if
    /// the failure was that of a next page. The app may do so, too, when the user dismisses it.
    public var lastError: ViewModelFailure?
    /// The user whose currency and locale prices are shown in.
    public var localUser: LocalUser {
        get { settings.localUser }
        set { settings.localUser = newValue }
    }
    /// The time that a search waits for further keystrokes before it sends a request; 300 ms.
    @ObservationIgnored public var debounce = Duration.milliseconds(300)
    /// The minimum number of characters to search for; 1, since one ideograph can be a word.
    @ObservationIgnored public var minimumLength = 1

    /// The products to show, each once.
    public private(set) var rows: [ProductRow] = []
    /// The query that the rows match.
    public private(set) var query = ProductQuery()
    /// Whether there are more products after the last row.
    public private(set) var hasNextPage = false
    /// The total number of products that match the query; `nil` if the backend does not return it.
    public private(set) var total: Int?
    /// The products that could not be decoded; the others are shown.
    public private(set) var rejected: [RejectedElement] = []
    /// The source of the rows: the server, or a cache.
    ///
    /// It is the server only if all pages came from the server.
    public private(set) var source = FetchSource.network
    /// Whether a next page for the rows shown is in flight.
    public private(set) var isLoadingNextPage = false

    /// The phase when no operation is in flight.
    private var lastPhase = LoadingPhase.idle
    /// The search or refresh in flight, if any.
    private var operation: LoadOperation?
    /// The query of the last search or refresh, if it failed.
    private var failedQuery: ProductQuery?
    private let settings: ProductRow.DisplaySettings
    private let actions: Actions
    private let store: ProductStore
    @ObservationIgnored private var pages: CatalogPages
    /// When a search or a refresh last replaced the rows.
    @ObservationIgnored private var rowsReplacedAt: LogicalTimestamp
    /// When a call of ``loadNextPage()`` last succeeded.
    @ObservationIgnored private var nextPageLoadedAt: LogicalTimestamp

    /// Creates a view model without rows, which loads nothing by itself.
    ///
    /// - Parameters:
    ///   - localUser: The user whose currency and locale prices are shown in.
    ///   - actions: The operations of the screen.
    ///   - store: The state to share with the products' screens; `nil` for a screen on its own.
    public init(localUser: LocalUser, actions: Actions, store: ProductStore? = nil) {
        let store = store ?? ProductStore()
        let timestamp = store.timestamp()
        settings = ProductRow.DisplaySettings(localUser)
        self.actions = actions
        self.store = store
        pages = CatalogPages(of: ProductQuery(), startedAt: timestamp)
        rowsReplacedAt = timestamp
        nextPageLoadedAt = timestamp
    }

    /// Searches for a text, or lists all products if it is empty.
    ///
    /// White space around the text is ignored. The request is sent after ``debounce``, or at once
    /// for the empty text. The present rows stay until the first page arrives.
    ///
    /// No request is sent for a text whose results are shown already, or that is not empty and
    /// shorter than ``minimumLength``. Such a call only supersedes the search in flight. If the
    /// last search or refresh has failed, the same text is searched for again.
    ///
    /// A newer search supersedes this one, whichever response arrives first. The superseded call
    /// throws when its debounce interval or its request has ended. To end it earlier, cancel its
    /// task.
    ///
    /// - Parameter text: The text to search for.
    /// - Throws: The error of the action; `CancellationError` when the task was cancelled, the
    ///   store was reset or a newer search started.
    public func search(_ text: String) async throws {
        try Task.checkCancellation()
        let query = ProductQuery(text: text.trimmingCharacters(in: .whitespacesAndNewlines))
        endSupersededOperation()
        guard query.text.isEmpty || query.text.count >= minimumLength else {
            failedQuery = nil
            return
        }
        guard !isShowingPages || query != self.query || lastPhase == .failed else { return }
        // A new timestamp is a key that is free, so this call does not wait. Later ones wait for
        // it.
        let timestamp = store.timestamp()
        let lock = try await store.pageLock.acquire(timestamp)
        try await load(
            LoadOperation(timestamp: timestamp, kind: .search, query: query, lock: lock)
        )
    }

    /// Reloads all pages that are shown, or repeats a search that failed.
    ///
    /// The rows change when the last of these pages has arrived, so a failure leaves them as they
    /// are. Two calls at once share their requests. If no page is shown, the first one is loaded. A
    /// search for another text supersedes the refresh.
    ///
    /// - Throws: The error of the action; `CancellationError` when the task was cancelled, the
    ///   store was reset or a search for another text started.
    public func refresh() async throws {
        try Task.checkCancellation()
        let start = store.timestamp()
        let lock = try await acquireLock()
        // Another refresh or search has replaced the rows while this one waited.
        guard rowsReplacedAt < start else { return lock.release() }
        let query = failedQuery ?? query
        let timestamp = store.timestamp()
        try await load(
            LoadOperation(timestamp: timestamp, kind: .refresh, query: query, lock: lock)
        )
    }

    /// Loads the next page and appends its products to the rows.
    ///
    /// After the last page, and before the first one, it sends no request. A page without new
    /// products is followed by the next one, up to ten pages per call. Two calls at once load one
    /// page. A call during a search or a refresh waits for it, and continues only if the rows still
    /// match the same query.
    ///
    /// - Throws: The error of the action; `CancellationError` when the task was cancelled, the
    ///   store was reset or the rows match another query.
    public func loadNextPage() async throws {
        try Task.checkCancellation()
        guard isShowingPages else {
            // The rows are those of a user who has signed out.
            if pages.count > 0 { throw CancellationError() }
            return
        }
        let start = store.timestamp()
        let initialQuery = query
        let lock = try await acquireLock()
        defer { lock.release() }
        guard query == initialQuery else { throw CancellationError() }
        guard nextPageLoadedAt < start, hasNextPage else { return }
        try await appendNextPages(to: pages.timestamp)
    }

    /// Loads the next page when a row near the end appears, for a list that scrolls endlessly.
    ///
    /// - Parameters:
    ///   - row: The row that has appeared.
    ///   - count: The number of rows at the end that count as near.
    /// - Throws: The errors of ``loadNextPage()``.
    public func loadNextPage(ifNearEnd row: ProductRow, within count: Int = 5) async throws {
        guard rows.suffix(max(0, count)).contains(row) else { return }
        try await loadNextPage()
    }
}

extension CatalogViewModel {
    /// The state of the screen: `loading` while a search or a refresh is in flight.
    public var phase: LoadingPhase { operation == nil ? lastPhase : .loading }

    /// Whether a search is in flight, or waits for its debounce interval.
    package var isSearching: Bool { operation?.kind == .search }

    /// Whether a refresh is in flight.
    package var isRefreshing: Bool { operation?.kind == .refresh }

    /// Whether the rows match an earlier query, because the latest search is in flight or has
    /// failed.
    public var isShowingPreviousResults: Bool {
        isShowingPages && (operation?.query ?? failedQuery ?? query) != query
    }
}

// Searches and refreshes.
extension CatalogViewModel {
    /// A search or a refresh, which replaces the rows when it succeeds.
    private struct LoadOperation {
        let timestamp: LogicalTimestamp
        let kind: ViewModelFailure.Kind
        let query: ProductQuery
        let lock: HeldLock<LogicalTimestamp>
    }

    /// Loads pages from the first one, and shows them when they are complete.
    private func load(_ operation: LoadOperation) async throws {
        if let superseded = self.operation { end(superseded) }
        self.operation = operation
        store.pageLoadsInFlight += 1
        defer {
            store.pageLoadsInFlight -= 1
            end(operation)
        }
        do {
            if operation.kind == .search, !operation.query.text.isEmpty {
                try await actions.sleep(debounce)
            }
            let isRepeated = operation.kind == .refresh && operation.query == query
            let pageCount = isRepeated ? self.pages.count : 1
            var pages = CatalogPages(of: operation.query, startedAt: operation.timestamp)
            var loaded: [ProductStore.TimestampedPage] = []
            var products: [Product.ID] = []
            repeat {
                guard isCurrent(operation) else { throw CancellationError() }
                let page = try await loadPage(after: pages)
                guard isCurrent(operation) else { throw CancellationError() }
                loaded.append(page)
                products += pages.append(page.page)
                // Stored pages do not replace rows from the server because the server has failed.
                if isRepeated, isShowingPages, self.pages.source.isFromServer,
                    let failure = pages.source.failure
                {
                    throw failure
                }
                // A refresh loads as many pages as are shown. Empty first pages are skipped.
            } while pages.pagination.next != nil && pages.count < pageCount
                || products.isEmpty && pages.pagination.shouldSkipEmptyPage
            show(pages, rows: rows(of: products, from: loaded))
        } catch {
            guard isCurrent(operation), !isCancellation(error) else { throw CancellationError() }
            lastPhase = .failed
            failedQuery = operation.query
            throw storeFailure(error, of: operation.kind)
        }
    }

    /// Replaces the rows, and notifies observers only of what is different.
    private func show(_ pages: CatalogPages, rows: [ProductRow]) {
        self.pages = pages
        set(\.rows, rows)
        updatePageState()
        set(\.isLoadingNextPage, false)
        set(\.lastPhase, .loaded)
        set(\.failedQuery, nil)
        if lastError != nil { lastError = nil }
        rowsReplacedAt = store.timestamp()
    }

    /// Ends the operation in flight, unless it is a refresh of the query that is shown.
    private func endSupersededOperation() {
        guard let operation, operation.kind == .search || operation.query != query else { return }
        end(operation)
    }

    /// Ends an operation, unless it has ended already.
    private func end(_ operation: LoadOperation) {
        guard self.operation?.timestamp == operation.timestamp else { return }
        self.operation = nil
        operation.lock.release()
    }

    private func isCurrent(_ operation: LoadOperation) -> Bool {
        self.operation?.timestamp == operation.timestamp && store.isCurrent(operation.timestamp)
    }
}

// Next pages.
extension CatalogViewModel {
    /// Appends pages to the rows until one has new products, or ten had none.
    ///
    /// - Parameter timestamp: Identifies the pages that are shown now. When others are shown, the
    ///   result is dropped.
    /// - Throws: The error of the action, or `CancellationError`.
    private func appendNextPages(to timestamp: LogicalTimestamp) async throws {
        isLoadingNextPage = true
        defer { if pages.timestamp == timestamp { isLoadingNextPage = false } }
        do {
            pages.resetEmptyPages()
            repeat {
                store.pageLoadsInFlight += 1
                defer { store.pageLoadsInFlight -= 1 }
                let page = try await loadPage(after: pages)
                guard isShowingPages(startedAt: timestamp) else { throw CancellationError() }
                let newRows = rows(of: pages.append(page.page), from: [page])
                if !newRows.isEmpty { rows += newRows }
                updatePageState()
            } while pages.pagination.shouldSkipEmptyPage
        } catch {
            guard isShowingPages(startedAt: timestamp), !isCancellation(error) else {
                throw CancellationError()
            }
            throw storeFailure(error, of: .nextPage)
        }
        nextPageLoadedAt = store.timestamp()
        clearFailure(of: .nextPage)
    }

    /// Waits until no search, no refresh and no other call that loads a next page is in flight.
    private func acquireLock() async throws -> HeldLock<LogicalTimestamp> {
        while true {
            let key = lockKey
            let lock = try await store.pageLock.acquire(key)
            // While this call waited, other rows may have been shown or another search started.
            if key == lockKey { return lock }
            lock.release()
        }
    }

    /// The key to wait for: that of the search in flight, or else that of the pages shown.
    private var lockKey: LogicalTimestamp {
        guard let operation, operation.kind == .search, store.isCurrent(operation.timestamp) else {
            return pages.timestamp
        }
        return operation.timestamp
    }

    private func loadPage(after pages: CatalogPages) async throws -> ProductStore.TimestampedPage {
        try Task.checkCancellation()
        let timestamp = store.timestamp()
        let page = try await actions.loadPage(pages.query, pages.pagination.next)
        return ProductStore.TimestampedPage(page: page, timestamp: timestamp)
    }

    /// Applies pages to the store, and returns rows for the products that are new.
    private func rows(
        of products: [Product.ID],
        from pages: [ProductStore.TimestampedPage]
    ) -> [ProductRow] {
        let records = store.apply(pages)
        return products.compactMap { records[$0] }
            .map { ProductRow(record: $0, settings: settings) }
    }

    private func updatePageState() {
        set(\.query, pages.query)
        set(\.hasNextPage, pages.pagination.next != nil)
        set(\.total, pages.total)
        set(\.source, pages.source)
        set(\.rejected, pages.rejected)
    }

    /// Whether at least one page was loaded, even an empty one, and the store was not reset since.
    private var isShowingPages: Bool { pages.count > 0 && store.isCurrent(pages.timestamp) }

    /// Whether the pages of a search or refresh are still shown, and the store was not reset since.
    private func isShowingPages(startedAt timestamp: LogicalTimestamp) -> Bool {
        pages.timestamp == timestamp && store.isCurrent(timestamp)
    }

    private func isCancellation(_ error: any Error) -> Bool {
        Task.isCancelled || error is CancellationError
    }

    /// Sets a property if its value is different, so that observers are not notified otherwise.
    private func set<Value: Equatable>(
        _ property: ReferenceWritableKeyPath<CatalogViewModel, Value>,
        _ value: Value
    ) {
        if self[keyPath: property] != value { self[keyPath: property] = value }
    }
}
