public import Foundation

extension ListMembershipViewModel {
    /// A list, and whether it holds the product.
    ///
    /// A row changes by itself, and whoever reads ``holdsProduct`` is told of changes to this row
    /// only.
    public struct Row: Identifiable, Sendable {
        /// The list's identity.
        public let id: ProductList.ID
        /// The name that the user gave the list.
        public let name: String
        let membership: ListMembership

        /// Whether the list is shown to hold the product: as the user wants it, else as the server
        /// has it.
        @MainActor public var holdsProduct: Bool { membership.holdsProduct }
    }

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

    /// The lists, in the backend's order; those created here come last.
    ///
    /// There are none after the user has signed out.
    public var rows: [Row] { isCurrent ? shownRows : [] }

    /// Where the screen's lists stand.
    public var phase: Phase {
        if isLoading { return .loading }
        return isCurrent ? outcome : .idle
    }

    /// Whether nobody has signed out since.
    var isCurrent: Bool { session == record.resets }

    /// Whether a reload is on its way.
    public var isLoading: Bool { reloadsInFlight > 0 }
}

extension ListMembershipViewModel.Row: Hashable {
    /// Whether both rows show the same place of the same product, under the same name.
    public static func == (
        one: ListMembershipViewModel.Row,
        other: ListMembershipViewModel.Row
    ) -> Bool {
        one.membership === other.membership && one.name == other.name
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(membership))
        hasher.combine(name)
    }
}
