/// Stored answers in memory, as a value: found by key, and the least recently used forgotten first when
/// there are too many.
struct CacheMemory {
    /// What is stored for a key, and the places of its neighbors in the order of use.
    private struct Shelf {
        let key: CacheKey
        var variants: [CachedResponse]
        var byteCount: Int
        var newer: Int?
        var older: Int?
    }

    let byteLimit: Int
    let entryLimit: Int
    /// How many bytes are stored.
    private(set) var byteCount = 0
    private var shelves: [Shelf?] = []
    private var vacant: [Int] = []
    private var places: [CacheKey: Int] = [:]
    private var newest: Int?
    private var oldest: Int?

    init(byteLimit: Int, entryLimit: Int) {
        self.byteLimit = byteLimit
        self.entryLimit = entryLimit
    }

    /// How many keys something is stored for.
    var count: Int { places.count }

    /// All that is stored, the most recently used first.
    var contents: [(key: CacheKey, variants: [CachedResponse])] {
        var contents: [(key: CacheKey, variants: [CachedResponse])] = []
        var place = newest
        while let index = place, let shelf = shelves[index] {
            contents.append((shelf.key, shelf.variants))
            place = shelf.older
        }
        return contents
    }

    /// What is stored for a key; looking it up uses it.
    mutating func use(_ key: CacheKey) -> [CachedResponse]? {
        guard let place = places[key] else { return nil }
        if place != newest {
            unlink(place)
            link(place)
        }
        return shelves[place]?.variants
    }

    /// What is stored for a key; it counts as no use.
    func variants(for key: CacheKey) -> [CachedResponse] {
        places[key].flatMap { shelves[$0]?.variants } ?? []
    }

    /// Stores something in place of what is stored for a key: as much of it, newest first, as fits into
    /// a quarter of all room.
    mutating func store(_ variants: [CachedResponse], for key: CacheKey) {
        remove(key)
        var (variants, size) = (variants, key.url.utf8.count)
        for (index, variant) in variants.enumerated() {
            size += variant.byteCount
            guard size > byteLimit / 4 else { continue }
            size -= variant.byteCount
            variants.removeSubrange(index...)
            break
        }
        guard !variants.isEmpty, entryLimit > 0 else { return }
        while let oldest = oldest.flatMap({ shelves[$0]?.key }),
            count >= entryLimit || byteCount + size > byteLimit
        {
            remove(oldest)
        }
        let place = vacant.popLast() ?? shelves.count
        if place == shelves.count { shelves.append(nil) }
        shelves[place] = Shelf(key: key, variants: variants, byteCount: size)
        places[key] = place
        byteCount += size
        link(place)
    }

    /// Forgets what is stored for some keys.
    mutating func remove(where isMeant: (CacheKey) -> Bool) {
        for key in places.keys where isMeant(key) { remove(key) }
    }

    /// Makes old what is stored for some keys; it counts as no use.
    mutating func invalidate(where isMeant: (CacheKey) -> Bool) {
        for (key, place) in places where isMeant(key) {
            let variants = shelves[place]?.variants ?? []
            shelves[place]?.variants = variants.map(\.invalidated)
        }
    }

    private mutating func remove(_ key: CacheKey) {
        guard let place = places.removeValue(forKey: key) else { return }
        unlink(place)
        byteCount -= shelves[place]?.byteCount ?? 0
        shelves[place] = nil
        vacant.append(place)
    }

    private mutating func link(_ place: Int) {
        shelves[place]?.newer = nil
        shelves[place]?.older = newest
        if let newest { shelves[newest]?.newer = place }
        newest = place
        oldest = oldest ?? place
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (shelves[place]?.newer, shelves[place]?.older)
        if let newer { shelves[newer]?.older = older } else { newest = older }
        if let older { shelves[older]?.newer = newer } else { oldest = newer }
    }
}

/// What stored answers are found by: whose they are, and the address asked.
struct CacheKey: Hashable, Sendable {
    /// Names the user; answers of one partition are never seen in another.
    let partition: String
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
