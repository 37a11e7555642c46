/// What stored answers are found by: whose they are, and the address asked.
struct CacheKey: Hashable, Sendable {
    /// Names the user; answers of one scope are never seen in another.
    let scope: String
    /// The address without its fragment, with its query.
    let url: String
    /// The credentials that the cache itself has seen; such answers stay in memory.
    var authorization: String?

    /// The address without its query; what a mutation makes old is found by it.
    var path: Substring {
        url.prefix(upTo: url.utf8.firstIndex(of: UInt8(ascii: "?")) ?? url.endIndex)
    }
}
