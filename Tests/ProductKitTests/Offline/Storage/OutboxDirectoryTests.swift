import Foundation
import ProductKit
import Synchronization
import Testing

/// The files of an outbox on a real disk.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxDirectoryTests {
    // Rule: outbox/files-are-private (35)
    @Test func `only the owner can use the folder and the files, from the beginning`() throws {
        try withDirectory { directory in
            let folder = directory.appending(path: "ProductKit-outbox-1")
            let storage = try OutboxStorage.directory(directory, user: "anna")
            var (journal, _) = try OutboxJournal.open(storage, user: "anna") { _ in }
            try save(1, in: &journal)
            try storage.saveDamaged(Data([1, 2]))
            try storage.writeReplacement(Data([3]))

            let sum = "55d2e428358ab12a"
            let names = ["damaged", "journal", "journal.new", "lock"].map { "\(sum).\($0)" }
            #expect(try self.names(in: folder) == names)
            #expect(try folder.permissions() == 0o700)
            for name in names {
                #expect(try folder.appending(path: name).permissions() == 0o600)
            }
        }
    }

    // Rule: outbox/files-are-private (35)
    @Test func `an open folder is closed to others, and one of another user is refused`() throws {
        try withDirectory { directory in
            let folder = directory.appending(path: "ProductKit-outbox-1")
            try folder.makeFolder()
            try folder.setPermissions(0o755)
            _ = try OutboxStorage.directory(directory, user: "anna")
            #expect(try folder.permissions() == 0o700)
            guard OtherUser.isPermitted else { return }

            try OtherUser.give(folder)

            #expect(throws: OutboxError(.storageFailed, operation: "open", number: EACCES)) {
                try OutboxStorage.directory(directory, user: "anna")
            }
        }
    }

    // Rule: outbox/files-are-private (35)
    @Test(arguments: ["journal", "lock", "damaged", "journal.new", ""])
    func `links are not followed`(name: String) throws {
        try withDirectory { directory in
            let folder = directory.appending(path: "ProductKit-outbox-1")
            let target = directory.appending(path: "target")
            let file = folder.appending(path: "55d2e428358ab12a.\(name)")
            if name.isEmpty {
                try target.makeFolder()
                #expect(symlink(target.filePath, folder.filePath) == 0)
            } else {
                try folder.makeFolder()
                try Data("theirs".utf8).write(to: target)
                #expect(symlink(target.filePath, file.filePath) == 0)
            }

            let storage = try? OutboxStorage.directory(directory, user: "anna")
            let bytes = try? storage?.load()
            try? storage?.append(Data([1]))
            try? storage?.saveDamaged(Data([1]))
            try? storage?.writeReplacement(Data([2]))

            #expect((storage == nil) == ["", "lock"].contains(name))
            #expect((bytes == nil) == ["", "lock", "journal"].contains(name))
            if name.isEmpty {
                #expect(try names(in: target).isEmpty)
            } else {
                #expect(try Data(contentsOf: target) == Data("theirs".utf8))
            }
        }
    }

    // Rule: outbox/files-are-private (35)
    @Test func `a file of another kind or of another user is not read`() throws {
        try withDirectory { directory in
            let storage = try OutboxStorage.directory(directory, user: "anna")
            let path = directory.filePath + "/ProductKit-outbox-1/55d2e428358ab12a.journal"
            #expect(mkfifo(path, 0o600) == 0)
            #expect(throws: POSIXError.self) { try storage.load() }
            #expect(remove(path) == 0)
            #expect(try storage.load().isEmpty)
            guard OtherUser.isPermitted else { return }

            try Data([1]).write(to: URL(filePath: path))
            try OtherUser.give(URL(filePath: path))

            #expect(throws: POSIXError.self) { try storage.load() }
        }
    }

    // Rule: outbox/one-opener-per-user (36)
    @Test func `a second opener is refused until the first is released`() throws {
        try withDirectory { directory in
            var first: OutboxStorage? = try .directory(directory, user: "anna")
            #expect(throws: OutboxError(.inUse)) {
                try OutboxStorage.directory(directory, user: "anna")
            }
            let other = try? OutboxStorage.directory(directory, user: "ben")
            #expect(try other?.load() == Data())
            #expect(try first?.load() == Data())
            first = nil

            #expect(try OutboxStorage.directory(directory, user: "anna").load().isEmpty)
        }
    }

    // Rule: outbox/one-opener-per-user (36)
    @Test func `users have files of their own, also users whose names look alike`() throws {
        try withDirectory { directory in
            for (index, user) in ["anna", "ben", "", "é", "e\u{301}", "../x/y\0z"].enumerated() {
                let storage = try OutboxStorage.directory(directory, user: user)
                var (journal, contents) = try OutboxJournal.open(storage, user: user) { _ in }
                #expect(contents == OutboxFileContents())
                try save(index, in: &journal)
            }

            let folder = directory.appending(path: "ProductKit-outbox-1")
            #expect(try names(in: directory) == ["ProductKit-outbox-1"])
            #expect(try names(in: folder).count == 12)
        }
    }

    // Rule: outbox/saved-survives-power-loss (20)
    @Test func `a file is used as the storage in memory is`() throws {
        try withDirectory { directory in
            let memory = OutboxStorage.inMemory()
            let disk = try OutboxStorage.directory(directory, user: "anna")
            var (first, second) = (JournalRun(memory), JournalRun(disk))

            for length in 1...JournalRun.script.count {
                let step = [JournalRun.script[length - 1]]
                first.perform(step)
                second.perform(step)
                let file = directory.filePath + "/ProductKit-outbox-1/55d2e428358ab12a.journal"
                #expect(try Data(contentsOf: URL(filePath: file)) == memory.load())
            }

            #expect(first.failures.isEmpty && second.failures.isEmpty)
            #expect(try disk.contents().changes == [.numbered(9)])
        }
    }

    // Rule: outbox/removed-file-is-recreated (32)
    @Test(arguments: ["", "ProductKit-outbox-1", "ProductKit-outbox-1/55d2e428358ab12a.journal"])
    func `a file that was removed is created anew with its folder`(removed: String) throws {
        try withDirectory { directory in
            var storage: OutboxStorage? = try .directory(directory, user: "anna")
            var journal = try storage.map { storage in
                try OutboxJournal.open(storage, user: "anna") { _ in }.journal
            }
            try journal?.append([.saved(.numbered(1), replacing: [])], isDurable: true) {
                OutboxFileContents()
            }

            try FileManager.default.removeItem(at: directory.appending(path: removed))
            try journal?.append([.saved(.numbered(2), replacing: [])], isDurable: true) {
                OutboxFileContents(changes: [.numbered(1)])
            }

            #expect(throws: OutboxError(.inUse)) {
                try OutboxStorage.directory(directory, user: "anna")
            }
            (storage, journal) = (nil, nil)
            let again = try OutboxStorage.directory(directory, user: "anna")
            #expect(try again.contents().changes == [.numbered(1), .numbered(2)])
        }
    }

    // Rule: outbox/removed-file-is-recreated (32); outbox/one-opener-per-user (36)
    @Test func `a folder that was removed and is used by another process is not written`() throws {
        try withDirectory { directory in
            let storage = try OutboxStorage.directory(directory, user: "anna")
            var (journal, _) = try OutboxJournal.open(storage, user: "anna") { _ in }
            try FileManager.default.removeItem(at: directory)
            let other = try OutboxStorage.directory(directory, user: "anna")
            #expect(try other.contents() == OutboxFileContents())

            #expect(throws: OutboxError(.inUse)) { try save(1, in: &journal) }

            #expect(try other.contents() == OutboxFileContents())
        }
    }

    // Rule: outbox/sign-out-erases-file (34)
    @Test func `erasing removes everything that contains edits`() throws {
        try withDirectory { directory in
            let folder = directory.appending(path: "ProductKit-outbox-1")
            let storage = try OutboxStorage.directory(directory, user: "anna")
            var (journal, _) = try OutboxJournal.open(storage, user: "anna") { _ in }
            try save(1, in: &journal)
            try storage.saveDamaged(Data("edit".utf8))
            try storage.writeReplacement(Data("edit".utf8))

            try journal.erase()

            let sum = "55d2e428358ab12a"
            #expect(try names(in: folder) == ["\(sum).journal", "\(sum).lock"])
            for name in try names(in: folder) {
                #expect(try Data(contentsOf: folder.appending(path: name)).isEmpty)
            }
        }
    }

    // Rule: outbox/damage-is-reported-first (23)
    @Test func `at most 1 MiB of bytes that could not be read is saved`() throws {
        try withDirectory { directory in
            let file = directory.filePath + "/ProductKit-outbox-1/55d2e428358ab12a.damaged"
            let storage = try OutboxStorage.directory(directory, user: "anna")
            let bytes = (0..<3).map { Data(repeating: $0, count: 400_000) }

            for bytes in bytes { try storage.saveDamaged(bytes) }

            let saved = try Data(contentsOf: URL(filePath: file))
            // A failed comparison of the bytes themselves takes minutes to describe.
            let isBeginning = saved == Data(bytes.joined().prefix(1 << 20))
            #expect(saved.count == 1 << 20)
            #expect(isBeginning)
        }
    }

    // Rule: outbox/storage-failure-is-reported (27)
    @Test func `a directory that cannot be created is an error, and works when it can`() throws {
        try withDirectory { directory in
            try Data().write(to: directory.appending(path: "file"))
            let inside = directory.appending(path: "file/folder")

            #expect(throws: OutboxError(.storageFailed, operation: "open", number: ENOTDIR)) {
                try OutboxStorage.directory(inside, user: "anna")
            }
            try FileManager.default.removeItem(at: directory.appending(path: "file"))

            #expect(try OutboxStorage.directory(inside, user: "anna").load().isEmpty)
        }
    }

    private func save(_ number: Int, in journal: inout OutboxJournal) throws(OutboxError) {
        try journal.append([.saved(.numbered(number), replacing: [])], isDurable: true) {
            OutboxFileContents()
        }
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.filePath).sorted()
    }
}

/// Runs a test with a temporary directory, and removes it afterwards.
func withDirectory(_ body: (URL) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory
        .appending(path: "ProductKitTests-\(UUID().uuidString)")
    try directory.makeFolder()
    defer { try? FileManager.default.removeItem(at: directory) }
    try body(directory)
}
