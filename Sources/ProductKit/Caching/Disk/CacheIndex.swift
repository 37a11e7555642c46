/// The names and sizes of the files in the cache's folder, and the order of their use.
///
/// The size of a file is the size that it takes on the disk.
struct CacheIndex {
    /// The size of all files together.
    private(set) var byteCount = 0
    /// The number and the size of the files that were added since the folder was listed.
    private(set) var written = (fileCount: 0, byteCount: 0)
    /// The sizes of the files.
    private var files = UseOrder<CacheFileName, Int>()

    /// Adds a file as the most recently used one, or replaces the one with the same name.
    mutating func insert(_ name: CacheFileName, byteCount: Int) {
        remove(name)
        files.insert(byteCount, for: name)
        self.byteCount += byteCount
        written.byteCount += byteCount
        written.fileCount += 1
    }

    /// Marks a file as the most recently used one.
    mutating func use(_ name: CacheFileName) { files.use(name) }

    /// Removes a file, if there is one.
    mutating func remove(_ name: CacheFileName) { byteCount -= files.remove(name) ?? 0 }

    /// The number and the size of all files, after one is added or replaced.
    func usage(
        adding name: CacheFileName?,
        byteCount newByteCount: Int
    ) -> (fileCount: Int, byteCount: Int) {
        guard let name else { return (files.count, byteCount) }
        let replaced = files[name]
        return (
            files.count + (replaced == nil ? 1 : 0),
            byteCount - (replaced ?? 0) + newByteCount
        )
    }

    /// The names of all files of a path, whatever their query; those of all paths for `nil`.
    func names(withPathHash hash: UInt64?) -> [CacheFileName] {
        files.keys.filter { hash == nil || $0.pathHash == hash }
    }

    /// The name of the least recently used file; `nil` if there are no files.
    mutating func leastRecentlyUsed() -> CacheFileName? { files.leastRecentlyUsed() }
}

extension CacheIndex {
    /// Adopts what other processes have changed since the folder was listed.
    ///
    /// Files with a new name or size become the most recently used ones.
    mutating func update(from listing: CacheIndex) {
        for name in Array(files.keys) where listing.files[name] == nil { remove(name) }
        for (name, byteCount) in listing.files.contents.reversed() where files[name] != byteCount {
            insert(name, byteCount: byteCount)
        }
        written = (0, 0)
    }

    /// Lists a folder.
    ///
    /// The modification dates give the order of use.
    init(listing folder: CacheFolder) throws {
        self.init()
        var files: [(name: CacheFileName, byteCount: Int, modifiedAt: Int)] = []
        for text in try folder.files.names() {
            if let name = CacheFileName(text), let status = try? folder.files.status(of: text) {
                // The sum of forged sizes could overflow.
                files.append((name, min(status.allocatedByteCount, 1 << 48), status.modifiedAt))
            }
        }
        files.sort { $0.modifiedAt < $1.modifiedAt }
        for file in files { insert(file.name, byteCount: file.byteCount) }
        written = (0, 0)
    }
}
