/// What a ``ResponseCache`` needs of a place that outlives the program.
///
/// Only ``responses(for:)`` may take its time; it is never called while others wait for memory.
protocol CacheDisk: Sendable {
    /// Reads what is stored for a key; empty when nothing is.
    func responses(for key: CacheKey) -> [StoredResponse]

    /// Stores something in place of what is stored for a key, some time later; nothing removes it.
    func write(_ responses: [StoredResponse], for key: CacheKey)

    /// Forgets what is stored for a key, before it returns.
    func remove(_ key: CacheKey)

    /// Makes everything old that is stored below one path, whatever the query.
    func expirePath(scope: String, path: String)

    /// Forgets everything, before it returns.
    func removeAll()
}

extension StoredResponse {
    /// What may be written of it: no secret that the user or the server has sent; `nil` for nothing.
    func writable(for key: CacheKey) -> StoredResponse? {
        let secrets = ["authorization", "cookie", "proxy-authorization"]
        guard key.authorization == nil,
            secrets.allSatisfy({ (selectingFields[$0] ?? "").isEmpty })
        else { return nil }
        var writable = self
        writable.headers["Set-Cookie"] = nil
        writable.headers["Set-Cookie2"] = nil
        return writable
    }
}
