import Foundation

/// The identifier of a `Subject`, such as a product.
///
/// The type parameter prevents that a product's identifier is used for a list. The identifier stores the backend's text
/// unchanged and does not interpret it, so it can be a number, a UUID or a URI such as `gid://shop/Product/42`. Two
/// identifiers are equal if their bytes are. It decodes from a JSON string or integer and encodes as a string. If the
/// backend requires a number, encode its ``integer``.
///
/// ```swift
/// let boots: Product.ID = "walking-boots"
/// ```
public struct Identifier<Subject>: Hashable, Sendable {
    /// The backend's text, unchanged.
    public let rawValue: String

    /// Creates an identifier from the backend's text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The identifier as an integer, for a backend that requires numbers in its requests.
    ///
    /// ```swift
    /// let body = ["product": try id.integer]
    /// ```
    ///
    /// - Throws: A `LocalizedError` if the text is not that of an integer: `007` and `+7` are other identifiers than `7`.
    public var integer: Int {
        get throws {
            guard let integer = Int(rawValue), String(integer) == rawValue else {
                throw InvalidIdentifier(rawValue)
            }
            return integer
        }
    }

    /// Returns whether both texts consist of the same bytes.
    ///
    /// Texts that differ in Unicode normalization only, such as `é` as one and as two code points, are
    /// equal for `String`, but not for a backend.
    public static func == (one: Identifier, other: Identifier) -> Bool {
        one.rawValue.hasSameBytes(as: other.rawValue)
    }

    /// Hashes the bytes of the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytesOf: rawValue)
    }
}

extension String {
    /// Whether both texts consist of the same bytes, and not only of the same characters.
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (one, other) = (self, other)
        return one.withUTF8 { bytes in
            other.withUTF8 { others in
                guard let start = bytes.baseAddress, let otherStart = others.baseAddress else {
                    return true
                }
                return memcmp(start, otherStart, bytes.count) == 0
            }
        }
    }

    /// The text with all bytes outside of ASCII and `%` percent-encoded, so that two texts are equal
    /// only if their bytes are.
    var distinctBytes: String {
        guard utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) else { return self }
        let allowed = CharacterSet(charactersIn: "\u{0}"..."\u{7F}").subtracting(["%"])
        return addingPercentEncoding(withAllowedCharacters: allowed) ?? self
    }
}

extension Hasher {
    /// Adds the bytes of a text.
    ///
    /// `String` has one hash value for all texts that differ in Unicode normalization only. With many of them,
    /// which a server could send, a set that compares bytes would need quadratic time.
    mutating func combine(bytesOf text: String) {
        var text = text
        text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// An error about an identifier that the backend cannot have.
package struct InvalidIdentifier: LocalizedError, Hashable, CustomDebugStringConvertible,
    DeveloperTextProviding
{
    package let rawValue: String

    package init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    package var errorDescription: String? {
        "The app could not send this request. Update the app, or contact the shop."
    }

    package var debugDescription: String {
        "InvalidIdentifier: “\(rawValue.prefix(64))” is not a number, and this shop has numbers as identifiers. "
            + "Use the identifier that the shop returned, also for a user."
    }
}

extension Identifier: LosslessStringConvertible {
    /// The backend's text.
    public var description: String { rawValue }
}

extension Identifier: ExpressibleByStringInterpolation {
    /// Creates an identifier from a string literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Identifier: Codable {
    /// Decodes a JSON string or integer.
    ///
    /// - Throws: `DecodingError.typeMismatch` for any other value, including a number with a fraction.
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

    /// Encodes a JSON string, even if the identifier was decoded from an integer.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension Identifier: CodingKeyRepresentable {
    /// The text as a coding key, so that a dictionary with identifiers as keys encodes as an object.
    public var codingKey: any CodingKey { rawValue.codingKey }

    /// Creates an identifier from a member name.
    public init?(codingKey: some CodingKey) {
        self.init(codingKey.stringValue)
    }
}
