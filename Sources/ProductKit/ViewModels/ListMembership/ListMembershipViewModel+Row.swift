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

    /// The lists, in the backend's order; those created here come last.
    ///
    /// There are none after the user has signed out.
    public var rows: [Row] { isCurrent ? shownRows : [] }
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
