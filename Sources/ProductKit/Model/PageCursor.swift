/// The place where a page begins, in the words of the loader that made it.
///
/// It may hold a backend's cursor, an offset or a URL; nobody but that loader looks inside. The
/// default loader follows the query of an http address, on the origin of its base URL only.
public struct PageCursor: Hashable, Sendable {
    /// The loader's own text.
    public let rawValue: String

    /// Creates a cursor from the loader's own text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

extension PageCursor: ExpressibleByStringInterpolation {
    /// Creates a cursor from a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension PageCursor: Codable {
    /// Reads a JSON string.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes a JSON string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
