public import Foundation

/// A shopper's list of products.
public struct StoreList: Sendable, Hashable, Identifiable {
    /// The identity, made by the client that created the list.
    public let id: String
    /// What the shopper calls it.
    public internal(set) var name: String
    /// The identities of its products in the order in which they were added.
    ///
    /// A product that the store no longer sells stays until the shopper takes it out.
    public internal(set) var products: [String]
    /// When it was last changed; every change moves it forward.
    public internal(set) var updatedAt: Date
}

extension StoreList: Encodable {
    private enum Member: String, CodingKey {
        case id, name, products, updatedAt
    }

    /// Encodes the list as the contract has it, with the time in RFC 3339.
    ///
    /// - Parameter encoder: Where the members are written.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(id, forKey: .id)
        try members.encode(name, forKey: .name)
        try members.encode(products, forKey: .products)
        try members.encode(updatedAt.rfc3339, forKey: .updatedAt)
    }
}

extension Date {
    /// RFC 3339 in UTC with milliseconds.
    var rfc3339: String {
        formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
