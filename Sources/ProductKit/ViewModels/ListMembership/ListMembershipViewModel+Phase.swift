public import Foundation

extension ListMembershipViewModel {
    /// Where the screen's lists stand.
    public enum Phase: Hashable, Sendable {
        /// Nothing was asked yet; the lists are those that the screen was opened with.
        case idle
        /// A reload is on its way.
        case loading
        /// The last reload brought the lists.
        case loaded
        /// The last reload failed; the lists are the ones from before.
        case failed
    }

    /// What went wrong, and in doing what.
    public struct Failure: LocalizedError {
        /// What was being done.
        public enum Kind: Hashable, Sendable {
            case reload, createList
            case toggleMembership(ProductList.ID)
        }

        /// What was being done.
        public let kind: Kind
        /// What went wrong, unchanged.
        public let underlying: any Error

        /// What the underlying error tells a person.
        public var errorDescription: String? { underlying.localizedDescription }
    }

    /// Where the screen's lists stand.
    public var phase: Phase {
        if isLoading { return .loading }
        return isCurrent ? outcome : .idle
    }

    /// Whether a reload is on its way.
    public var isLoading: Bool { reloadsInFlight > 0 }

    /// Whether nobody has signed out since the lists that are shown were learned.
    var isCurrent: Bool { session == record.resets }
}
