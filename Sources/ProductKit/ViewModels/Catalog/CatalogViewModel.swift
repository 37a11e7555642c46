import Foundation
public import Observation

/// A list screen: which products it shows, and how it searches, reads on and refreshes.
///
/// ```swift
/// let viewModel = ProductListViewModel(
///     localUser: LocalUser(currency: "EUR"),
///     actions: .only(loadPage: { _, _ in Page([boots]) })
/// )
/// try await viewModel.search("boots")
/// ```
///
/// Three ideas keep it right whatever the order of keys, pages, taps and failures. An answer belongs
/// to the list it was asked for. A next page or a refresh takes a turn, and then looks whether it is
/// still needed. And pages, reloads and taps are ordered by when they were asked, by the one clock
/// of the ``ProductStore``: a row shows what its product's screen shows. See <doc:TheCatalogueOnScreen>.
///
/// A method returns normally when its promise holds, whoever made it hold. Otherwise it throws what
/// went wrong, and keeps it in ``lastError`` for the screen; cancellation is thrown and kept nowhere,
/// and a search that a newer one overtakes is cancelled.
@MainActor @Observable
public final class ProductListViewModel {
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
