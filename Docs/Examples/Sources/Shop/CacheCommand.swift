import ArgumentParser
import Foundation
import ProductKit

struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Show what is stored in a directory, or empty it.",
        discussion: """
            A command that is given --cache keeps there what the store answers. The second time it \
            only asks whether that is still good, and with --offline it asks nobody.

            Examples:
              shop show walking-boots --cache ~/shop-cache
              shop show walking-boots --cache ~/shop-cache --offline
              shop cache ~/shop-cache
              shop cache ~/shop-cache --clear
            """
    )

    @Argument(
        help: "The directory, as it was given to --cache.",
        transform: CacheOption.directory
    )
    var directory: URL

    @Flag(help: "Forget all of it.")
    var clear = false

    func run() throws {
        let cache = ResponseCache(directory: directory)
        let entries = cache.entries()
        if clear {
            cache.removeAll()
            try checkDirectory(of: cache)
            print("Forgot \(entries.countText).")
        } else {
            try checkDirectory(of: cache)
            let now = Date()
            for entry in entries { print(entry.line(at: now)) }
            let size = cache.statistics.diskByteCount
            print("\(entries.countText) in \(size.formatted()) bytes of files")
        }
    }

    /// No request fails because of the directory, so this is the only place that says what is wrong.
    private func checkDirectory(of cache: ResponseCache) throws {
        guard cache.statistics.diskFailureCount == 0 else {
            throw UnusableDirectory(directory: directory)
        }
    }
}

/// A directory in which nothing can be kept.
private struct UnusableDirectory: LocalizedError {
    let directory: URL

    var errorDescription: String? {
        "“\(directory.path(percentEncoded: false))” keeps nothing: "
            + "check that it is a directory, and that there is permission for it."
    }
}

extension [ResponseCache.Entry] {
    fileprivate var countText: String {
        let bytes = reduce(0) { $0 + $1.byteCount }
        return "\(count.formatted()) \(count == 1 ? "answer" : "answers"), "
            + "\(bytes.formatted()) bytes"
    }
}

extension ResponseCache.Entry {
    fileprivate func line(at now: Date) -> String {
        let size = "\(byteCount.formatted()) bytes"
        let freshness =
            isFresh(at: now) ? "fresh until \(freshUntil?.clockText ?? "")" : "to be revalidated"
        return "\(url)  \(statusCode)  \(size)  from \(asOf.clockText)  \(freshness)"
    }
}
