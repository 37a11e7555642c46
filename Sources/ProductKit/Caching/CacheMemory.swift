/// Stored responses in memory, by cache key.
///
/// The least recently used cache keys are removed first when there are too many keys or bytes.
struct CacheMemory {
    /// The variants of one cache key that are in memory.
    struct Entry {
        /// Newest first.
        var variants: [CachedResponse] = []
        /// Whether no further variants are stored on disk.
        var isComplete = false
    }

    let byteLimit: Int
    let entryLimit: Int
    /// The entries by cache key, with the approximate number of bytes of key and variants.
    private(set) var entries = UseOrder<CacheKey, Entry>()

    /// Returns the entry of a cache key and marks the key as the most recently used one.
    mutating func use(_ key: CacheKey) -> Entry? { entries.use(key) }

    /// Returns the variants of a cache key without changing the order of use.
    func variants(for key: CacheKey) -> [CachedResponse] { entries[key]?.variants ?? [] }

    /// Replaces the variants of a cache key.
    ///
    /// One cache key may take up to a quarter of `byteLimit`. Variants are stored in their order
    /// until the first one that does not fit.
    mutating func store(_ variants: [CachedResponse], for key: CacheKey) {
        entries.remove(key)
        var entry = Entry(isComplete: true)
        var size = key.url.utf8.count
        for variant in variants {
            guard size + variant.byteCount <= byteLimit / 4 else {
                entry.isComplete = false
                break
            }
            entry.variants.append(variant)
            size += variant.byteCount
        }
        guard !entry.variants.isEmpty, entryLimit > 0 else { return }
        while entries.count >= entryLimit || entries.byteCount + size > byteLimit,
            let oldest = entries.leastRecentlyUsed()
        {
            entries.remove(oldest)
        }
        entries.insert(entry, byteCount: size, for: key)
    }

    /// Removes matching cache keys, of which nothing is left, because they may contain tokens.
    mutating func remove(where isMatch: (CacheKey) -> Bool) {
        for key in entries.keys.filter(isMatch) { entries.remove(key) }
    }

    /// Invalidates the responses of matching cache keys, without changing the order of use.
    mutating func invalidate(where isMatch: (CacheKey) -> Bool) {
        for key in entries.keys.filter(isMatch) {
            entries.change(key) { $0.variants = $0.variants.map(\.invalidated) }
        }
    }
}
