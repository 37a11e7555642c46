import Foundation
import ProductKit
import Testing

// Rule: cache/damaged-file-is-removed (53)
/// A damaged file is as good as none, and is removed.
@Suite(.timeLimit(.minutes(5))) struct CacheDamageTests {
    // Rule: cache/damaged-file-is-removed (53)
    @Test func `with any bit of its file flipped, an answer is asked for again`()
        async throws
    {
        try await withStoredFile { file, ask in
            let sound = try Data(contentsOf: file)
            #expect(try await ask() == .cache)

            var believed: [Int] = []
            for bit in 0..<sound.count * 8 {
                var flipped = sound
                flipped[bit / 8] ^= 1 << UInt8(bit % 8)
                try flipped.write(to: file)
                if try await ask() != .network { believed.append(bit) }
            }

            #expect(believed.isEmpty)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `with its file cut off anywhere, or longer, an answer is asked for again`()
        async throws
    {
        try await withStoredFile { file, ask in
            let sound = try Data(contentsOf: file)

            var believed: [Int] = []
            for length in 0..<sound.count {
                try sound.prefix(length).write(to: file)
                if try await ask() != .network { believed.append(length) }
            }
            for longer in [sound + Data([0]), sound + sound] {
                try longer.write(to: file)
                if try await ask() != .network { believed.append(longer.count) }
            }

            #expect(believed.isEmpty)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `another entry's file, and a newer version, are not believed`()
        async throws
    {
        try await withStoredFile { file, ask in
            let sound = try Data(contentsOf: file)
            try await withStoredFile("other") { other, _ in
                try Data(contentsOf: other).write(to: file)
            }
            #expect(try await ask() == .network)

            var newer = sound
            newer[7] += 1
            try newer.write(to: file)
            #expect(try await ask() == .network)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a link is not followed, and what it leads to stays`() async throws {
        try await withStoredFile { file, ask in
            let target = file.deletingLastPathComponent().appending(path: "elsewhere")
            try FileManager.default.moveItem(at: file, to: target)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
            let bytes = try Data(contentsOf: target)

            #expect(try await ask() == .network)
            #expect(try Data(contentsOf: target) == bytes)
            #expect(try await ask() == .cache)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a pipe is not waited for`() async throws {
        try await withStoredFile { file, ask in
            try FileManager.default.removeItem(at: file)
            #expect(mkfifo(file.path(percentEncoded: false), 0o600) == 0)

            #expect(try await ask() == .network)
            #expect(try await ask() == .cache)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test(arguments: [false, true])
    func `a folder in its place is removed`(isFull: Bool) async throws {
        try await withStoredFile { file, ask in
            try FileManager.default.removeItem(at: file)
            let folder = isFull ? file.appending(path: "more") : file
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true
            )

            #expect(try await ask() == .network)
            #expect(try await ask() == .cache)
        }
    }

    /// Stores one answer; asks for it from a cache that has nothing in memory.
    private func withStoredFile(
        _ name: String = "name",
        _ body: (URL, () async throws -> FetchSource.Code) async throws -> Void
    ) async throws {
        try await withCacheDirectory { directory in
            func ask() async throws -> FetchSource.Code {
                let probe = CacheProbe(directory: directory, version: 1)
                let answer = try await probe.ask(name)
                #expect(answer.version == 1)
                probe.cache.flush()
                return answer.source
            }
            #expect(try await ask() == .network)
            try await body(#require(files(in: directory).first), ask)
        }
    }
}
