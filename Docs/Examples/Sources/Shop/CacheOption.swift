import ArgumentParser
import Foundation
import ProductKit

/// Where answers are kept between runs, if they are.
struct CacheOption: ParsableArguments {
    @Option(
        name: .customLong("cache"),
        help: ArgumentHelp(
            "Keep what the store answers in a directory, for the next run.",
            valueName: "directory"
        ),
        transform: CacheOption.directory
    )
    var directory: URL?

    /// Runs a body with a cache over the directory, and ends when all that is kept is on disk.
    func withCache<Value>(_ body: (ResponseCache?) async throws -> Value) async rethrows -> Value {
        let cache = directory.map { ResponseCache(directory: $0) }
        defer { cache?.flush() }
        return try await body(cache)
    }

    static func directory(_ path: String) -> URL {
        URL(filePath: path, directoryHint: .isDirectory)
    }
}
