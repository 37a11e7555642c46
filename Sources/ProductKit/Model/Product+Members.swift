extension Product {
    /// Members of a product, apart from its identifier and its name, which each product has.
    ///
    /// ```swift
    /// let row = product.summary(of: [.prices, .images])
    /// ```
    ///
    /// Rows with prices have `.prices`, also a row whose product has none. Rows that show whether a product is a
    /// favorite have `.isFavorite`. A screen keeps what it knows about the other members.
    public struct Members: OptionSet, Hashable, Sendable {
        /// One bit for each member.
        public let rawValue: UInt16

        /// Creates a set from its bits.
        public init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// ``Product/description``.
        public static let description = Members(rawValue: 1 << 0)
        /// ``Product/prices``.
        public static let prices = Members(rawValue: 1 << 1)
        /// ``Product/images``.
        public static let images = Members(rawValue: 1 << 2)
        /// ``Product/url``.
        public static let url = Members(rawValue: 1 << 3)
        /// ``Product/isAvailable``.
        public static let isAvailable = Members(rawValue: 1 << 4)
        /// ``Product/isFavorite``.
        public static let isFavorite = Members(rawValue: 1 << 5)
        /// ``Product/updatedAt``.
        public static let updatedAt = Members(rawValue: 1 << 6)
        /// ``Product/attributes``.
        public static let attributes = Members(rawValue: 1 << 7)

        /// ``Product/name``, which every product contains.
        static let name = Members(rawValue: 1 << 8)
        static let all = Members(rawValue: (1 << 9) - 1)
    }

    /// Returns a copy that contains only some members besides ``id`` and ``name``.
    ///
    /// The others have no value, and are in ``unknownMembers``. An adapter uses it for the rows of a
    /// page if the backend's search returns less than its product endpoint. Without it, such a row
    /// removes the other members from the product's screens. If a row has the first images only, name
    /// ``Members/images`` as well: screens that show more images keep them.
    ///
    /// - Parameter members: The members that the backend returns in a page. Those that are unknown already stay so.
    /// - Returns: The summary.
    public func summary(of members: Members) -> Product {
        var summary = Product(id: id, name: name)
        summary.unknownMembers = .all
        summary.replace(members.intersection(knownMembers), with: self)
        summary.invalidMembers = invalidMembers
        return summary
    }

    /// The members that this value contains.
    var knownMembers: Members { .all.subtracting(unknownMembers) }

    /// The members that have a value: they are not `nil`, empty or `false`.
    var membersWithValue: Members {
        var members: Members = name.isEmpty ? [] : .name
        if description != nil { members.insert(.description) }
        if !prices.isEmpty { members.insert(.prices) }
        if !images.isEmpty { members.insert(.images) }
        if url != nil { members.insert(.url) }
        if isAvailable != nil { members.insert(.isAvailable) }
        if isFavorite { members.insert(.isFavorite) }
        if updatedAt != nil { members.insert(.updatedAt) }
        if !attributes.isEmpty { members.insert(.attributes) }
        return members
    }

    /// Replaces members with those of another value, which are known from then on.
    mutating func replace(_ members: Members, with other: Product) {
        unknownMembers.subtract(members)
        if members.contains(.name) { name = other.name }
        if members.contains(.description) { description = other.description }
        if members.contains(.prices) { prices = other.prices }
        if members.contains(.images) { images = other.images }
        if members.contains(.url) { url = other.url }
        if members.contains(.isAvailable) { isAvailable = other.isAvailable }
        if members.contains(.isFavorite) { isFavorite = other.isFavorite }
        if members.contains(.updatedAt) { updatedAt = other.updatedAt }
        if members.contains(.attributes) { attributes = other.attributes }
    }
}
