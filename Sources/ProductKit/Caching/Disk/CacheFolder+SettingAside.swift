import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension CacheFolder {
    private static let setAside = ".gone"

    /// Renames a cache's folder, so that the cache is empty at once, however long deleting takes.
    static func setAside(_ url: URL) throws(SystemFailure) {
        let name = CacheFileName.unique(ending: setAside, prefix: url.lastPathComponent + "-")
        let path = url.path(percentEncoded: false)
        let target = url.deletingLastPathComponent().appending(path: name)
        do {
            try SystemFailure.unlessDone { rename(path, target.path(percentEncoded: false)) }
        } catch  where error.isMissing {
            return
        }
    }

    /// Deletes what was set aside, by this process or one that has ended before it was done.
    ///
    /// What is not ours goes back to where it was.
    static func deleteWhatWasSetAside(from url: URL) {
        let parent = url.deletingLastPathComponent()
        for name in (try? names(in: parent)) ?? []
        where CacheFileName.isUnique(name, ending: setAside, prefix: url.lastPathComponent + "-") {
            let old = parent.appending(path: name)
            let path = old.path(percentEncoded: false)
            (try? CacheFolder(setAsideAt: old))?.deleteContents(movingOthersTo: url)
            if rmdir(path) != 0 { unlink(path) }
        }
    }

    private func deleteContents(movingOthersTo url: URL) {
        for name in (try? names()) ?? [] {
            if CacheFileName(name) != nil
                || CacheFileName.isUnique(name, ending: Self.unfinished)
            {
                _ = try? remove(name)
            } else {
                let source = self.url.appending(path: name).path(percentEncoded: false)
                mkdir(url.path(percentEncoded: false), 0o700)
                rename(source, url.appending(path: name).path(percentEncoded: false))
            }
        }
    }
}
