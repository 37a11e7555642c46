public import Foundation

/// A user's list of products.
public struct StoreList: Sendable, Hashable, Identifiable {
    /// The identifier, chosen by the client that created the list.
    public let id: String
    /// The name.
    public internal(set) var name: String
    /// The identifiers of its products, in the order of addition.
    ///
    /// A product that was deleted from the catalog stays until the user removes it.
    public internal(set) var products: [String]
    /// The time of the last change.
    ///
    /// It increases with each change.
    public internal(set) var updatedAt: Date
}

extension StoreList: Encodable {
    private enum Member: String, CodingKey {
        case id, name, products, updatedAt
    }

    /// Encodes the list as the contract defines it, with the time in RFC 3339.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: An error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(id, forKey: .id)
        try members.encode(name, forKey: .name)
        try members.encode(products, forKey: .products)
        try members.encode(updatedAt.rfc3339, forKey: .updatedAt)
    }
}

extension Date {
    /// The time in RFC 3339, in UTC with milliseconds.
    var rfc3339: String {
        formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
