/// The identity of a `Subject`, so that a product's can never be passed for a list's.
///
/// Backends disagree about identities: some count, some send UUIDs, some send
/// `gid://shop/Product/42`. An identifier keeps the text as it came and never looks inside. It
/// decodes from a JSON string or integer and encodes as a string.
///
/// ```swift
/// let boots: Product.ID = "walking-boots"
/// ```
public struct Identifier<Subject>: Hashable, Sendable {
    /// The text that the backend knows the subject by.
    public let rawValue: String

    /// Creates an identifier from the backend's text, which is kept as it is.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Identifier: LosslessStringConvertible {
    /// The backend's text.
    public var description: String { rawValue }
}

extension Identifier: ExpressibleByStringInterpolation {
    /// Creates an identifier from a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Identifier: Codable {
    /// Reads a JSON string or integer.
    ///
    /// - Throws: `DecodingError.typeMismatch` for anything else, a fraction included.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.init(text)
        } else if let number = try? container.decode(Int64.self) {
            self.init(String(number))
        } else if let number = try? container.decode(UInt64.self) {
            self.init(String(number))
        } else {
            throw DecodingError.typeMismatch(
                Self.self,
                DecodingError.Context(
                    codingPath: container.codingPath,
                    debugDescription: "Expected a string or an integer."
                )
            )
        }
    }

    /// Writes a JSON string, whatever the identifier was read from.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension Identifier: CodingKeyRepresentable {
    /// The text as a key, so that a dictionary by identifier encodes as a JSON object.
    public var codingKey: any CodingKey { rawValue.codingKey }

    /// Creates an identifier from the key of a JSON object.
    public init?(codingKey: some CodingKey) {
        self.init(codingKey.stringValue)
    }
}
