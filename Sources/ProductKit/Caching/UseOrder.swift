/// Values by key, in the order of their last use, and their sizes.
package struct UseOrder<Key: Hashable, Value> {
    private var entries: [Key: (value: Value, byteCount: Int, lastUse: Int)] = [:]
    /// The size of all values together.
    package private(set) var byteCount = 0
    private var latestUse = 0

    /// Creates an order without values.
    package init() {}

    /// The number of values.
    package var count: Int { entries.count }

    /// The keys, in no order.
    var keys: some Collection<Key> { entries.keys }

    /// The values by key, the most recently used one first.
    package var contents: [(key: Key, value: Value)] {
        entries.sorted { $0.value.lastUse > $1.value.lastUse }.map { ($0.key, $0.value.value) }
    }

    /// The value of a key, without changing the order.
    subscript(key: Key) -> Value? { entries[key]?.value }

    /// The size of the value of a key.
    func byteCount(of key: Key) -> Int? { entries[key]?.byteCount }

    /// Inserts or replaces a value, which becomes the most recently used one.
    package mutating func insert(_ value: Value, byteCount: Int, for key: Key) {
        remove(key)
        latestUse += 1
        entries[key] = (value, byteCount, latestUse)
        self.byteCount += byteCount
    }

    /// Returns a value, which becomes the most recently used one.
    @discardableResult
    package mutating func use(_ key: Key) -> Value? {
        guard let index = entries.index(forKey: key) else { return nil }
        latestUse += 1
        entries.values[index].lastUse = latestUse
        return entries.values[index].value
    }

    /// Changes a value without using it.
    mutating func change(_ key: Key, _ body: (inout Value) -> Void) {
        guard let index = entries.index(forKey: key) else { return }
        body(&entries.values[index].value)
    }

    /// Removes a value, and returns it.
    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        byteCount -= entry.byteCount
        return entry.value
    }

    /// The key of the value whose last use is the longest ago; `nil` if there are no values.
    ///
    /// It compares all of them, which takes about 20 microseconds for 3,000.
    package func leastRecentlyUsed() -> Key? {
        // A comparison of the entries instead would copy their keys.
        let values = entries.values
        let index = values.indices.min { values[$0].lastUse < values[$1].lastUse }
        return index.map { entries.keys[$0] }
    }
}

extension UseOrder: Sendable where Key: Sendable, Value: Sendable {}
