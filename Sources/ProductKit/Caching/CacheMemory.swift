/// Stored responses in memory: a dictionary by cache key, with a linked list in order of use.
///
/// The least recently used cache keys are removed first when there are too many keys or bytes.
struct CacheMemory {
    /// The variants of one cache key, and its neighbors in the order of use.
    private struct Node {
        let key: CacheKey
        var entry: Entry
        var byteCount: Int
        var newer: Int?
        var older: Int?
    }

    /// The variants of one cache key that are in memory.
    struct Entry {
        /// The variants, newest first.
        var variants: [CachedResponse] = []
        /// Whether these are all variants of the cache key that are stored.
        var isComplete = false
    }

    let byteLimit: Int
    let entryLimit: Int
    /// The approximate number of bytes that are stored.
    private(set) var byteCount = 0
    private var nodes: [Node?] = []
    /// The indices in `nodes` that are free.
    private var vacant: [Int] = []
    private var indices: [CacheKey: Int] = [:]
    private var newest: Int?
    private var oldest: Int?

    init(byteLimit: Int, entryLimit: Int) {
        self.byteLimit = byteLimit
        self.entryLimit = entryLimit
    }

    /// The number of cache keys with a stored response.
    var count: Int { indices.count }

    /// All entries by cache key, the most recently used key first.
    var contents: [(key: CacheKey, entry: Entry)] {
        var contents: [(key: CacheKey, entry: Entry)] = []
        var next = newest
        while let index = next, let node = nodes[index] {
            contents.append((node.key, node.entry))
            next = node.older
        }
        return contents
    }

    /// Returns the entry of a cache key and marks the key as the most recently used one.
    mutating func use(_ key: CacheKey) -> Entry? {
        guard let index = indices[key] else { return nil }
        if index != newest {
            unlink(index)
            link(index)
        }
        return nodes[index]?.entry
    }

    /// Returns the variants of a cache key without changing the order of use.
    func variants(for key: CacheKey) -> [CachedResponse] {
        indices[key].flatMap { nodes[$0]?.entry.variants } ?? []
    }

    /// Replaces the variants of a cache key.
    ///
    /// One cache key may take up to a quarter of `byteLimit`. Variants are stored in their order
    /// until the first one that does not fit.
    mutating func store(_ variants: [CachedResponse], for key: CacheKey) {
        remove(key)
        var (entry, size) = (Entry(variants: variants, isComplete: true), key.url.utf8.count)
        for (index, variant) in variants.enumerated() {
            size += variant.byteCount
            guard size > byteLimit / 4 else { continue }
            size -= variant.byteCount
            entry = Entry(variants: Array(variants[..<index]))
            break
        }
        guard !entry.variants.isEmpty, entryLimit > 0 else { return }
        while let oldest = oldest.flatMap({ nodes[$0]?.key }),
            count >= entryLimit || byteCount + size > byteLimit
        {
            remove(oldest)
        }
        let index = vacant.popLast() ?? nodes.count
        if index == nodes.count { nodes.append(nil) }
        nodes[index] = Node(key: key, entry: entry, byteCount: size)
        indices[key] = index
        byteCount += size
        link(index)
    }

    /// Removes the stored responses of all matching cache keys.
    mutating func remove(where isMatch: (CacheKey) -> Bool) {
        for key in indices.keys where isMatch(key) { remove(key) }
    }

    /// Invalidates the stored responses of all matching cache keys, without changing the order of
    /// use.
    mutating func invalidate(where isMatch: (CacheKey) -> Bool) {
        for (key, index) in indices where isMatch(key) {
            let variants = nodes[index]?.entry.variants ?? []
            nodes[index]?.entry.variants = variants.map(\.invalidated)
        }
    }

    private mutating func remove(_ key: CacheKey) {
        guard let index = indices.removeValue(forKey: key) else { return }
        unlink(index)
        byteCount -= nodes[index]?.byteCount ?? 0
        nodes[index] = nil
        vacant.append(index)
    }

    private mutating func link(_ index: Int) {
        nodes[index]?.newer = nil
        nodes[index]?.older = newest
        if let newest { nodes[newest]?.newer = index }
        newest = index
        oldest = oldest ?? index
    }

    private mutating func unlink(_ index: Int) {
        let (newer, older) = (nodes[index]?.newer, nodes[index]?.older)
        if let newer { nodes[newer]?.older = older } else { newest = older }
        if let older { nodes[older]?.newer = newer } else { oldest = newer }
    }
}
