/// Values by key, in the order of their last use.
///
/// Each use gets the next number and is appended to a list. Only the last use of a key counts. Earlier
/// ones are skipped, and removed later in bulk. So a use takes constant time on average.
package struct UseOrder<Key: Hashable, Value> {
    private var entries: [Key: (value: Value, lastUse: Int)] = [:]
    private var uses: [(key: Key, number: Int)] = []
    /// The index of the first use that may still count.
    private var firstIndex = 0
    /// The number of the latest use.
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
    package subscript(key: Key) -> Value? { entries[key]?.value }

    /// Inserts or replaces a value, which becomes the most recently used one.
    package mutating func insert(_ value: Value, for key: Key) {
        entries[key] = (value, -1)
        use(key)
    }

    /// Returns a value, which becomes the most recently used one.
    @discardableResult
    package mutating func use(_ key: Key) -> Value? {
        guard let index = entries.index(forKey: key) else { return nil }
        if entries.values[index].lastUse != latestUse {
            latestUse += 1
            entries.values[index].lastUse = latestUse
            uses.append((key, latestUse))
            if uses.count > 2 * count + 64 { removeOutdatedUses() }
        }
        return entries.values[index].value
    }

    /// Changes a value without using it.
    mutating func change(_ key: Key, _ body: (inout Value) -> Void) {
        guard let index = entries.index(forKey: key) else { return }
        body(&entries.values[index].value)
    }

    /// Removes a value, and returns it.
    ///
    /// Its key may stay in the list of uses until ``removeOutdatedUses()``.
    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        if uses.count > 2 * count + 64 || entries.isEmpty { removeOutdatedUses() }
        return entry.value
    }

    /// The key of the value whose last use is the longest ago; `nil` if there are no values.
    ///
    /// It skips uses that no longer count.
    package mutating func leastRecentlyUsed() -> Key? {
        while firstIndex < uses.count {
            let use = uses[firstIndex]
            if entries[use.key]?.lastUse == use.number { return use.key }
            firstIndex += 1
        }
        return nil
    }

    /// Removes the uses that no longer count, with the keys of removed values.
    package mutating func removeOutdatedUses() {
        let entries = entries  // The closure cannot read `self` while `uses` changes.
        uses.removeAll { entries[$0.key]?.lastUse != $0.number }
        firstIndex = 0
    }
}

extension UseOrder: Sendable where Key: Sendable, Value: Sendable {}
