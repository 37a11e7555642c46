/// What stored answers are found by: whose they are, and the address asked.
struct CacheKey: Hashable, Sendable {
    /// Names the user; answers of one scope are never seen in another.
    let scope: String
    /// The address without its fragment, with its query.
    let url: String
    /// The credentials that the cache itself has seen; such answers stay in memory.
    var authorization: String?

    /// Whether the address, without its query, is this one.
    func hasPath(_ address: String) -> Bool {
        guard url.hasPrefix(address) else { return false }
        let rest = url.utf8.dropFirst(address.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "?")
    }
}
