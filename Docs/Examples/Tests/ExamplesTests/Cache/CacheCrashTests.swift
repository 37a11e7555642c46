import Foundation
import ProductKit
import Testing

#if os(macOS) || os(Linux)
// Rule: cache/sign-out-empties-the-cache (42); cache/files-are-atomic-and-private (52)
// Rule: cache/processes-may-share-a-directory (56)
/// Processes that share a directory, and processes that are killed while they use it.
@Suite(.serialized, .timeLimit(.minutes(15))) struct CacheCrashTests {
    // Rule: cache/files-are-atomic-and-private (52)
    /// Kills 100 processes, one after the other, while they write.
    @Test func `a process that is killed while writing leaves no wrong response`() async throws {
        try await FileManager.default.withTemporaryDirectory { directory in
            let path = directory.path(percentEncoded: false)
            var stored = 0
            for round in 1...100 {
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, round = round as Int] in
                    try await Processes.write(round, version: round, in: path)
                    kill(getpid(), SIGKILL)
                }
                let probe = CacheProbe(directory: directory, version: round, size: 40_000)
                for name in Processes.names {
                    let result = try await probe.load(name)
                    try #require((1...round).contains(result.version ?? 0), "round \(round)")
                    if result.source == .cache { stored += 1 }
                }
                probe.cache.flush()
                try #require(
                    FileManager.default.files(in: directory).count == Processes.names.count
                )
            }
            #expect(stored > 0)
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `a cache can be cleared after a process was killed while clearing it`()
        async throws
    {
        try await FileManager.default.withTemporaryDirectory { directory in
            let path = directory.path(percentEncoded: false)
            for round in 1...20 {
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, round = round as Int] in
                    try await Processes.clearAndDie(after: round * 50, in: path)
                }
                let probe = CacheProbe(directory: directory, version: round)
                _ = try await probe.load("name")
                probe.cache.removeAll()
                probe.cache.flush()
                try #require(FileManager.default.files(in: directory).isEmpty, "round \(round)")
            }
        }
    }

    // Rule: cache/processes-may-share-a-directory (56)
    @Test func `three processes in one directory never read a wrong response`() async throws {
        try await FileManager.default.withTemporaryDirectory { directory in
            let path = directory.path(percentEncoded: false)
            async let one = #expect(processExitsWith: .success) {
                [path = path as String] in
                try await Processes.share(path, version: 1)
            }
            async let two = #expect(processExitsWith: .success) {
                [path = path as String] in
                try await Processes.share(path, version: 2)
            }
            async let three = #expect(processExitsWith: .success) {
                [path = path as String] in
                try await Processes.share(path, version: 3)
            }
            _ = await (one, two, three)
        }
    }
}

private enum Processes {
    static let names = (0..<10).map { "\($0)" }

    static func write(_ count: Int, version: Int, in path: String) async throws {
        let directory = URL(filePath: path)
        let probe = CacheProbe(directory: directory, version: version, size: 40_000)
        for number in 0..<count {
            let result = try await probe.load(names[number % names.count], reload: true)
            #expect(result.version == version)
        }
    }

    static func clearAndDie(after microseconds: Int, in path: String) async throws {
        let probe = CacheProbe(directory: URL(filePath: path), version: 0)
        for number in 0..<100 { _ = try await probe.load("\(number)") }
        probe.cache.flush()
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) {
            kill(getpid(), SIGKILL)
        }
        probe.cache.removeAll()
        try await Task.sleep(for: .seconds(60))
    }

    static func share(_ path: String, version: Int) async throws {
        let directory = URL(filePath: path)
        for round in 0..<12 {
            // A new cache has nothing in memory, so it reads the files of the other processes.
            let probe = CacheProbe(directory: directory, version: version, size: 4_000)
            for number in 0..<200 {
                let result = try await probe.load(
                    names[number % names.count],
                    reload: number % 3 == version - 1
                )
                #expect((1...3).contains(result.version ?? 0))
            }
            if round % 5 == 3 { probe.cache.removeAll() }
            probe.cache.flush()
        }
    }
}
#endif
