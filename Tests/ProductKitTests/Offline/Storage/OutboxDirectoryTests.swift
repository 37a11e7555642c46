import Foundation
import ProductKit
import Testing

/// The files of an outbox on a real disk.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxDirectoryTests {
    private let temporary = TemporaryDirectory()

    private var directory: URL { temporary.url }
    private var folder: URL { directory.appending(path: "ProductKit-outbox-1") }

    /// The file of Anna with this extension.
    private func file(_ name: String) -> URL {
        folder.appending(path: "55d2e428358ab12a.\(name)")
    }

    private func storage(in folder: URL? = nil) throws -> OutboxStorage {
        try .directory(folder ?? directory, user: "anna")
    }

    // Rule: outbox/files-are-private (35)
    @Test func `only the owner can use the folder and the files, from the beginning`() throws {
        let storage = try storage()
        try save(1, in: storage)
        try storage.saveDamaged(Data([1, 2]))
        try storage.writeReplacement(Data([3]))

        let files = ["damaged", "journal", "journal.new", "lock"].map(file)
        #expect(try names(in: folder) == files.map(\.lastPathComponent))
        #expect(try folder.permissions() == 0o700)
        #expect(try files.map { try $0.permissions() } == [0o600, 0o600, 0o600, 0o600])
    }

    // Rule: outbox/files-are-private (35)
    @Test func `an open folder is closed to others, and one of another user is refused`() throws {
        try folder.makeFolder()
        try folder.setPermissions(0o755)
        _ = try storage()
        #expect(try folder.permissions() == 0o700)
        guard OtherUser.isPermitted else { return }

        try OtherUser.give(folder)

        #expect(throws: OutboxError(.open, number: EACCES)) {
            try storage()
        }
    }

    // Rule: outbox/files-are-private (35)
    @Test(arguments: ["journal", "lock", "damaged", "journal.new"])
    func `links to files are not followed`(name: String) throws {
        let target = directory.appending(path: "target")
        try folder.makeFolder()
        try Data("theirs".utf8).write(to: target)
        #expect(symlink(target.filePath, file(name).filePath) == 0)

        let storage = try? storage()
        let bytes = try? storage?.load()
        try? storage?.append(Data([1]))
        try? storage?.saveDamaged(Data([1]))
        try? storage?.writeReplacement(Data([2]))

        #expect((storage == nil) == (name == "lock"))
        #expect((bytes == nil) == ["lock", "journal"].contains(name))
        #expect(try Data(contentsOf: target) == Data("theirs".utf8))
    }

    // Rule: outbox/files-are-private (35)
    @Test func `a link to a folder is not followed`() throws {
        let target = directory.appending(path: "target")
        try target.makeFolder()
        #expect(symlink(target.filePath, folder.filePath) == 0)

        #expect(throws: OutboxError.self) { try storage() }
        #expect(try names(in: target).isEmpty)
    }

    // Rule: outbox/files-are-private (35)
    @Test func `a file of another kind or of another user is not read`() throws {
        let (storage, journal) = (try storage(), file("journal"))
        #expect(mkfifo(journal.filePath, 0o600) == 0)
        #expect(throws: POSIXError.self) { try storage.load() }
        #expect(remove(journal.filePath) == 0)
        #expect(try storage.load().isEmpty)
        guard OtherUser.isPermitted else { return }

        try Data([1]).write(to: journal)
        try OtherUser.give(journal)

        #expect(throws: POSIXError.self) { try storage.load() }
    }

    // Rule: outbox/one-opener-per-user (36)
    @Test func `a second opener is refused until the first is released`() throws {
        var first: OutboxStorage? = try storage()
        #expect(throws: OutboxError(.inUse)) { try storage() }
        #expect(try OutboxStorage.directory(directory, user: "ben").load().isEmpty)
        #expect(try first?.load() == Data())
        first = nil

        #expect(try storage().load().isEmpty)
    }

    // Rule: outbox/one-opener-per-user (36)
    @Test func `users have files of their own, also users whose names look alike`() throws {
        for (index, user) in ["anna", "ben", "", "é", "e\u{301}", "../x/y\0z"].enumerated() {
            let storage = try OutboxStorage.directory(directory, user: user)
            #expect(try storage.contents(user: user) == OutboxFileContents())
            try save(index, in: storage, user: user)
        }

        #expect(try names(in: directory) == ["ProductKit-outbox-1"])
        #expect(try names(in: folder).count == 12)
    }

    // Rule: outbox/saved-survives-power-loss (20)
    @Test func `a file is used as the storage in memory is`() throws {
        let (memory, disk) = (OutboxStorage.inMemory(), try storage())
        var (first, second) = (JournalRun { memory }, JournalRun { disk })

        for step in JournalRun.script {
            first.perform([step])
            second.perform([step])
            #expect(try Data(contentsOf: file("journal")) == memory.load())
        }

        #expect(first.failures.isEmpty && second.failures.isEmpty)
        #expect(try disk.contents().changes == [.numbered(9)])
    }

    // Rule: outbox/removed-file-is-recreated (32)
    @Test(
        arguments: [
            "", "ProductKit-outbox-1", "ProductKit-outbox-1/55d2e428358ab12a.journal",
            "ProductKit-outbox-1/55d2e428358ab12a.lock",
        ],
        [false, true]
    )
    func `a file that was removed or moved is created anew with its folder`(
        name: String,
        isMoved: Bool
    ) throws {
        var journal: OutboxJournal? = try save(1, in: storage())
        let elsewhere = TemporaryDirectory()

        try FileManager.default.moveItem(
            at: directory.appending(path: name),
            to: elsewhere.url.appending(path: "moved")
        )
        if !isMoved {
            try FileManager.default.removeItem(at: elsewhere.url.appending(path: "moved"))
        }
        try journal?.append(
            [.saved(.numbered(2), replacing: [])],
            isDurable: true,
            contents: OutboxFileContents(changes: [.numbered(1)])
        )

        #expect(throws: OutboxError(.inUse)) { try storage() }
        journal = nil
        #expect(try storage().contents().changes == [.numbered(1), .numbered(2)])
    }

    // Rule: outbox/removed-file-is-recreated (32); outbox/one-opener-per-user (36)
    @Test func `a folder that was removed and is used by another process is not written`() throws {
        var journal = try save(1, in: storage())
        try FileManager.default.removeItem(at: directory)
        let other = try storage()
        #expect(try other.contents() == OutboxFileContents())

        #expect(throws: OutboxError(.inUse)) {
            try journal.append(
                [],
                isDurable: true,
                contents: OutboxFileContents(changes: [.numbered(1)])
            )
        }

        #expect(try other.contents() == OutboxFileContents())
    }

    // Rule: outbox/removed-file-is-recreated (32)
    @Test func `a sent edit is removed although the lock file is gone`() throws {
        var journal = try save(1, in: storage())
        try FileManager.default.removeItem(
            at: directory.appending(path: "ProductKit-outbox-1/55d2e428358ab12a.lock")
        )

        try journal.clear()

        #expect(throws: OutboxError(.inUse)) { try storage() }
        journal = try save(2, in: OutboxStorage.inMemory())
        #expect(try storage().contents() == OutboxFileContents())
    }

    // Rule: outbox/one-opener-per-user (36); outbox/removed-file-is-recreated (32)
    @Test(arguments: ["ProductKit-outbox-1", "ProductKit-outbox-1/55d2e428358ab12a.lock"])
    func `files that another outbox has used since they were moved are not written`(
        name: String
    ) throws {
        var journal = try save(1, in: storage())
        let moved = directory.appending(path: "moved")
        try FileManager.default.moveItem(at: directory.appending(path: name), to: moved)
        var other: OutboxJournal? = try save(2, in: storage())
        let bytes = try Data(contentsOf: file("journal"))
        let save = OutboxRecord.saved(.numbered(3), replacing: [])

        for _ in 0..<2 {
            #expect(throws: OutboxError.self) { try journal.clear() }
            #expect(throws: OutboxError(.inUse)) {
                try journal.append([save], isDurable: true, contents: OutboxFileContents())
            }
            // The next time, the other one has closed its files.
            withExtendedLifetime(other) {}
            other = nil
        }

        #expect(try Data(contentsOf: file("journal")) == bytes)
        #expect(try storage().contents().changes.last == .numbered(2))
    }

    // Rule: outbox/sign-out-erases-file (34); outbox/one-opener-per-user (36)
    @Test func `a sign-out erases a file without its lock, unless another outbox uses it`() throws {
        var journal = try save(1, in: storage())
        try FileManager.default.removeItem(at: file("lock"))
        let other = try save(2, in: storage())
        let bytes = try Data(contentsOf: file("journal"))

        #expect(throws: OutboxError(.inUse)) { try journal.erase() }
        withExtendedLifetime(other) {}
        #expect(try Data(contentsOf: file("journal")) == bytes)

        journal = try save(3, in: storage(in: directory.appending(path: "own")))
        let own = directory.appending(path: "own/ProductKit-outbox-1/55d2e428358ab12a")
        try FileManager.default.removeItem(at: own.appendingPathExtension("lock"))
        try journal.erase()
        #expect(try Data(contentsOf: own.appendingPathExtension("journal")).isEmpty)
    }

    // Rule: outbox/storage-failure-is-reported (27)
    @Test func `a file that no outbox has written is an error, whatever its size`() throws {
        let storage = try storage()
        try save(1, in: storage)
        let file = try FileHandle(forWritingTo: file("journal"))
        // It takes no space.
        try file.truncate(atOffset: (1 << 30) + 1)

        let error = #expect(throws: POSIXError.self) { try storage.load() }
        #expect(error?.code == .EFBIG)
    }

    // Rule: outbox/sign-out-erases-file (34)
    @Test func `erasing throws if damaged bytes cannot be removed, and removes the rest`() throws {
        var journal = try save(1, in: storage())
        let damaged = file("damaged")
        try damaged.makeFolder()
        // Neither this user nor an administrator can remove it.
        try damaged.setPermissions(0)
        if OtherUser.isPermitted { try OtherUser.give(damaged) }

        #expect(throws: OutboxError(.storageFailed, operation: "remove", number: EACCES)) {
            try journal.erase()
        }
        #expect(try !Data(contentsOf: file("journal")).contains(UInt8(ascii: "+")))
        try damaged.setPermissions(0o700)
        try FileManager.default.removeItem(at: damaged)
        try journal.erase()

        #expect(try Data(contentsOf: file("journal")).isEmpty)
    }

    // Rule: outbox/damage-is-reported-first (23)
    @Test func `at most 1 MiB of bytes that could not be read is saved`() throws {
        let storage = try storage()
        let bytes = (0..<3).map { Data(repeating: $0, count: 400_000) }

        for bytes in bytes { try storage.saveDamaged(bytes) }

        let saved = try Data(contentsOf: file("damaged"))
        // A failed comparison of the bytes themselves takes minutes to describe.
        let isBeginning = saved == Data(bytes.joined().prefix(1 << 20))
        #expect(saved.count == 1 << 20 && isBeginning)
    }

    // Rule: outbox/storage-failure-is-reported (27)
    @Test func `a directory that cannot be created is an error, and works when it can`() throws {
        let file = directory.appending(path: "file")
        let inside = file.appending(path: "folder")
        try Data().write(to: file)

        #expect(throws: OutboxError(.open, number: ENOTDIR)) {
            try storage(in: inside)
        }
        try FileManager.default.removeItem(at: file)

        #expect(try storage(in: inside).load().isEmpty)
    }

    /// Opens a storage, saves a change with a number, and returns the open journal.
    @discardableResult
    private func save(
        _ number: Int,
        in storage: OutboxStorage,
        user: String = "anna"
    ) throws(OutboxError) -> OutboxJournal {
        var (journal, contents) = try OutboxJournal.open(storage, user: user) { _ in }
        let record = OutboxRecord.saved(.numbered(number), replacing: [])
        try journal.append([record], isDurable: true, contents: contents)
        return journal
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.filePath).sorted()
    }
}

/// A temporary directory, which is removed when the test has ended.
final class TemporaryDirectory: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appending(path: "ProductKitTests-\(UUID().uuidString)")

    init() {
        try? url.makeFolder()
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
