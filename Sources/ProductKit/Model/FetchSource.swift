public import Foundation

/// Where a value came from, and since when it is known.
///
/// ```swift
/// let isOffline = response.source.code == .staleIfError
/// ```
public struct FetchSource: Sendable {
    /// Who answered.
    public let code: Code
    /// When the server last vouched for the value; `nil` when it has done so just now.
    public let asOf: Date?
    /// Why the server could not be asked, for a stand-in.
    public let failure: (any Error)?

    /// The server, just now.
    public static let network = FetchSource(code: .network)

    /// A cache, for an answer that is still good; nobody was asked.
    public static func cache(asOf date: Date) -> FetchSource {
        FetchSource(code: .cache, asOf: date)
    }

    /// The server said that what a cache holds is still good (a 304, RFC 9110 §15.4.5).
    public static let revalidated = FetchSource(code: .revalidated)

    /// A cache, in place of the server, which could not be had.
    public static func staleIfError(asOf date: Date, failure: any Error) -> FetchSource {
        FetchSource(code: .staleIfError, asOf: date, failure: failure)
    }

    private init(code: Code, asOf: Date? = nil, failure: (any Error)? = nil) {
        self.code = code
        self.asOf = asOf
        self.failure = failure
    }

    /// Whether the server has said just now that this is so, whole or with a 304.
    public var isFromServer: Bool { code == .network || code == .revalidated }
}

extension FetchSource {
    /// Who answered.
    public enum Code: String, Sendable {
        /// The server answered.
        case network
        /// A cache answered without asking.
        case cache
        /// The server said that the stored answer is still good.
        case revalidated
        /// A cache answered because the server could not be had.
        case staleIfError
    }
}

extension FetchSource: Hashable {
    /// Equal when the same one answered as of the same moment, whatever the failure.
    public static func == (one: FetchSource, other: FetchSource) -> Bool {
        one.code == other.code && one.asOf == other.asOf
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(asOf)
    }
}

extension CodingUserInfoKey {
    /// Where the text came from that a decoder reads.
    static let source = CodingUserInfoKey(rawValue: "ProductKit.FetchSource")
}

extension Decoder {
    /// Where the text came from that is read.
    var source: FetchSource {
        CodingUserInfoKey.source.flatMap { userInfo[$0] as? FetchSource } ?? .network
    }
}

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
}

extension Fetched: Sendable where Value: Sendable {}

extension Fetched: Equatable where Value: Equatable {}

extension Fetched: Hashable where Value: Hashable {}
