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
