public import Foundation

/// The origin of a response or value: the server or a cache, and since when it is known.
///
/// ```swift
/// let isOffline = response.source.code == .staleIfError
/// ```
public struct FetchSource: Sendable {
    /// The kind of origin.
    public let code: Code
    /// When the server last sent or confirmed a stored value.
    ///
    /// It is `nil` if the server has done so in response to this request.
    public let asOf: Date?
    /// The error that led to the use of a stored value; `nil` unless the code is `staleIfError`.
    public let failure: (any Error)?

    /// The server sent the value in response to this request.
    public static let network = FetchSource(code: .network)

    /// A cache returned a stored value without a request to the server.
    ///
    /// - Parameter date: When the server last sent or confirmed the value.
    /// - Returns: An origin with the code `cache`.
    public static func cache(asOf date: Date) -> FetchSource {
        FetchSource(code: .cache, asOf: date)
    }

    /// The server confirmed a stored value with status code 304 (RFC 9110 §15.4.5).
    public static let revalidated = FetchSource(code: .revalidated)

    /// A cache returned a stored value because the request to the server failed (RFC 5861 §4).
    ///
    /// - Parameters:
    ///   - date: When the server last sent or confirmed the value.
    ///   - failure: The error of the request.
    /// - Returns: An origin with the code `staleIfError`.
    public static func staleIfError(asOf date: Date, failure: any Error) -> FetchSource {
        FetchSource(code: .staleIfError, asOf: date, failure: failure)
    }

    private init(code: Code, asOf: Date? = nil, failure: (any Error)? = nil) {
        self.code = code
        self.asOf = asOf
        self.failure = failure
    }

    /// Whether the server sent or confirmed the value in response to this request.
    public var isFromServer: Bool { code == .network || code == .revalidated }
}

extension FetchSource {
    /// The kinds of origins.
    public enum Code: String, Sendable {
        /// The server sent the value.
        case network
        /// A cache returned a stored value without a request to the server.
        case cache
        /// The server confirmed a stored value.
        case revalidated
        /// A cache returned a stored value because the request to the server failed.
        case staleIfError
    }
}

extension FetchSource: Hashable {
    /// Compares ``code-swift.property`` and ``asOf``, but not ``failure``.
    public static func == (lhs: FetchSource, rhs: FetchSource) -> Bool {
        lhs.code == rhs.code && lhs.asOf == rhs.asOf
    }

    /// Hashes ``code-swift.property`` and ``asOf``.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(asOf)
    }
}

/// A value together with its origin.
public struct Fetched<Value> {
    /// The value.
    public let value: Value
    /// The origin of the value.
    public let source: FetchSource

    /// Creates a value with an origin.
    public init(_ value: Value, source: FetchSource) {
        self.value = value
        self.source = source
    }
}

extension Fetched: Sendable where Value: Sendable {}

extension Fetched: Equatable where Value: Equatable {}

extension Fetched: Hashable where Value: Hashable {}

extension CodingUserInfoKey {
    /// The key under which a decoder holds the origin of the text that it decodes.
    static let source = CodingUserInfoKey(rawValue: "ProductKit.FetchSource")
}

extension Decoder {
    /// The origin of the text; ``FetchSource/network`` if the decoder does not hold one.
    var source: FetchSource {
        CodingUserInfoKey.source.flatMap { userInfo[$0] as? FetchSource } ?? .network
    }
}
