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
