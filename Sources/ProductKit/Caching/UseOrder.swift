/// Values by key, in the order of their last use, and their sizes.
///
/// Each use gets the next number, and the key moves from the number of its last use to this one. So a use
/// takes constant time, and nothing is left of a removed key.
package struct UseOrder<Key: Hashable, Value> {
    private var entries: [Key: (value: Value, byteCount: Int, lastUse: Int)] = [:]
    /// The size of all values together.
    package private(set) var byteCount = 0
    /// The keys by the numbers of their last uses.
    private var keysByUse: [Int: Key] = [:]
    /// A number that no last use is less than.
    private var firstUse = 0
    private var latestUse = 0

    package init() {}

    package var count: Int { entries.count }

    /// The keys, in no order.
    var keys: some Collection<Key> { entries.keys }

    /// The values by key, the most recently used one first.
    package var contents: [(key: Key, value: Value)] {
        entries.sorted { $0.value.lastUse > $1.value.lastUse }.map { ($0.key, $0.value.value) }
    }

    /// The value of a key, without changing the order.
    subscript(key: Key) -> Value? { entries[key]?.value }

    func byteCount(of key: Key) -> Int? { entries[key]?.byteCount }

    /// Inserts or replaces a value, which becomes the most recently used one.
    package mutating func insert(_ value: Value, byteCount: Int, for key: Key) {
        remove(key)
        latestUse += 1
        entries[key] = (value, byteCount, latestUse)
        self.byteCount += byteCount
        keysByUse[latestUse] = key
    }

    /// Returns a value, which becomes the most recently used one.
    @discardableResult
    package mutating func use(_ key: Key) -> Value? {
        guard let index = entries.index(forKey: key) else { return nil }
        let lastUse = entries.values[index].lastUse
        if lastUse != latestUse {
            latestUse += 1
            entries.values[index].lastUse = latestUse
            // The key of the caller may be a large copy.
            keysByUse[latestUse] = keysByUse.removeValue(forKey: lastUse)
        }
        return entries.values[index].value
    }

    /// Changes a value without using it.
    mutating func change(_ key: Key, _ body: (inout Value) -> Void) {
        guard let index = entries.index(forKey: key) else { return }
        body(&entries.values[index].value)
    }

    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        keysByUse[entry.lastUse] = nil
        byteCount -= entry.byteCount
        return entry.value
    }

    /// The key of the value whose last use is the longest ago; `nil` if there are no values.
    ///
    /// It takes constant time on average, because a number is skipped at most once.
    package mutating func leastRecentlyUsed() -> Key? {
        for _ in 0..<count {
            if let key = keysByUse[firstUse] { return key }
            firstUse += 1
        }
        // After many uses of the other keys, the rest of the gap is too long to skip number by number.
        guard let use = keysByUse.keys.min() else { return nil }
        firstUse = use
        return keysByUse[use]
    }
}

extension UseOrder: Sendable where Key: Sendable, Value: Sendable {}
