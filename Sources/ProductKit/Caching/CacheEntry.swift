import Foundation

/// What is kept of an address, for a list of it.
struct CacheEntry: Hashable, Sendable {
    /// What it is found by.
    let key: CacheKey
    /// How many bytes its file has.
    let size: Int
    /// When the server last vouched for an answer of it.
    let receivedAt: Date
    /// Whether a mutation has made all of it old.
    let isExpired: Bool

    init(_ file: CacheFile, size: Int) {
        key = file.key
        self.size = size
        receivedAt = file.responses.map(\.receivedAt).max() ?? .distantPast
        isExpired = file.responses.allSatisfy(\.isExpired)
    }
}
