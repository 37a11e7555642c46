public import Foundation

/// The source of a response or value: the server or a cache, and the time it was stored.
///
/// ```swift
/// let isOffline = response.source.code == .staleIfError
/// ```
public enum FetchSource: Sendable {
    /// The server sent the value in response to this request.
    case network
    /// A cache returned a stored value without a request to the server.
    ///
    /// The date is when the server last sent or confirmed the value.
    case cache(asOf: Date)
    /// The server confirmed a stored value with status code 304 (RFC 9110 §15.4.5).
    case revalidated
    /// A cache returned a stored value because the request to the server failed (RFC 5861 §4).
    ///
    /// The date is when the server last sent or confirmed the value. The error is that of the request.
    case staleIfError(asOf: Date, failure: any Error)

    /// The cases of ``FetchSource`` without their dates and errors, for comparisons.
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

    /// The case of this source, without its date and error.
    public var code: Code {
        switch self {
        case .network: .network
        case .cache: .cache
        case .revalidated: .revalidated
        case .staleIfError: .staleIfError
        }
    }

    /// The time at which the server last sent or confirmed a stored value.
    ///
    /// It is `nil` if the server did so in response to this request.
    public var asOf: Date? {
        switch self {
        case .cache(let date), .staleIfError(let date, _): date
        case .network, .revalidated: nil
        }
    }

    /// The error that led to the use of a stored value; `nil` except for `staleIfError`.
    public var failure: (any Error)? {
        if case .staleIfError(_, let failure) = self { failure } else { nil }
    }

    /// Whether the server sent or confirmed the value in response to this request.
    public var isFromServer: Bool { code == .network || code == .revalidated }

    /// Returns the source of a value that is composed of values from this source and from another.
    ///
    /// The result is the less current source, in the order `network`, `revalidated`, `cache`, `staleIfError`. Its
    /// ``asOf`` is the earlier of both dates, and its ``failure`` is that of this source, or else that of the other one.
    /// So a composed value is from the server only if all of its parts are.
    ///
    /// ```swift
    /// let source = product.source.combined(with: price.source)
    /// ```
    public func combined(with other: FetchSource) -> FetchSource {
        let date: Date
        switch (asOf, other.asOf) {
        case (nil, nil): return code == .network ? other : self
        case (let one?, let another?): date = min(one, another)
        case (let one?, nil), (nil, let one?): date = one
        }
        guard let failure = failure ?? other.failure else { return .cache(asOf: date) }
        return .staleIfError(asOf: date, failure: failure)
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

/// A value together with its source.
public struct Fetched<Value> {
    /// The value.
    public let value: Value
    /// The source of the value.
    public let source: FetchSource

    /// Creates a value with a source.
    public init(_ value: Value, source: FetchSource) {
        self.value = value
        self.source = source
    }
}

extension Fetched: Sendable where Value: Sendable {}
extension Fetched: Equatable where Value: Equatable {}
extension Fetched: Hashable where Value: Hashable {}

extension CodingUserInfoKey {
    /// The key under which a decoder holds the source of the text that it decodes.
    static let source = CodingUserInfoKey(rawValue: "ProductKit.FetchSource")
    /// The key under which a decoder holds the URL of the response that it decodes.
    static let responseURL = CodingUserInfoKey(rawValue: "ProductKit.ResponseURL")
}

extension Decoder {
    /// The source of the text; ``FetchSource/network`` if the decoder does not hold one.
    var source: FetchSource {
        CodingUserInfoKey.source.flatMap { userInfo[$0] as? FetchSource } ?? .network
    }

    /// Resolves a relative reference against the URL of the response (RFC 3986 §5.2); returns `nil` without a response.
    func resolvedURL(_ reference: String) -> URL? {
        let base = CodingUserInfoKey.responseURL.flatMap { userInfo[$0] as? URL }
        return base.flatMap { URL(string: reference, relativeTo: $0)?.absoluteURL }
    }
}
