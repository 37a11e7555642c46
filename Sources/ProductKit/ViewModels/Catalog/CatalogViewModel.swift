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
/// A row shows the same as the product's own screen if both share a ``ProductStore``.
///
/// A method returns normally when the screen is in the state that it promises, even if another call
/// led to it. Otherwise it throws the error of its action, and stores it in ``lastError`` for the screen.
/// `CancellationError` is thrown when the task was cancelled, the store was reset, or another search started
/// or has replaced the rows. It is not stored. See <doc:CatalogScreen>.
@MainActor @Observable
public final class CatalogViewModel: FailureStoring {
    /// The failure to show, if any.
    ///
    /// A search or a refresh that succeeds sets it to `nil`. A next page that succeeds removes only
    /// the failure of a next page: if a search or a refresh has failed before, that failure is shown
    /// again. The app may set it to `nil`, too, when the user dismisses it.
    public var lastError: ViewModelFailure? {
        didSet { if lastError?.kind != .nextPage { loadFailure = lastError } }
    }
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
    /// The products that could not be decoded, at most 1,000 of each page; the others are shown.
    public private(set) var rejected: [RejectedElement] = []
    /// The source of the rows: the server if all pages came from it, otherwise a cache.
    public private(set) var source = FetchSource.network

    /// The query of the last search or refresh, if it failed.
    private var failedQuery: ProductQuery?
    /// The failure of the last search or refresh, unless it was dismissed.
    @ObservationIgnored private var loadFailure: ViewModelFailure?
    /// Whether the text of the last search was too short to be requested.
    private var isTextTooShort = false
    private let settings: ProductRow.DisplaySettings
    private let actions: Actions
    private let store: ProductStore
    private let loads: CatalogLoads
    @ObservationIgnored private var pages: CatalogPages
    /// When ``search(_:)`` was last called.
    @ObservationIgnored private var searchedAt = LogicalTimestamp.distantPast

    /// Creates a view model without rows, which loads nothing by itself.
    ///
    /// - Parameters:
    ///   - localUser: The user whose currency and locale prices are shown in.
    ///   - actions: The operations of the screen.
    ///   - store: The state to share with the products' screens; `nil` for a screen on its own.
    public init(localUser: LocalUser, actions: Actions, store: ProductStore? = nil) {
        let store = store ?? ProductStore()
        settings = ProductRow.DisplaySettings(localUser)
        self.actions = actions
        self.store = store
        loads = CatalogLoads(in: store)
        pages = CatalogPages(of: ProductQuery(), startedAt: store.timestamp())
    }

    /// Searches for a text, or lists all products if it is empty.
    ///
    /// White space around the text is ignored. The request is sent after ``debounce``, or at once
    /// for the empty text. The present rows stay until the first page arrives.
    ///
    /// No request is sent for a text whose results are shown already, or that is not empty and
    /// shorter than ``minimumLength``. Such a call only supersedes the search in flight, and removes
    /// the failure of the last one. If a refresh of the text is in flight, the call waits, and sends a request
    /// only if the refresh fails.
    ///
    /// A newer search supersedes this one, whichever response arrives first. The superseded call
    /// throws when its debounce interval or its request has ended. To end it earlier, cancel its
    /// task.
    ///
    /// - Parameter text: The text to search for.
    /// - Throws: The error of the action, or `CancellationError`.
    public func search(_ text: String) async throws {
        try Task.checkCancellation()
        let query = ProductQuery(text: text.trimmingCharacters(in: .whitespacesAndNewlines))
        let start = store.timestamp()
        searchedAt = start
        loads.endSuperseded(by: query, showing: self.query)
        isTextTooShort =
            !isShowing(query) && !query.text.isEmpty && query.text.count < minimumLength
        guard !isShowing(query), !isTextTooShort else { return discardFailedSearch() }
        while let refresh = loads.current, refresh.kind == .refresh, refresh.query == query {
            try await loads.wait(for: refresh)
        }
        guard searchedAt == start else { throw CancellationError() }
        if !isShowing(query) { try await load(query, as: .search) }
    }

