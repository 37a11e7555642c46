/// The entries that wait to be written.
struct WaitingEntries {
    /// How many bytes they take together.
    private(set) var size = 0
    private var entries: [CacheKey: Entry] = [:]
    private var lastTicket = 0

    /// An entry that waits.
    struct Entry: Sendable {
        var file: CacheFile
        let size: Int
        /// A new one whenever the entry has changed.
        var ticket: Int
    }

    subscript(key: CacheKey) -> Entry? { entries[key] }

    /// Adds an entry.
    mutating func insert(_ file: CacheFile, size: Int) {
        remove(file.key)
        lastTicket += 1
        entries[file.key] = Entry(file: file, size: size, ticket: lastTicket)
        self.size += size
    }

    /// Takes an entry out.
    mutating func remove(_ key: CacheKey) {
        size -= entries.removeValue(forKey: key)?.size ?? 0
    }

    /// Marks an entry as made old by a mutation.
    mutating func invalidate(_ key: CacheKey) {
        guard var entry = entries[key] else { return }
        for index in entry.file.responses.indices {
            entry.file.responses[index].isInvalidated = true
        }
        lastTicket += 1
        entry.ticket = lastTicket
        entries[key] = entry
    }

    /// The entries of a path, whatever their query.
    func keys(ofPath path: UInt64) -> [CacheKey] {
        entries.keys.filter { CacheFileName($0).path == path }
    }
}
