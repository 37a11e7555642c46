import Foundation

/// The path to a value inside of a JSON text, such as `data.products[0].price`.
///
/// ```swift
/// let product = NetworkRequest<Product>.get("products", id).inside("data.product")
/// ```
///
/// Member names are separated by dots; array indices are in brackets. Brackets without an index
/// belong to the name. Write names that contain a dot or a bracket as an array of names:
/// `["facets", "price.amount"]`. The empty path means the whole text.
///
/// Write the names of the JSON text, also if the decoder of the client converts names, for example
/// from snake case. In an error, they are followed by the members of the decoded type, whose names are
/// the converted ones: `result_set.unitPrice`.
public struct MemberPath: Hashable, Sendable {
    fileprivate enum Step: Hashable {
        case member(String)
        case index(Int)
    }

    private let steps: [Step]

    /// Whether the path means the whole text.
    var isEmpty: Bool { steps.isEmpty }

    /// Returns this path followed by another one.
    func appending(_ path: MemberPath) -> MemberPath {
        MemberPath(steps: steps + path.steps)
    }

    private static func steps(in part: Substring) -> [Step] {
        guard part.last == "]", let bracket = part.lastIndex(of: "["),
            let index = Int(part[part.index(after: bracket)...].dropLast()), index >= 0
        else { return part.isEmpty ? [] : [.member(String(part))] }
        return steps(in: part[..<bracket]) + [.index(index)]
    }
}

extension MemberPath: ExpressibleByStringInterpolation {
    /// Creates a path from names separated by dots and indices in brackets.
    public init(stringLiteral value: String) {
        steps = value.split(separator: ".").flatMap(Self.steps)
    }
}

extension MemberPath: ExpressibleByArrayLiteral {
    /// Creates a path from member names, which may contain dots and brackets.
    public init(arrayLiteral elements: String...) {
        steps = elements.map(Step.member)
    }
}

extension MemberPath {
    /// Runs a closure and adds this path to the errors that it throws.
    ///
    /// ```swift
    /// let price = try MemberPath("price").reading { try Price(text, currency: "EUR") }
    /// ```
    ///
    /// - Parameter work: A closure that converts the value of the member.
    /// - Returns: The value that the closure returns.
    /// - Throws: A `DecodingError` whose coding path is this path, followed by the path of the
    ///   closure's own `DecodingError`.
    public func reading<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch {
            let cause = error as? DecodingError
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: steps.map(\.codingKey) + (cause?.codingPath ?? []),
                    debugDescription: cause?.reason ?? error.developerText,
                    underlyingError: error
                )
            )
        }
    }

    /// Decodes the value at this path.
    ///
    /// It throws for the first member that is missing, is `null` or has another type. If the type is an optional,
    /// the last member may be missing.
    func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        from decoder: any Decoder
    ) throws -> Value {
        var decoder = decoder
        for (index, step) in steps.enumerated() {
            guard let inner = try step.decoder(in: decoder) else {
                if index == steps.count - 1, let value = type.missingValue { return value }
                throw DecodingError.keyNotFound(
                    step.codingKey,
                    .init(codingPath: decoder.codingPath, debugDescription: "It is missing.")
                )
            }
            decoder = inner
        }
        return try decoder.singleValueContainer().decode(type)
    }

    /// Decodes the value at this path, or returns `nil` if a member on the path is missing or `null`, or empty
    /// where the path continues.
    func decodeIfPresent<Value: Decodable>(
        _ type: Value.Type = Value.self,
        from decoder: any Decoder
    ) throws -> Value? {
        var decoder = decoder
        for step in steps {
            do {
                guard let inner = try step.decoder(in: decoder),
                    try !inner.singleValueContainer().decodeNil()
                else { return nil }
                decoder = inner
            } catch  where decoder.hasEmptyValue {
                return nil
            }
        }
        return try decoder.singleValueContainer().decode(type)
    }
}

extension MemberPath.Step {
    fileprivate var codingKey: any CodingKey {
        switch self {
        case .member(let name): name.codingKey
        case .index(let index): index.codingKey
        }
    }

    /// Returns a decoder for the value of this member or element, or `nil` if it is missing.
    fileprivate func decoder(in decoder: any Decoder) throws -> (any Decoder)? {
        switch self {
        case .member(let name):
            let container = try decoder.container(keyedBy: MemberName.self)
            let key = decoder.key(forMember: name)
            return container.contains(key) ? try container.superDecoder(forKey: key) : nil
        case .index(let index):
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd, container.currentIndex < index {
                _ = try container.decode(IgnoredValue.self)
            }
            return container.isAtEnd ? nil : try container.superDecoder()
        }
    }
}

extension Decodable {
    /// The value of this type for a missing member: `nil` for an optional; otherwise there is none.
    fileprivate static var missingValue: Self? {
        (self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Self
    }
}

/// A coding key for a member of any name, as the decoder has converted it.
struct MemberName: CodingKey {
    let stringValue: String
    /// The name in the JSON text, for error messages.
    let name: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.init(stringValue: stringValue, name: stringValue)
    }

    fileprivate init(stringValue: String, name: String) {
        self.stringValue = stringValue
        self.name = name
    }

    init?(intValue: Int) {
        return nil
    }
}

extension JSONDecoder {
    /// Lets a ``MemberPath`` contain the names of the JSON text, although the decoder converts them.
    func acceptNamesOfJSON() {
        guard let key = CodingUserInfoKey.names else { return }
        if case .useDefaultKeys = keyDecodingStrategy { return }
        userInfo[key] = keyDecodingStrategy
    }
}

extension CodingUserInfoKey {
    /// The key under which a decoder holds its conversion of names, if it converts them.
    fileprivate static let names = CodingUserInfoKey(rawValue: "ProductKit.KeyDecodingStrategy")
}

extension Decoder {
    /// Returns the coding key of a member by its name in the JSON text.
    fileprivate func key(forMember name: String) -> MemberName {
        let strategy = CodingUserInfoKey.names.flatMap { userInfo[$0] }
        guard let strategy = strategy as? JSONDecoder.KeyDecodingStrategy else {
            return MemberName(stringValue: name)
        }
        return MemberName(stringValue: strategy.converted(name, in: codingPath), name: name)
    }
}

extension JSONDecoder.KeyDecodingStrategy {
    /// Returns the name that a decoder converts a name in the JSON text to.
    fileprivate func converted(_ name: String, in codingPath: [any CodingKey]) -> String {
        if case .custom(let convert) = self {
            return convert(codingPath + [name.codingKey]).stringValue
        }
        // Only a decoder knows how it converts snake case.
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = self
        let object = try? JSONEncoder().encode([name: 0])
        let names = object.flatMap { try? decoder.decode(MemberNames.self, from: $0) }
        return names?.first ?? name
    }
}

/// The names of the members of an object, as a decoder has converted them.
private struct MemberNames: Decodable {
    let first: String?

    init(from decoder: any Decoder) throws {
        first = try decoder.container(keyedBy: MemberName.self).allKeys.first?.stringValue
    }
}