    /// Reloads the pages that are shown, or repeats a search that failed.
    ///
    /// At most ten pages are loaded. The rows of further pages stay behind them, unless most of the
    /// first rows were not loaded again. Then the list ends after ten pages, and
    /// ``loadNextPage()`` continues it.
    ///
    /// The rows change when the last of these pages has arrived, so a failure leaves them as they
    /// are. Two calls at once share their requests. If no page is shown, the first one is loaded. A
    /// refresh does not wait for a next page in flight. A search for another text supersedes the
    /// refresh.
    public func refresh() async throws {
        try Task.checkCancellation()
        let start = store.timestamp()
        try await loads.wait()
        // Another refresh or search has replaced the rows while this one waited.
        guard loads.rowsReplacedAt < start else { return }
        try await load(failedQuery ?? query, as: .refresh)
    }

    /// Loads the next page and appends its products to the rows.
    ///
    /// After the last page, and before the first one, it sends no request. A page without new
    /// products is followed by the next one, up to ten pages per call. Two calls at once load one
    /// page, and throw the same error if it fails. If the first of them is cancelled, the next one
    /// sends its own request.
    ///
    /// If the server rejects the cursor of the page, for example because it has expired, the call throws
    /// the error. The next call loads pages from the first one on, and appends the products that are
    /// not shown yet.
    ///
    /// A call during a search or a refresh waits for it, and continues only if a search has not
    /// replaced the rows. If a refresh replaces the rows while a page is in flight, the page is
    /// dropped, and the call loads the page after the new rows.
    public func loadNextPage() async throws {
        try Task.checkCancellation()
        guard isShowingPages else {
            // The rows are those of a user who has signed out.
            if pages.count > 0 { throw CancellationError() }
            return
        }
        let start = store.timestamp()
        let search = pages.searchedAt
        while true {
            let lock = try await loads.acquireNextPageLock()
            defer { loads.releaseNextPageLock(lock) }
            guard pages.searchedAt == search else { throw CancellationError() }
            guard try !loads.nextPageHasSucceeded(since: start), hasNextPage else { return }
            loads.beginNextPage(lock)
            if try await appendNextPages() { return }
        }
    }

    /// Loads the next page when a row near the end appears, for a list that scrolls endlessly.
    ///
    /// - Parameters:
    ///   - row: The row that has appeared.
    ///   - count: The number of rows at the end that count as near.
    /// - Throws: The error of the action, or `CancellationError`.
    public func loadNextPage(ifNearEnd row: ProductRow, within count: Int = 5) async throws {
        guard rows.suffix(max(0, count)).contains(row) else { return }
        try await loadNextPage()
    }
}

extension CatalogViewModel {
    /// The state of the screen: `loading` while a search or a refresh is in flight.
    public var phase: LoadingPhase {
        if loads.latest != nil { return .loading }
        if failedQuery != nil { return .failed }
        // The pages are not observable, but change only during a search or a refresh.
        return pages.count > 0 ? .loaded : .idle
    }

    /// Whether a next page for the rows shown is in flight.
    public var isLoadingNextPage: Bool { loads.isLoadingNextPage }

    /// Whether the rows match an earlier query, because the latest search is in flight or has
    /// failed, or because its text was too short.
    public var isShowingPreviousResults: Bool {
        // The pages are not observable, so all that is observable is read first.
        let isForOtherQuery = (loads.latest?.query ?? failedQuery ?? query) != query
        return (isTextTooShort || isForOtherQuery) && isShowingPages
    }
}

