/// The names and sizes of the files in the cache's folder, and the order of their use.
///
/// The size of a file is the size that it takes on the disk.
struct CacheIndex {
    private struct File {
        let byteCount: Int
        /// The number of the last use; all uses of all files are numbered in order.
        var lastUse: Int
    }

    /// The size of all files together.
    private(set) var byteCount = 0
    /// The files by path hash and query hash.
    private var files: [UInt64: [UInt64: File]] = [:]
    private var fileCount = 0
    /// The number and the size of the files that were added since the folder was listed.
    private(set) var written = (fileCount: 0, byteCount: 0)
    /// All uses in order, of which only the last one of each file counts.
    private var uses: [(name: CacheFileName, number: Int)] = []
    /// The index of the first use that may still count.
    private var firstUse = 0
    private var useCount = 0

    /// Adds a file as the most recently used one, or replaces the one with the same name.
    mutating func insert(_ name: CacheFileName, byteCount: Int) {
        remove(name)
        files[name.pathHash, default: [:]][name.queryHash] = File(byteCount: byteCount, lastUse: 0)
        self.byteCount += byteCount
        fileCount += 1
        written.byteCount += byteCount
        written.fileCount += 1
        use(name)
    }

    /// Marks a file as the most recently used one.
    mutating func use(_ name: CacheFileName) {
        useCount += 1
        files[name.pathHash]?[name.queryHash]?.lastUse = useCount
        uses.append((name, useCount))
        if uses.count > 2 * fileCount + 64 {
            // Keeps the memory proportional to the number of files.
            uses = uses.filter(isLast)
            firstUse = 0
        }
    }

    /// Removes a file, if there is one.
    mutating func remove(_ name: CacheFileName) {
        guard let file = files[name.pathHash]?.removeValue(forKey: name.queryHash) else { return }
        if files[name.pathHash]?.isEmpty == true { files[name.pathHash] = nil }
        byteCount -= file.byteCount
        fileCount -= 1
    }

    /// The number and the size of all files, after one is added or replaced.
    func usage(
        adding name: CacheFileName?,
        byteCount newByteCount: Int
    ) -> (fileCount: Int, byteCount: Int) {
        guard let name else { return (fileCount, byteCount) }
        let replaced = self[name]
        return (
            fileCount + (replaced == nil ? 1 : 0),
            byteCount - (replaced?.byteCount ?? 0) + newByteCount
        )
    }

    /// The names of all files of a path, whatever their query; those of all paths for `nil`.
    func names(withPathHash hash: UInt64?) -> [CacheFileName] {
        guard let hash else { return names }
        return files[hash, default: [:]].keys.map { CacheFileName(pathHash: hash, queryHash: $0) }
    }

    /// The name of the least recently used file; `nil` if there are no files.
    mutating func leastRecentlyUsed() -> CacheFileName? {
        while firstUse < uses.count {
            if isLast(uses[firstUse]) { return uses[firstUse].name }
            firstUse += 1
        }
        return nil
    }

    private func isLast(_ use: (name: CacheFileName, number: Int)) -> Bool {
        self[use.name]?.lastUse == use.number
    }
}

extension CacheIndex {
    /// Adopts what other processes have changed since the folder was listed.
    ///
    /// Files with a new name or size become the most recently used ones.
    mutating func update(from listing: CacheIndex) {
        for name in names where listing[name] == nil { remove(name) }
        for name in listing.names {
            guard let file = listing[name], file.byteCount != self[name]?.byteCount else {
                continue
            }
            insert(name, byteCount: file.byteCount)
        }
        written = (0, 0)
    }

    private var names: [CacheFileName] { files.keys.flatMap { names(withPathHash: $0) } }

    private subscript(name: CacheFileName) -> File? { files[name.pathHash]?[name.queryHash] }

    /// Lists a folder.
    ///
    /// The modification dates give the order of use.
    init(listing folder: CacheFolder) throws {
        self.init()
        var files: [(name: CacheFileName, byteCount: Int, modifiedAt: Int)] = []
        for text in try folder.names() {
            if let name = CacheFileName(text), let status = try? folder.status(of: text) {
                files.append((name, status.allocatedByteCount, status.modifiedAt))
            }
        }
        files.sort { $0.modifiedAt < $1.modifiedAt }
        for file in files { insert(file.name, byteCount: file.byteCount) }
        written = (0, 0)
    }
}
