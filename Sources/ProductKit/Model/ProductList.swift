public import Foundation

/// A user's list of products, such as a wish list.
public struct ProductList: Identifiable, Hashable, Sendable {
    /// The backend's identifier of the list.
    public var id: Identifier<ProductList>
    /// The name that the user gave the list.
    public var name: String
    /// The products in the list, in the user's order.
    public var products: [Product.ID]
    /// The time at which the backend last changed the list.
    public var updatedAt: Date?
    /// What a write sends back to detect conflicts: the `ETag` of the response (RFC 9110 §8.8.3), or the text of
    /// another backend; `nil` if there is none.
    ///
    /// The version is not a member of the JSON object.
    public var version: String?

    /// The members that could not be decoded, such as a date in an unknown format.
    ///
    /// They are ignored by `==` and `hash(into:)`.
    public internal(set) var invalidMembers: [InvalidMember] {
        get { reports }
        set { reports = newValue }
    }

    @Uncompared private var reports: [InvalidMember] = []

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

    /// Decodes the list format of `Docs/openapi.yaml`.
    ///
    /// `null` and an empty value are the same as an absent member, as for a ``Product``. Unknown members are ignored. A
    /// date that cannot be decoded is `nil`, and is reported in ``invalidMembers``.
    ///
    /// - Throws: A `DecodingError` with the path of the member if `id` or `name` is missing, or if
    ///   one of them or a product cannot be decoded.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Member.self)
        id = try container.decode(ID.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        do {
            products = try container.decodeIfPresent([Product.ID].self, forKey: .products) ?? []
        } catch {
            // Without its products, a list would look empty.
            guard container.hasEmptyValue(forKey: .products) else { throw error }
            products = []
        }
        do { updatedAt = try container.decodeTimestamp(forKey: .updatedAt) } catch {
            guard !container.hasEmptyValue(forKey: .updatedAt) else { return }
            invalidMembers = [InvalidMember(error, in: container)]
        }
    }

    /// Encodes the list format of `Docs/openapi.yaml`, without the version.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Member.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(products, forKey: .products)
        try container.encode(timestamp: updatedAt, forKey: .updatedAt)
    }
}
