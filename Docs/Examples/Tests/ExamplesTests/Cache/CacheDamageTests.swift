import Foundation
import ProductKit
import Testing

// Rule: cache/damaged-file-is-removed (53)
/// Damaged files are treated as missing, and are removed.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CacheDamageTests {
    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a file with a flipped bit is not used`() async throws {
        try await withStoredFile { file, load in
            let intact = try Data(contentsOf: file)
            #expect(try await load() == .cache)

            var used: [Int] = []
            for bit in 0..<intact.count * 8 {
                var flipped = intact
                flipped[bit / 8] ^= 1 << UInt8(bit % 8)
                try flipped.write(to: file)
                if try await load() != .network { used.append(bit) }
            }

            #expect(used.isEmpty)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a file with missing or additional bytes is not used`() async throws {
        try await withStoredFile { file, load in
            let intact = try Data(contentsOf: file)

            var used: [Int] = []
            for length in 0..<intact.count {
                try intact.prefix(length).write(to: file)
                if try await load() != .network { used.append(length) }
            }
            for longer in [intact + Data([0]), intact + intact] {
                try longer.write(to: file)
                if try await load() != .network { used.append(longer.count) }
            }

            #expect(used.isEmpty)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `the file of another entry, or in a newer format, is not used`() async throws {
        try await withStoredFile { file, load in
            let intact = try Data(contentsOf: file)
            try await withStoredFile("other") { other, _ in
                try Data(contentsOf: other).write(to: file)
            }
            #expect(try await load() == .network)

            var newer = intact
            newer[7] += 1
            try newer.write(to: file)
            #expect(try await load() == .network)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a link is not followed, and its target is unchanged`() async throws {
        try await withStoredFile { file, load in
            let target = file.deletingLastPathComponent().appending(path: "elsewhere")
            try FileManager.default.moveItem(at: file, to: target)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
            let bytes = try Data(contentsOf: target)

            #expect(try await load() == .network)
            #expect(try Data(contentsOf: target) == bytes)
            #expect(try await load() == .cache)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a pipe in place of a file does not block`() async throws {
        try await withStoredFile { file, load in
            try FileManager.default.removeItem(at: file)
            #expect(mkfifo(file.path(percentEncoded: false), 0o600) == 0)

            #expect(try await load() == .network)
            #expect(try await load() == .cache)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test(arguments: [false, true])
    func `a folder in place of a file is removed`(isFull: Bool) async throws {
        try await withStoredFile { file, load in
            try FileManager.default.removeItem(at: file)
            let folder = isFull ? file.appending(path: "more") : file
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true
            )

            #expect(try await load() == .network)
            #expect(try await load() == .cache)
        }
    }

    /// Stores one response, and passes a closure that loads it with a cache whose memory is empty.
    private func withStoredFile(
        _ name: String = "name",
        _ body: (URL, () async throws -> FetchSource.Code) async throws -> Void
    ) async throws {
        try await FileManager.default.withTemporaryDirectory { directory in
            func load() async throws -> FetchSource.Code {
                let probe = CacheProbe(directory: directory, version: 1)
                let result = try await probe.load(name)
                #expect(result.version == 1)
                probe.cache.flush()
                return result.source
            }
            #expect(try await load() == .network)
            try await body(#require(FileManager.default.files(in: directory).first), load)
        }
    }
}
