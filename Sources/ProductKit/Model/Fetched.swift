public import Foundation

/// A value, and where it came from.
public struct Fetched<Value> {
    /// The value.
    public let value: Value
    /// Who gave it.
    public let source: FetchSource

    /// Creates a value that somebody gave.
    public init(_ value: Value, source: FetchSource) {
        self.value = value
        self.source = source
    }

    /// Whether the server has said just now that this is so, whole or with a 304.
    public var isConfirmed: Bool { source.isConfirmed }

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

extension NetworkRequest {
    /// The same request whose answer says where it came from.
    public var fetched: NetworkRequest<Fetched<Output>> {
        map { value, response in Fetched(value, source: response.source) }
    }
}
