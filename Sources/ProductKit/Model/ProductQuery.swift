/// A search for products in the catalog.
///
/// The empty query matches all products, and one with a text and identifiers those that match both.
/// A string literal is a query for a text:
///
/// ```swift
/// let page = try await loader.products(matching: "boots")
/// ```
public struct ProductQuery: Hashable, Sendable {
    /// The text to search for, of at most 200 characters; empty to match all products.
    public var text: String
    /// The products to load, at most 100; empty to match all products.
    ///
    /// The result does not contain products that the backend does not know.
    public var ids: [Product.ID]
    /// The number of products per page, between 1 and 100; `nil` for the backend's default.
    ///
    /// A backend whose default is less than the number of ``ids`` returns the others on further pages.
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
