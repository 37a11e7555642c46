import ArgumentParser
import Foundation
import ProductKit

struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "List the responses that are stored in a directory, or remove them.",
        discussion: """
            A command with --cache stores the responses of the store in that directory. The next \
            time it revalidates them, and with --offline it sends no request.

            Examples:
              shop show walking-boots --cache ~/shop-cache
              shop show walking-boots --cache ~/shop-cache --offline
              shop cache ~/shop-cache
              shop cache ~/shop-cache --clear
            """
    )

    @Argument(
        help: "The directory that was passed to --cache.",
        transform: CacheOption.directory
    )
    var directory: URL

    @Flag(help: "Remove all stored responses.")
    var clear = false

    func run() throws {
        try checkDirectory()
        let cache = ResponseCache(directory: directory)
        if clear { cache.removeAll() }
        Terminal.print(cache.contentsDescription().replacing(FixedBaseURL.origin, with: ""))
    }

    /// Throws an error if no response can be stored in the directory.
    ///
    /// The other commands run without a cache in this case.
    private func checkDirectory() throws {
        let files = FileManager.default
        do {
            try files.createDirectory(at: directory, withIntermediateDirectories: true)
        } catch {
            throw UnusableDirectoryError(directory: directory)
        }
        guard files.isWritableFile(atPath: directory.path(percentEncoded: false)) else {
            throw UnusableDirectoryError(directory: directory)
        }
    }
}

/// An error for a directory in which no response can be stored.
private struct UnusableDirectoryError: LocalizedError {
    let directory: URL

    var errorDescription: String? {
        "“\(directory.path(percentEncoded: false))” cannot store responses. "
            + "Check that it is a directory and that you have permission to write to it."
    }
}
