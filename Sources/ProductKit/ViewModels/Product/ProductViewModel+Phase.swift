public import Foundation

extension ProductViewModel {
    /// Where the screen's product stands.
    public enum Phase: Hashable, Sendable {
        /// Nothing was asked yet; the product is the one that the screen was opened with.
        case idle
        /// A reload is on its way.
        case loading
        /// The last reload brought the product.
        case loaded
        /// The last reload failed; the product is the one from before.
        case failed
        /// There is no such product any longer; what is shown is what was known of it.
        case deleted
    }

    /// What went wrong, and in doing what.
    public struct Failure: LocalizedError {
        /// What was being done.
        public enum Kind: Hashable, Sendable { case reload, toggleFavorite, addToList }

        /// What was being done.
        public let kind: Kind
        /// What went wrong, unchanged.
        public let underlying: any Error

        /// What the underlying error tells a person.
        public var errorDescription: String? { underlying.localizedDescription }
    }

    /// Where the screen's product stands.
    public var phase: Phase {
        if isLoading { return .loading }
        return record.isDeleted ? .deleted : outcome
    }
}
