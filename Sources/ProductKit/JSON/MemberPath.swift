import Foundation

/// Where a value stands in a JSON text, written as errors write it: `data.products[0].price`.
///
/// ```swift
/// let product = NetworkRequest<Product>.get("products", id).inside("data.product")
/// ```
///
/// Names that hold a point or a bracket themselves are given one by one, as an array:
/// `["facets", "price.amount"]`. The empty path is the whole text.
public struct MemberPath: Hashable, Sendable {
    enum Step: Hashable {
        case member(String)
        case index(Int)
    }

    let steps: [Step]

    /// Creates a path from names with points between them and places of arrays in brackets.
    ///
    /// - Parameter text: Such as `errors[0].message`; brackets that hold no number belong to the
    ///   name.
    public init(_ text: String) {
        steps = text.split(separator: ".").flatMap(Self.steps)
    }

    /// Creates a path from names, whatever they hold.
    public init(_ names: [String]) {
        steps = names.map(Step.member)
    }

    private init(steps: [Step]) {
        self.steps = steps
    }

    /// The path that goes on from where this one leads.
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
    /// Creates a path from a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension MemberPath: ExpressibleByArrayLiteral {
    /// Creates a path from a literal of names.
    public init(arrayLiteral elements: String...) {
        self.init(elements)
    }
}

extension MemberPath.Step {
    var codingKey: any CodingKey {
        switch self {
        case .member(let name): name.codingKey
        case .index(let index): index.codingKey
        }
    }
}

extension MemberPath {
    /// Does something with a member, so that an error tells which member it was.
    ///
    /// ```swift
    /// let price = try MemberPath("price").reading { try Price(text, currency: "EUR") }
    /// ```
    ///
    /// - Parameter work: What to do, such as making a price from a text.
    /// - Returns: What came of it.
    /// - Throws: `DecodingError` with this path in front of where the error was.
    public func reading<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch {
            let cause = error as? DecodingError
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: steps.map(\.codingKey) + (cause?.path ?? []),
                    debugDescription: cause?.reason ?? error.localizedDescription,
                    underlyingError: error
                )
            )
        }
    }
}

extension MemberPath {
    /// Reads the value at this path.
    ///
    /// - Throws: `DecodingError`, which names the first member on the way that is missing, `null` or
    ///   of another kind. For an optional type the last member may be missing.
    func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        from decoder: any Decoder
    ) throws -> Value {
        var decoder = decoder
        for (place, step) in steps.enumerated() {
            guard let inner = try step.decoder(in: decoder) else {
                if place == steps.count - 1, let none = type.missing { return none }
                throw DecodingError.keyNotFound(
                    step.codingKey,
                    DecodingError.Context(
                        codingPath: decoder.codingPath,
                        debugDescription: "It is missing."
                    )
                )
            }
            decoder = inner
        }
        return try decoder.singleValueContainer().decode(type)
    }

    /// Reads the value at this path, `nil` when a member on the way is missing or `null`.
    func decodeIfPresent<Value: Decodable>(
        _ type: Value.Type = Value.self,
        from decoder: any Decoder
    ) throws -> Value? {
        var decoder = decoder
        for step in steps {
            guard let inner = try step.decoder(in: decoder),
                try !inner.singleValueContainer().decodeNil()
            else { return nil }
            decoder = inner
        }
        return try decoder.singleValueContainer().decode(type)
    }
}

extension MemberPath.Step {
    /// What reads the value that this step leads to; `nil` when there is none.
    fileprivate func decoder(in decoder: any Decoder) throws -> (any Decoder)? {
        switch self {
        case .member(let name):
            let container = try decoder.container(keyedBy: MemberName.self)
            let key = MemberName(stringValue: name)
            return container.contains(key) ? try container.superDecoder(forKey: key) : nil
        case .index(let index):
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd, container.currentIndex < index {
                _ = try container.decode(AnyJSON.self)
            }
            return container.isAtEnd ? nil : try container.superDecoder()
        }
    }
}

extension Decodable {
    /// What this type makes of no value: an optional one is `nil`, the others are nothing.
    fileprivate static var missing: Self? {
        (self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Self
    }
}

/// A coding key that may have any name.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        return nil
    }
}
