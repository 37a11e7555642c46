/// The names and sizes of the files in the cache's folder, and the order of their use.
struct CacheIndex {
    private struct File {
        let byteCount: Int
        /// The time of the last use, as a count of all uses.
        var lastUse: Int
    }

    /// The size of all files together.
    private(set) var byteCount = 0
    /// The files by the two halves of their names, so that all files of a path are found at once.
    private var files: [UInt64: [UInt64: File]] = [:]
    private var fileCount = 0
    /// All uses in order, of which only the last one of each file counts.
    private var uses: [(name: CacheFileName, time: Int)] = []
    /// The first use that may still count.
    private var firstUse = 0
    private var lastTime = 0

    /// Adds a file as the most recently used one, or replaces the one with the same name.
    mutating func insert(_ name: CacheFileName, byteCount: Int) {
        remove(name)
        files[name.path, default: [:]][name.query] = File(byteCount: byteCount, lastUse: 0)
        self.byteCount += byteCount
        fileCount += 1
        use(name)
    }

    /// Marks a file as the most recently used one.
    mutating func use(_ name: CacheFileName) {
        guard files[name.path]?[name.query] != nil else { return }
        lastTime += 1
        files[name.path]?[name.query]?.lastUse = lastTime
        uses.append((name, lastTime))
        if uses.count > 2 * fileCount + 64 {
            uses = uses.filter(isLast)
            firstUse = 0
        }
    }

    /// Removes a file, if there is one.
    mutating func remove(_ name: CacheFileName) {
        guard let file = files[name.path]?.removeValue(forKey: name.query) else { return }
        if files[name.path]?.isEmpty == true { files[name.path] = nil }
        byteCount -= file.byteCount
        fileCount -= 1
    }

    /// The size of a file; 0 if there is none.
    func byteCount(of name: CacheFileName) -> Int {
        files[name.path]?[name.query]?.byteCount ?? 0
    }

    /// The names of all files of a path, whatever their query.
    func names(ofPath path: UInt64) -> [CacheFileName] {
        files[path, default: [:]].keys.map { CacheFileName(path: path, query: $0) }
    }

    /// The name of the least recently used file; `nil` if there are no files.
    mutating func leastRecentlyUsed() -> CacheFileName? {
        while firstUse < uses.count {
            if isLast(uses[firstUse]) { return uses[firstUse].name }
            firstUse += 1
        }
        return nil
    }

    private func isLast(_ use: (name: CacheFileName, time: Int)) -> Bool {
        files[use.name.path]?[use.name.query]?.lastUse == use.time
    }
}

extension CacheIndex {
    /// Lists a folder, and deletes temporary files that an earlier process has left there.
    ///
    /// The modification dates give the order of use.
    init(listing folder: CacheFolder) throws {
        self.init()
        var files: [(name: CacheFileName, byteCount: Int, modifiedAt: Int)] = []
        for text in try folder.names() {
            if let name = CacheFileName(text), let status = try? folder.status(of: text) {
                files.append((name, status.byteCount, status.modifiedAt))
            } else if CacheFileName.isTemporary(text) {
                try? folder.remove(text)
            }
        }
        files.sort { $0.modifiedAt < $1.modifiedAt }
        for file in files { insert(file.name, byteCount: file.byteCount) }
    }
}
