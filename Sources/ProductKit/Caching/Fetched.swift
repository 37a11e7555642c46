public import Foundation

/// A value, and where it came from.
public struct Fetched<Value> {
    /// The value.
    public let value: Value
    /// Who gave it.
    public let source: NetworkResponse.Source

    /// Creates a value that somebody gave.
    public init(_ value: Value, source: NetworkResponse.Source) {
        self.value = value
        self.source = source
    }

    /// Whether the server has said just now that this is so, whole or with a 304.
    public var isConfirmed: Bool { [.network, .validated].contains(source.code) }

    /// When the server last vouched for the value; `nil` when it has done so just now.
    public var asOf: Date? { source.asOf }

    /// The same with another value.
    ///
    /// - Parameter transform: Makes the new value.
    /// - Returns: The new value, from the same source.
    /// - Throws: What `transform` throws.
    public func map<NewValue>(
        _ transform: (Value) throws -> NewValue
    ) rethrows -> Fetched<NewValue> {
        try Fetched<NewValue>(transform(value), source: source)
    }
}

extension Fetched: Sendable where Value: Sendable {}

extension Fetched: Equatable where Value: Equatable {}

extension Fetched: Hashable where Value: Hashable {}
