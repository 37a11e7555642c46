public import Foundation
public import Observation

/// A list screen: which products it shows, and how it searches, reads on and refreshes.
///
/// ```swift
/// let viewModel = CatalogViewModel(
///     localUser: LocalUser(currency: "EUR"),
///     actions: .only(loadPage: { _, _ in Page([boots]) })
/// )
/// try await viewModel.search("boots")
/// ```
///
/// Three ideas keep it right whatever the order of keys, pages, taps and failures. An answer belongs
/// to the list it was asked for. A next page or a refresh takes a turn, and then looks whether it is
/// still needed. And pages, reloads and taps are ordered by when they were asked, by the one clock
/// of the ``ProductStore``: a row shows what its product's screen shows. See <doc:CatalogScreen>.
///
/// A method returns normally when its promise holds, whoever made it hold. Otherwise it throws what
/// went wrong, and keeps it in ``lastError`` for the screen; cancellation is thrown and kept nowhere,
/// and a search that a newer one overtakes is cancelled.
@MainActor @Observable
public final class CatalogViewModel {
    /// The failure to show, `nil` for none; a list newly shown clears it, and so may the app.
    public var lastError: Failure?
    /// Whose currency and locale prices are shown in.
    public var localUser: LocalUser {
        get { viewer.localUser }
        set { viewer.localUser = newValue }
    }
    /// How long a text rests before it is searched for, since the user may go on typing; 300 ms.
    @ObservationIgnored public var debounce = Duration.milliseconds(300)
    /// The fewest characters to search for; one, since one ideograph is a word.
    @ObservationIgnored public var minimumLength = 1

    /// The products shown, each once.
    public internal(set) var rows: [ProductRow] = []
    /// The query whose rows are shown.
    public internal(set) var query = ProductQuery()
    /// Whether the list goes on behind the last row.
    public internal(set) var hasNextPage = false
    /// How many products the list holds with all of its pages; `nil` when the backend does not tell.
    public internal(set) var total: Int?
    /// What stood on the pages shown but could not be read; it costs no other row.
    public internal(set) var rejected: [RejectedElement] = []
    /// Where the rows came from: the server, or a cache.
    ///
    /// One page from a cache speaks for all.
    public internal(set) var source = FetchSource.network
    /// Whether a next page is on its way to the rows shown.
    public internal(set) var isLoadingNextPage = false

    var outcome = Phase.idle
    var reading: Reading?
    var failedQuery: ProductQuery?
    let viewer: ProductRow.Viewer
    let actions: Actions
    let store: ProductStore
    @ObservationIgnored var listing: ProductListing
    @ObservationIgnored var lastRead: ProductStore.Question
    @ObservationIgnored var lastGrowth: ProductStore.Question

    /// Creates a view model, which shows nothing until it is told to search.
    ///
    /// - Parameters:
    ///   - localUser: Whose currency and locale prices are shown in.
    ///   - actions: What the screen can do.
    ///   - store: What lets the rows and the screens of their products agree; `nil` for a screen
    ///     alone.
    public init(localUser: LocalUser, actions: Actions, store: ProductStore? = nil) {
        let store = store ?? ProductStore()
        let opening = store.ask()
        viewer = ProductRow.Viewer(localUser)
        self.actions = actions
        self.store = store
        listing = ProductListing(of: ProductQuery(), from: opening)
        lastRead = opening
        lastGrowth = opening
    }

    /// Searches for a text; the empty text lists everything.
    ///
    /// White space around the text does not count. A text rests for ``debounce`` before it is asked
    /// for; the empty text does not. The rows stay until the answer is there.
    ///
    /// Whatever is typed next overtakes it: the last text wins, whichever answer comes first. Whoever
    /// rests is told so when the rest is over, or at once when its task is cancelled. A text
    /// that is shown already, or is shorter than ``minimumLength``, asks for nothing. After a failure
    /// it asks again.
    ///
    /// - Parameter text: What to search for.
    /// - Throws: What the action threw, unchanged; `CancellationError` when the task was cancelled,
    ///   the store was reset or a newer search came.
    public func search(_ text: String) async throws {
        try Task.checkCancellation()
        let query = ProductQuery(text: text.trimmingCharacters(in: .whitespacesAndNewlines))
        overtake()
        guard query.text.isEmpty || query.text.count >= minimumLength else {
            failedQuery = nil
            return
        }
        guard !isShowingList || query != self.query || outcome == .failed else { return }
        let question = store.ask()
        let turn = try await store.turns.take(question)
        try await read(Reading(question: question, kind: .search, query: query, turn: turn))
    }

