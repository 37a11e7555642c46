public import Foundation

/// A user's list of products, such as a wish list.
public struct ProductList: Identifiable, Hashable, Sendable {
    /// What the backend knows the list by.
    public var id: Identifier<ProductList>
    /// The name that the user gave it.
    public var name: String
    /// The products in it, in the user's order.
    public var products: [Product.ID]
    /// When the backend last changed it.
    public var updatedAt: Date?
    /// The version that was read, `nil` when the backend told none.
    ///
    /// It is the answer's `ETag` (RFC 9110 §8.8.3) and no member of the JSON.
    public var version: String?

    /// Creates a list.
    public init(
        id: Identifier<ProductList>,
        name: String,
        products: [Product.ID] = [],
        updatedAt: Date? = nil,
        version: String? = nil
    ) {
        self.id = id
        self.name = name
        self.products = products
        self.updatedAt = updatedAt
        self.version = version
    }
}

extension ProductList: Codable {
    private enum Member: CodingKey {
        case id, name, products, updatedAt
    }

    /// Reads a list as `Docs/openapi.yaml` describes it.
    ///
    /// Absent and `null` mean the same, and members not listed are passed over.
    ///
    /// - Throws: `DecodingError`, which names the member, when `id` or `name` is missing or a
    ///   member has another type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Member.self)
        self.init(
            id: try container.decode(Identifier<ProductList>.self, forKey: .id),
            name: try container.decode(String.self, forKey: .name),
            products: try container.decodeIfPresent([Product.ID].self, forKey: .products) ?? [],
            updatedAt: try container.timestamp(forKey: .updatedAt)
        )
    }

    /// Writes a list as `Docs/openapi.yaml` describes it; the version is left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Member.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(products, forKey: .products)
        try container.encode(timestamp: updatedAt, forKey: .updatedAt)
    }
}
