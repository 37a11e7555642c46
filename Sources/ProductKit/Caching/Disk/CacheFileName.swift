/// The name of a file in the cache: 32 hexadecimal digits and an ending.
///
/// The digits are hashes of the partition with the path, and of the query. So the name follows from
/// the key, all queries of a path share their first half, and the name does not reveal the URL. Two
/// keys may have the same name by chance; the key in the file decides which one is stored.
struct CacheFileName: Hashable, Sendable {
    /// The hash of the partition and of the URL without its query.
    let pathHash: UInt64
    /// The hash of the query.
    let queryHash: UInt64

    /// Derives the name of the file for a key.
    init(_ key: CacheKey) {
        let end = key.url.utf8.firstIndex(where: \.endsPath) ?? key.url.endIndex
        pathHash = Self.pathHash(of: key.url[..<end], partition: key.partition)
        queryHash = .checksum(of: key.url[end...])
    }

    /// Combines the two halves of a name.
    init(pathHash: UInt64, queryHash: UInt64) {
        self.pathHash = pathHash
        self.queryHash = queryHash
    }

    /// Parses a name; `nil` if the file does not belong to the cache.
    init?(_ text: String) {
        guard let halves = Self.halves(of: text, ending: Self.ending) else { return nil }
        (pathHash, queryHash) = halves
    }

    /// Returns the hash of a path in a partition.
    static func pathHash(of path: some StringProtocol, partition: String) -> UInt64 {
        .checksum(of: path, startingWith: .checksum(of: partition))
    }

    /// The name as text.
    var text: String { Self.text(pathHash, queryHash, Self.ending) }
}

/// Names for files and folders that are not, or no longer, part of the cache.
extension CacheFileName {
    /// Returns a new name for a temporary file.
    static func temporary() -> String { unique(ending: temporaryEnding) }

    /// Returns whether a file is a temporary one of the cache.
    static func isTemporary(_ text: String) -> Bool {
        halves(of: text, ending: temporaryEnding) != nil
    }

    /// Returns a new name for a folder that is moved aside.
    static func movedAside(folder: String) -> String {
        folder + "-" + unique(ending: movedAsideEnding)
    }

    /// Returns whether a name stands for a folder that was moved aside.
    static func isMovedAside(_ text: String, folder: String) -> Bool {
        text.hasPrefix(folder + "-")
            && halves(of: text.dropFirst(folder.count + 1), ending: movedAsideEnding) != nil
    }

    /// Returns whether a file is one of an earlier version of the library, with any ending.
    static func isFormer(_ text: String) -> Bool {
        halves(of: text.prefix(32), ending: "") != nil && text.dropFirst(32).hasPrefix(".")
    }

    // Linux looks up names of up to 39 bytes without allocating memory for them.
    private static let ending = ".entry"
    private static let temporaryEnding = ".writing"
    private static let movedAsideEnding = ".gone"
    private static let digits = Array("0123456789abcdef".utf8)

    private static func unique(ending: String) -> String {
        text(.random(in: 0 ... .max), .random(in: 0 ... .max), ending)
    }

    private static func text(_ first: UInt64, _ second: UInt64, _ ending: String) -> String {
        String(unsafeUninitializedCapacity: 32 + ending.utf8.count) { text in
            for place in 0..<16 {
                let shift = UInt64(60 - 4 * place)
                text[place] = digits[Int(first >> shift & 15)]
                text[place + 16] = digits[Int(second >> shift & 15)]
            }
            return text[32...].initialize(fromContentsOf: ending.utf8)
        }
    }

    private static func halves(
        of text: some StringProtocol,
        ending: String
    ) -> (UInt64, UInt64)? {
        // The comparison excludes upper case, signs and other lengths.
        guard let first = UInt64(text.prefix(16), radix: 16),
            let second = UInt64(text.dropFirst(16).prefix(16), radix: 16),
            text == Self.text(first, second, ending)
        else { return nil }
        return (first, second)
    }
}