    /// Reads again as many pages as are shown, or repeats the search that failed.
    ///
    /// Nothing changes on the screen before the last of them is there, so a failure loses nothing.
    /// Called twice at once, it reads once; a screen that shows nothing yet reads the first page. A
    /// search overtakes it, unless what it searches for is shown.
    ///
    /// - Throws: What the action threw, unchanged; `CancellationError` when the task was cancelled,
    ///   the store was reset or a search came.
    public func refresh() async throws {
        try Task.checkCancellation()
        let call = store.ask()
        let turn = try await takeTurn()
        guard lastRead < call else { return turn.end() }
        let query = failedQuery ?? query
        try await read(Reading(question: store.ask(), kind: .refresh, query: query, turn: turn))
    }

    /// Reads on behind the last row.
    ///
    /// At the end of the list, and before its first page, it asks for nothing. Pages that bring no
    /// new product are passed over, up to ten at a time. Called twice at once, it asks once. While a
    /// search or a refresh is on its way it waits, and goes on only in the same query's rows.
    ///
    /// - Throws: What the action threw, unchanged; `CancellationError` when the task was cancelled,
    ///   the store was reset or other rows came.
    public func loadNextPage() async throws {
        try Task.checkCancellation()
        guard isShowingList else {
            // The list of somebody who has signed out since does not go on.
            if listing.pageCount > 0 { throw CancellationError() }
            return
        }
        let call = store.ask()
        let asked = query
        let turn = try await takeTurn()
        defer { turn.end() }
        guard query == asked else { throw CancellationError() }
        guard lastGrowth < call, hasNextPage else { return }
        try await readOn(in: listing.question)
    }

    /// Reads on when a row is one of the last, as a list that scrolls without end must.
    ///
    /// - Parameters:
    ///   - row: The row that has come on the screen.
    ///   - count: How many of the last rows count as near the end.
    /// - Throws: As ``loadNextPage()`` does.
    public func loadNextPage(ifNearEnd row: ProductRow, within count: Int = 5) async throws {
        guard rows.suffix(max(0, count)).contains(row) else { return }
        try await loadNextPage()
    }
}

extension CatalogViewModel {
    /// A search or a refresh on its way, which will replace the list.
    struct Reading {
        let question: ProductStore.Question
        let kind: Failure.Kind
        let query: ProductQuery
        let turn: Turn<ProductStore.Question>
    }

    /// Whether there is a list, if an empty one, of whoever is signed in.
    var isShowingList: Bool { listing.pageCount > 0 && store.isCurrent(listing.question) }

    /// Reads a list from its beginning, and shows it when it is complete.
    func read(_ reading: Reading) async throws {
        if let overtaken = self.reading { end(overtaken) }
        self.reading = reading
        store.pagesOnTheirWay += 1
        defer {
            store.pagesOnTheirWay -= 1
            end(reading)
        }
        do {
            if reading.kind == .search, !reading.query.text.isEmpty {
                try await actions.sleep(debounce)
            }
            let isRepeated = reading.kind == .refresh && reading.query == query
            let pageCount = isRepeated ? listing.pageCount : 1
            var listing = ProductListing(of: reading.query, from: reading.question)
            var answers: [ProductStore.Answer] = []
            var products: [Product.ID] = []
            repeat {
                guard isWanted(reading) else { throw CancellationError() }
                let answer = try await ask(for: listing)
                guard isWanted(reading) else { throw CancellationError() }
                answers.append(answer)
                products += listing.append(answer.page)
                // What stands in for a list that the server has confirmed is no newer than it.
                if isRepeated, isShowingList, self.listing.source.isFromServer,
                    let failure = listing.source.failure
                {
                    throw failure
                }
            } while listing.next != nil
                && (listing.pageCount < pageCount || products.isEmpty && answers.count < 10)
            show(listing, rows: rows(of: products, from: answers))
        } catch {
            guard isWanted(reading), !isCancellation(error) else { throw CancellationError() }
            outcome = .failed
            failedQuery = reading.query
            throw keep(error, of: reading.kind)
        }
    }

    /// Reads on in the list shown, until there is something new or for ten pages.
    func readOn(in list: ProductStore.Question) async throws {
        isLoadingNextPage = true
        defer { if listing.question == list { isLoadingNextPage = false } }
        do {
            for _ in 1...10 {
                store.pagesOnTheirWay += 1
                defer { store.pagesOnTheirWay -= 1 }
                let answer = try await ask(for: listing)
                guard isWanted(list) else { throw CancellationError() }
                let newRows = rows(of: listing.append(answer.page), from: [answer])
                if !newRows.isEmpty { rows += newRows }
                showListing()
                guard newRows.isEmpty, hasNextPage else { break }
            }
        } catch {
            guard isWanted(list), !isCancellation(error) else { throw CancellationError() }
            throw keep(error, of: .nextPage)
        }
        lastGrowth = store.ask()
        if lastError?.kind == .nextPage { lastError = nil }
    }

