/// What to look for in a catalog; the empty query means everything.
///
/// ```swift
/// let page = try await loader.products(matching: "boots")
/// ```
public struct ProductQuery: Hashable, Sendable {
    /// A text to search for, of at most 200 characters; empty for every product.
    public var text: String
    /// Just these products, at most 100, without the unknown ones; empty for every product.
    public var ids: [Product.ID]
    /// How many products a page should hold, between 1 and 100; `nil` leaves it to the backend.
    public var limit: Int?

    /// Creates a query.
    public init(text: String = "", ids: [Product.ID] = [], limit: Int? = nil) {
        self.text = text
        self.ids = ids
        self.limit = limit
    }
}

extension ProductQuery: ExpressibleByStringInterpolation {
    /// Creates a query for a text.
    public init(stringLiteral value: String) {
        self.init(text: value)
    }
}
