/// The name of a file in the cache: 32 hexadecimal digits and an ending.
///
/// The digits are hashes of the partition with the path, and of the query. So the name follows from
/// the key, all queries of a path share their first half, and the name does not reveal the URL. Two
/// keys may have the same name by chance; the key in the file decides which one is stored.
struct CacheFileName: Hashable, Sendable {
    /// The hash of the partition and of the URL without its query.
    let pathHash: UInt64
    let queryHash: UInt64

    /// Derives the name of the file for a key.
    init(_ key: CacheKey) {
        let end = key.url.utf8.firstIndex(where: \.endsPath) ?? key.url.endIndex
        pathHash = Self.pathHash(of: key.url[..<end], partition: key.partition)
        queryHash = .checksum(of: key.url[end...])
    }

    /// Parses a name; `nil` if the file does not belong to the cache.
    init?(_ text: String) {
        guard let path = UInt64(text.prefix(16), radix: 16),
            let query = UInt64(text.dropFirst(16).prefix(16), radix: 16)
        else { return nil }
        (pathHash, queryHash) = (path, query)
        // The comparison excludes upper case, signs and other lengths.
        guard text == self.text else { return nil }
    }

    /// Returns the hash of a path in a partition.
    static func pathHash(of path: some StringProtocol, partition: String) -> UInt64 {
        .checksum(of: path, startingWith: .checksum(of: partition))
    }

    /// The name as text, of 38 bytes: Linux looks up names of up to 39 bytes without allocating memory.
    var text: String { pathHash.hexadecimalDigits + queryHash.hexadecimalDigits + ".entry" }
}