    /// Waits until no search is on its way and nobody else reads in what is shown.
    func takeTurn() async throws -> Turn<ProductStore.Question> {
        while true {
            let line = line
            let turn = try await store.turns.take(line)
            // Something else may be shown by now, or on its way.
            if line == self.line { return turn }
            turn.end()
        }
    }

    /// Ends whatever would bring other rows.
    func overtake() {
        guard let reading, reading.kind == .search || reading.query != query else { return }
        end(reading)
    }
}

extension CatalogViewModel {
    /// Asks for the page with which a list begins or goes on.
    private func ask(for listing: ProductListing) async throws -> ProductStore.Answer {
        try Task.checkCancellation()
        let question = store.ask()
        let page = try await actions.loadPage(listing.query, listing.next)
        return ProductStore.Answer(page: page, question: question)
    }

    private func rows(
        of products: [Product.ID],
        from answers: [ProductStore.Answer]
    ) -> [ProductRow] {
        let records = store.learn(answers)
        return products.compactMap { records[$0] }.map { ProductRow(record: $0, viewer: viewer) }
    }

    private func show(_ listing: ProductListing, rows: [ProductRow]) {
        self.listing = listing
        set(\.rows, rows)
        showListing()
        set(\.isLoadingNextPage, false)
        set(\.outcome, .loaded)
        set(\.failedQuery, nil)
        if lastError != nil { lastError = nil }
        lastRead = store.ask()
    }

    private func showListing() {
        set(\.query, listing.query)
        set(\.hasNextPage, listing.next != nil)
        set(\.total, listing.total)
        set(\.source, listing.source)
        set(\.rejected, listing.rejected)
    }

    /// Where to wait: behind whoever searches, else behind whoever reads in the list shown.
    private var line: ProductStore.Question {
        guard let reading, reading.kind == .search, store.isCurrent(reading.question) else {
            return listing.question
        }
        return reading.question
    }

    /// Ends a reading, unless another one has ended it.
    private func end(_ reading: Reading) {
        guard self.reading?.question == reading.question else { return }
        self.reading = nil
        reading.turn.end()
    }

    private func isWanted(_ reading: Reading) -> Bool {
        self.reading?.question == reading.question && store.isCurrent(reading.question)
    }

    private func isWanted(_ list: ProductStore.Question) -> Bool {
        listing.question == list && store.isCurrent(list)
    }

    private func isCancellation(_ error: any Error) -> Bool {
        Task.isCancelled || error is CancellationError
    }

    private func keep(_ error: any Error, of kind: Failure.Kind) -> any Error {
        lastError = Failure(kind: kind, underlying: error)
        return error
    }

    private func set<Value: Equatable>(
        _ member: ReferenceWritableKeyPath<CatalogViewModel, Value>,
        _ value: Value
    ) {
        if self[keyPath: member] != value { self[keyPath: member] = value }
    }
}

extension CatalogViewModel {
    /// Where the screen's list stands.
    public enum Phase: Hashable, Sendable {
        /// Nothing was asked yet, so there are no rows.
        case idle
        /// A search or a refresh is on its way.
        case loading
        /// The last search or refresh brought the list.
        case loaded
        /// The last search or refresh failed; the rows are the ones from before.
        case failed
    }

    /// What went wrong, and in doing what.
    public struct Failure: LocalizedError {
        /// What was being done.
        public enum Kind: Hashable, Sendable { case search, refresh, nextPage }

        /// What was being done.
        public let kind: Kind
        /// What went wrong, unchanged.
        public let underlying: any Error

        /// What the underlying error tells a person.
        public var errorDescription: String? { underlying.localizedDescription }
    }

    /// Where the screen's list stands.
    public var phase: Phase { reading == nil ? outcome : .loading }

    /// Whether a search is on its way, the rest before it included.
    public var isSearching: Bool { reading?.kind == .search }

    /// Whether the list is being read again.
    public var isRefreshing: Bool { reading?.kind == .refresh }

    /// Whether the rows are those of an earlier search, because the newest is still on its way or
    /// has failed.
    public var isShowingPreviousResults: Bool {
        isShowingList && (reading?.query ?? failedQuery ?? query) != query
    }
}
