/// An entry that is not written yet.
struct PendingWrite: Sendable {
    var file: CacheFile
    let byteCount: Int
    /// The number of the last change.
    ///
    /// If it changes while the queue writes the file, that file is superseded.
    var version: Int
}

/// All entries that are not written yet.
struct PendingWrites {
    /// The size of all files together.
    private(set) var byteCount = 0
    private var writes: [CacheKey: PendingWrite] = [:]
    private var lastVersion = 0

    subscript(key: CacheKey) -> PendingWrite? { writes[key] }

    /// Adds an entry, whose key must have none.
    mutating func insert(_ file: CacheFile, byteCount: Int) {
        lastVersion += 1
        writes[file.key] = PendingWrite(file: file, byteCount: byteCount, version: lastVersion)
        self.byteCount += byteCount
    }

    /// Removes an entry, if there is one.
    mutating func remove(_ key: CacheKey) {
        byteCount -= writes.removeValue(forKey: key)?.byteCount ?? 0
    }

    /// Invalidates all matching entries and returns their keys.
    mutating func invalidate(where isMatch: (CacheKey) -> Bool) -> [CacheKey] {
        let keys = writes.keys.filter(isMatch)
        for key in keys {
            guard var write = writes[key] else { continue }
            for index in write.file.responses.indices {
                write.file.responses[index].isInvalidated = true
            }
            lastVersion += 1
            write.version = lastVersion
            writes[key] = write
        }
        return keys
    }
}
