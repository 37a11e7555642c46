import Foundation
import ProductKit
import Testing

/// Files that are damaged, or that are not the outbox's own.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxDamageTests {
    // Rule: outbox/damage-costs-one-record (22)
    @Test func `a file that is cut loses at most the record that is cut, and reports it`()
        async throws
    {
        try await withSavedChanges { file, open in
            let intact = try Data(contentsOf: file)
            let ends = Self.lineEnds(of: intact)

            for length in 0..<intact.count {
                try intact.prefix(length).write(to: file)
                let (changes, damagedCounts) = try await open()

                // A record that lacks only its line feed is complete.
                let complete = ends.dropFirst().count { $0 <= length + 1 }
                #expect(changes == Array([1, 2, 3].prefix(complete)), "\(length)")
                // The first line feed of the record that is cut can be read.
                let lost = length - (ends.last { $0 <= length + 1 } ?? 0) - 1
                #expect(damagedCounts == (lost > 0 ? [lost] : []), "\(length)")
            }
        }
    }

    // Rule: outbox/damage-costs-one-record (22)
    @Test(arguments: [0x01, 0x80] as [UInt8])
    func `a flipped byte loses at most the record that it is in, and is reported`(
        mask: UInt8
    ) async throws {
        try await withSavedChanges { file, open in
            let intact = try Data(contentsOf: file)
            let ends = Self.lineEnds(of: intact)

            for index in intact.indices {
                var flipped = intact
                flipped[index] ^= mask
                try flipped.write(to: file)
                let (changes, damagedCounts) = try await open()

                // The first line is the header.
                let line = ends.count { $0 <= index }
                #expect(changes.count >= (line == 0 ? 3 : 2), "\(index)")
                #expect(Set(1...3).subtracting(changes).isSubset(of: [line]), "\(index)")
                #expect(changes == changes.sorted(), "\(index)")
                #expect(damagedCounts.count == 1, "\(index)")
            }
        }
    }

    // Rule: outbox/damage-is-reported-first (23)
    @Test func `the bytes that could not be read are saved beside the file`() async throws {
        try await withSavedChanges { file, open in
            try (Data(contentsOf: file) + Data("garbage".utf8)).write(to: file)
            let (changes, damagedCounts) = try await open()
            #expect(changes == [1, 2, 3] && damagedCounts == [7])

            let damaged = file.deletingPathExtension().appendingPathExtension("damaged")
            #expect(try Data(contentsOf: damaged) == Data("garbage".utf8))
            #expect(try await open().damagedCounts.isEmpty)
        }
    }

    // Rule: outbox/other-files-are-unchanged (25)
    @Test(
        arguments: [
            (
                #"46411cc4bbe0630b {"record":"header","user":"anna","version":2}"#,
                OutboxError.Code.newerVersion
            ),
            (#"e7fec391f0237543 {"record":"header","user":"bert","version":1}"#, .otherUser),
        ]
    )
    func `a file of a later version or another user stays as it is`(
        header: String,
        code: OutboxError.Code
    ) async throws {
        try await withSavedChanges { file, _ in
            let records = try Data(contentsOf: file).dropFirst().drop { $0 != UInt8(ascii: "\n") }
            let bytes = Data(header.utf8) + records
            try bytes.write(to: file)
            let outbox = Outbox(directory: Self.directory(of: file)).start(for: "anna") { _ in
                Outbox.Confirmation()
            }

            await #expect(throws: OutboxError(code)) { try await outbox.save(.deleteList("x")) }
            await #expect(throws: OutboxError(code)) { try await outbox.sendAll() }
            #expect(try Data(contentsOf: file) == bytes)
        }
    }

    // Rule: outbox/files-are-private (35)
    @Test func `a link is not followed, and its target is unchanged`() async throws {
        try await withSavedChanges { file, open in
            let target = file.deletingLastPathComponent().appending(path: "elsewhere")
            try FileManager.default.moveItem(at: file, to: target)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
            let bytes = try Data(contentsOf: target)

            try await expectFailure(at: file, ELOOP)
            await #expect(throws: OutboxError.self) { _ = try await open() }
            #expect(try Data(contentsOf: target) == bytes)
        }
    }

    // Rule: outbox/storage-failure-is-reported (27)
    @Test func `a pipe or a folder in place of the file fails and does not block`()
        async throws
    {
        try await withSavedChanges { file, _ in
            try FileManager.default.removeItem(at: file)
            #expect(mkfifo(file.path(percentEncoded: false), 0o600) == 0)
            try await expectFailure(at: file, EACCES)

            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
            try await expectFailure(at: file, EISDIR)
        }
    }

    // Rule: outbox/sign-out-erases-file (34)
    @Test func `other files in the directory are left alone`() async throws {
        try await withSavedChanges { file, open in
            let folder = file.deletingLastPathComponent()
            let others = [folder, folder.deletingLastPathComponent()]
                .map { $0.appending(path: "notes.txt") }
            for other in others { try Data("mine".utf8).write(to: other) }

            #expect(try await open().changes == [1, 2, 3])
            let outbox = Outbox(directory: folder.deletingLastPathComponent()).start(for: "anna") {
                _ in Outbox.Confirmation()
            }
            try await outbox.removeAll()

            for other in others { #expect(try Data(contentsOf: other) == Data("mine".utf8)) }
            #expect(try await open().changes.isEmpty)
        }
    }

    /// Saves three changes, and passes the file and a closure that opens it in a new outbox.
    private func withSavedChanges(
        _ body: (URL, _ open: () async throws -> (changes: [Int], damagedCounts: [Int]))
            async throws -> Void
    ) async throws {
        try await FileManager.default.withTemporaryDirectory { parent in
            let probe = OutboxProbe(in: parent)
            let outbox = probe.outbox { .isUnreachable }
            for number in 1...3 { try await probe.save(number, in: "a", with: outbox) }
            await outbox.stop()
            let file = try #require(
                FileManager.default.files(in: probe.directory)
                    .first { $0.pathExtension == "journal" }
            )
            try await body(file) {
                let damagedCounts = Recorder<Int>()
                let outbox = probe.outbox {
                    .isUnreachable
                } report: { event in
                    if case .damaged(let count, _) = event { damagedCounts.record(count) }
                }
                do {
                    try await outbox.open()
                } catch {
                    await outbox.stop()
                    throw error
                }
                let numbers = outbox.changes.compactMap(\.number)
                await outbox.stop()
                return (numbers, damagedCounts.all)
            }
        }
    }

    /// Expects that nothing can be saved, because of an error of the system.
    private func expectFailure(at file: URL, _ number: Int32) async throws {
        let outbox = Outbox(directory: Self.directory(of: file)).start(for: "anna") { _ in
            Outbox.Confirmation()
        }
        await #expect(throws: OutboxError(.storageFailed, operation: "load", number: number)) {
            try await outbox.save(.deleteList("x"))
        }
        await outbox.stop()
    }

    /// The positions behind the lines, which begin and end with a line feed.
    private static func lineEnds(of file: Data) -> [Int] {
        let lineFeeds = file.indices.filter { file[$0] == UInt8(ascii: "\n") }
        return lineFeeds.indices.filter { $0 % 2 == 1 }.map { lineFeeds[$0] + 1 }
    }

    /// The directory of the outbox with a file.
    private static func directory(of file: URL) -> URL {
        file.deletingLastPathComponent().deletingLastPathComponent()
    }
}

extension Outbox.Change {
    /// The number of the edit of an ``OutboxProbe``.
    fileprivate var number: Int? {
        guard case .addProduct(let product, _) = edit else { return nil }
        return Int(product.rawValue)
    }
}
