public import Foundation

extension ProductListViewModel {
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