// Searches and refreshes.
extension CatalogViewModel {
    /// Loads pages from the first one, and shows them when they are complete.
    private func load(_ query: ProductQuery, as kind: ViewModelFailure.Kind) async throws {
        let load = try await loads.begin(kind, of: query)
        store.beginLoad()
        defer {
            store.endLoad()
            loads.end(load)
        }
        do {
            if kind == .search, !query.text.isEmpty { try await actions.sleep(debounce) }
            let isRefresh = kind == .refresh && isShowing(query)
            var (loaded, products): ([ProductStore.TimestampedPage], [Product.ID]) = ([], [])
            var newPages = CatalogPages(
                of: query,
                startedAt: load.timestamp,
                refreshing: isRefresh ? pages : nil
            )
            // The pages shown may change meanwhile, because the next page may arrive.
            repeat {
                guard loads.isCurrent(load) else { throw CancellationError() }
                let page = try await loadPage(after: newPages)
                guard loads.isCurrent(load) else { throw CancellationError() }
                loaded.append(page)
                products += newPages.append(page.page)
                // A stored page does not replace rows from the server.
                if isRefresh, pages.source.isFromServer, let failure = newPages.source.failure {
                    throw failure
                }
            } while isRefresh && newPages.needsPage(replacing: pages)
                || products.isEmpty && newPages.pagination.shouldSkipEmptyPage
            var rows = rows(of: products, from: loaded)
            if isRefresh, newPages.pagination.next != nil, newPages.count < pages.count {
                let remainder = self.rows.remainder(after: rows)
                newPages.append(pagesFrom: pages, with: remainder.map(\.id))
                rows += remainder
            }
            show(newPages, rows: rows)
        } catch {
            let cause = ViewModelFailure.cause(error)
            guard loads.isCurrent(load), !(cause is CancellationError) else {
                throw CancellationError()
            }
            failedQuery = query
            throw storeFailure(cause, of: kind)
        }
    }

    /// Replaces the rows; the setters notify observers only of what is different.
    private func show(_ pages: CatalogPages, rows: [ProductRow]) {
        loads.rowsWereReplaced()
        self.pages = pages
        self.rows = rows
        updatePageState()
        failedQuery = nil
        if lastError != nil { lastError = nil }
    }

    /// Removes the failure of a search that the user has replaced without a request.
    private func discardFailedSearch() {
        guard let failedQuery, !isShowing(failedQuery) else { return }
        self.failedQuery = nil
        loadFailure = nil
        clearFailure(of: .search)
        clearFailure(of: .refresh)
    }
}

// Next pages.
extension CatalogViewModel {
    /// Appends pages to the rows until one has new products, or ten had none.
    ///
    /// - Returns: Whether this succeeded; `false` if a refresh has replaced the rows meanwhile, so
    ///   that the result was dropped.
    private func appendNextPages() async throws -> Bool {
        let (timestamp, search) = (pages.timestamp, pages.searchedAt)
        do {
            pages.pagination.resetEmptyPages()
            repeat {
                store.beginLoad()
                defer { store.endLoad() }
                let page = try await loadPage(after: pages)
                guard isShowingPages(startedAt: timestamp) else { throw CancellationError() }
                let newRows = rows(of: pages.append(page.page), from: [page])
                if !newRows.isEmpty { rows += newRows }
                updatePageState()
            } while pages.pagination.shouldSkipEmptyPage
        } catch {
            guard isShowingPages(startedAt: timestamp) else {
                // If the task was cancelled, the caller throws when it acquires the next lock.
                if store.isCurrent(timestamp), pages.searchedAt == search { return false }
                throw CancellationError()
            }
            let cause = ViewModelFailure.cause(error)
            if cause is CancellationError { throw cause }
            if cause.isOfExpiredCursor, pages.pagination.next != nil {
                pages.pagination.startAgain()
                updatePageState()
            }
            loads.recordNextPage(cause)
            throw storeFailure(cause, of: .nextPage)
        }
        loads.recordNextPage()
        if lastError?.kind == .nextPage { lastError = loadFailure }
        return true
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
        query = pages.query
        hasNextPage = pages.pagination.hasNext
        total = pages.total
        source = pages.source
        rejected = pages.rejected
    }

    /// Whether pages of a query are shown.
    private func isShowing(_ query: ProductQuery) -> Bool {
        isShowingPages && query == self.query
    }

    /// Whether at least one page was loaded, even an empty one, and the store was not reset since.
    private var isShowingPages: Bool { pages.count > 0 && store.isCurrent(pages.timestamp) }

    /// Whether the pages of a search or refresh are still shown, and the store was not reset since.
    private func isShowingPages(startedAt timestamp: LogicalTimestamp) -> Bool {
        pages.timestamp == timestamp && store.isCurrent(timestamp)
    }
}

extension Error {
    /// Whether the server would reject the cursor of a page again, because it has expired.
    fileprivate var isOfExpiredCursor: Bool {
        guard let error = self as? NetworkError else { return false }
        return [.rejected, .notFound].contains(error.code) || [404, 410].contains(error.statusCode)
    }
}
