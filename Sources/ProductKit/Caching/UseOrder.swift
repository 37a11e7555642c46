/// Values by key, in the order in which they were last used.
///
/// All uses are numbered in order, and listed. Of each key only the last one counts, so that a use takes
/// constant time on average.
struct UseOrder<Key: Hashable, Value> {
    private var entries: [Key: (value: Value, lastUse: Int)] = [:]
    private var uses: [(key: Key, number: Int)] = []
    /// The index of the first use that may still count.
    private var firstUse = 0
    private var useCount = 0

    /// The number of values.
    var count: Int { entries.count }

    /// The keys, in no order.
    var keys: some Collection<Key> { entries.keys }

    /// The values by key, the most recently used one first.
    var contents: [(key: Key, value: Value)] {
        entries.sorted { $0.value.lastUse > $1.value.lastUse }.map { ($0.key, $0.value.value) }
    }

    /// The value of a key, without using it.
    subscript(key: Key) -> Value? { entries[key]?.value }

    /// Inserts or replaces a value, which becomes the most recently used one.
    mutating func insert(_ value: Value, for key: Key) {
        entries[key] = (value, 0)
        use(key)
    }

    /// Returns a value, which becomes the most recently used one.
    @discardableResult
    mutating func use(_ key: Key) -> Value? {
        guard let index = entries.index(forKey: key) else { return nil }
        if entries.values[index].lastUse < useCount || useCount == 0 {
            useCount += 1
            entries.values[index].lastUse = useCount
            uses.append((key, useCount))
            if uses.count > 2 * count + 64 { removeEarlierUses() }
        }
        return entries.values[index].value
    }

    /// Changes a value without using it.
    mutating func change(_ key: Key, _ body: (inout Value) -> Void) {
        guard let index = entries.index(forKey: key) else { return }
        body(&entries.values[index].value)
    }

    /// Removes a value, and returns it.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? { entries.removeValue(forKey: key)?.value }

    /// The key of the value whose last use is the longest ago; `nil` if there are no values.
    mutating func leastRecentlyUsed() -> Key? {
        while firstUse < uses.count {
            let use = uses[firstUse]
            if entries[use.key]?.lastUse == use.number { return use.key }
            firstUse += 1
        }
        return nil
    }

    /// Keeps the memory proportional to the number of values.
    private mutating func removeEarlierUses() {
        let entries = entries
        uses.removeAll { entries[$0.key]?.lastUse != $0.number }
        firstUse = 0
    }
}

extension UseOrder: Sendable where Key: Sendable, Value: Sendable {}
