/// The names, sizes and order of use of the files of the cache.
struct CacheIndex {
    /// How many bytes all files take together.
    private(set) var size = 0
    private var paths: [UInt64: [UInt64: Entry]] = [:]
    private var count = 0
    /// Every use in its order; those that were followed by another one of the same file count no more.
    private var uses: [(name: CacheFileName, time: Int)] = []
    private var firstUse = 0
    private var lastTime = 0

    private struct Entry {
        let size: Int
        var lastUse: Int
    }

    /// Adds a file, which was used just now, in place of one of that name.
    mutating func insert(_ name: CacheFileName, size: Int) {
        remove(name)
        paths[name.path, default: [:]][name.query] = Entry(size: size, lastUse: 0)
        self.size += size
        count += 1
        use(name)
    }

    /// Notes that a file was used just now.
    mutating func use(_ name: CacheFileName) {
        guard paths[name.path]?[name.query] != nil else { return }
        lastTime += 1
        paths[name.path]?[name.query]?.lastUse = lastTime
        uses.append((name, lastTime))
        if uses.count > 2 * count + 64 { forgetOldUses() }
    }

    /// Takes a file out.
    mutating func remove(_ name: CacheFileName) {
        guard let entry = paths[name.path]?.removeValue(forKey: name.query) else { return }
        if paths[name.path]?.isEmpty == true { paths[name.path] = nil }
        size -= entry.size
        count -= 1
    }

    /// The size of a file; 0 when there is none.
    func size(of name: CacheFileName) -> Int {
        paths[name.path]?[name.query]?.size ?? 0
    }

    /// All files of a path, whatever their query.
    func names(ofPath path: UInt64) -> [CacheFileName] {
        paths[path, default: [:]].keys.map { CacheFileName(path: path, query: $0) }
    }

    /// The file whose last use is the longest ago.
    mutating func leastRecentlyUsed() -> CacheFileName? {
        while firstUse < uses.count {
            let use = uses[firstUse]
            if isLast(use) { return use.name }
            firstUse += 1
        }
        return nil
    }

    private mutating func forgetOldUses() {
        uses = uses.filter(isLast)
        firstUse = 0
    }

    private func isLast(_ use: (name: CacheFileName, time: Int)) -> Bool {
        paths[use.name.path]?[use.name.query]?.lastUse == use.time
    }
}

extension CacheIndex {
    /// Lists what is in a folder; what was changed last counts as used last.
    ///
    /// What was never finished is removed.
    init(listing folder: CacheFolder) throws(SystemFailure) {
        self.init()
        var files: [(name: CacheFileName, size: Int, changedAt: Int)] = []
        for text in try folder.names() {
            if let name = CacheFileName(text), let status = try? folder.status(of: text) {
                files.append((name, status.size, status.changedAt))
            } else if CacheFileName.isUnique(text, ending: CacheFolder.unfinished) {
                _ = try? folder.remove(text)
            }
        }
        files.sort { $0.changedAt < $1.changedAt }
        for file in files { insert(file.name, size: file.size) }
    }
}
