import Foundation
import ProductKit
import Synchronization
import Testing

/// The files of an outbox after a loss of power that leaves only what was synchronized.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxSyncTests {
    // Rule: outbox/saved-survives-power-loss (20)
    @Test func `everything that was saved is synchronized, also names and folders`() {
        let (findings, count) = findings(on: SynchronizedDisk(path: "new/app"))

        #expect(findings.isEmpty && count > 40)
    }

    // Rule: outbox/saved-survives-power-loss (20); outbox/failed-save-leaves-nothing (21)
    // Rule: outbox/suspect-file-is-rewritten (26)
    @Test func `the same is true when any synchronization has failed`() {
        var index = 0
        var hasFailed = true
        while hasFailed {
            let disk = SynchronizedDisk(path: "app", failingSync: index)
            let (findings, _) = findings(on: disk)
            #expect(findings.isEmpty, "synchronization \(index)")
            hasFailed = disk.hasFailed
            index += 1
        }

        #expect(index > 15)
    }

    // Rule: outbox/sign-out-erases-file (34)
    @Test func `erasing removes everything with edits, also after a loss of power`() throws {
        let disk = SynchronizedDisk(path: "app")
        let storage = try disk.open()
        var (journal, _) = try OutboxJournal.open(storage, user: "anna") { _ in }
        try storage.saveDamaged(Data("edit".utf8))
        try journal.append(
            [.saved(.numbered(1), replacing: [])],
            isDurable: true,
            contents: OutboxFileContents()
        )
        try storage.writeReplacement(Data("edit".utf8))
        try storage.installReplacement()
        #expect(disk.namesAfterPowerLoss().contains { $0.hasSuffix(".damaged") })
        try storage.writeReplacement(Data("edit".utf8))

        try journal.erase()

        let sum = "55d2e428358ab12a"
        #expect(disk.namesAfterPowerLoss() == ["\(sum).journal", "\(sum).lock"])
        #expect(disk.bytesAfterPowerLoss().isEmpty)
        #expect(try storage.load().isEmpty)
    }

    private func findings(on disk: SynchronizedDisk) -> (findings: [String], count: Int) {
        JournalRun.findings(
            images: { [disk.bytesAfterPowerLoss()] },
            storage: { () throws(OutboxError) in try disk.open() }
        )
    }
}

/// A directory storage, and what was synchronized of its files, folders and names.
///
/// After a failed synchronization of a file, later ones succeed without effect, as on Linux.
private final class SynchronizedDisk: Sendable {
    private struct State {
        /// The content of files and the names in folders that were synchronized, by file number.
        var contents: [UInt64: [UInt8]] = [:]
        var names: [UInt64: [String: UInt64]] = [:]
        var broken: Set<UInt64> = []
        var syncCount = 0
    }

    private let root: TemporaryDirectory
    /// A folder that exists, and all those below it, down to the one with the files.
    private let folders: [URL]
    private let directory: URL
    private let failingSync: Int?
    private let state = Mutex(State())

    init(path: String, failingSync: Int? = nil) {
        let root = TemporaryDirectory()
        self.root = root
        directory = root.url.appending(path: path)
        let names = "\(path)/ProductKit-outbox-1".split(separator: "/")
        folders = names.reduce(into: [root.url]) { folders, name in
            folders.append((folders.last ?? root.url).appending(path: String(name)))
        }
        self.failingSync = failingSync
    }

    var hasFailed: Bool {
        state.withLock { state in failingSync.map { $0 < state.syncCount } ?? false }
    }

    func open() throws(OutboxError) -> OutboxStorage {
        try OutboxStorage.directory(directory, user: "anna") { descriptor throws(POSIXError) in
            try self.sync(descriptor)
        }
    }

    private func sync(_ descriptor: Int32) throws(POSIXError) {
        let fails = state.withLock { state in
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return true }
            let number = UInt64(status.st_ino)
            let fails = state.syncCount == failingSync
            state.syncCount += 1
            if let folder = folders.first(where: { self.number(of: $0) == number }) {
                if !fails { state.names[number] = names(in: folder) }
            } else if fails {
                state.broken.insert(number)
            } else if !state.broken.contains(number) {
                var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
                let count = bytes.withUnsafeMutableBytes {
                    pread(descriptor, $0.baseAddress, $0.count, 0)
                }
                // Some files are open for writing only. Their contents do not matter here.
                if count >= 0 { state.contents[number] = Array(bytes.prefix(count)) }
            }
            return fails
        }
        if fails { throw POSIXError(.EIO) }
    }

    /// The content of the journal after a loss of power; empty if it has no name then.
    func bytesAfterPowerLoss() -> [UInt8] {
        state.withLock { state in
            let names = names(in: folder)
            let number = number(of: folder)
            let known = number.flatMap { state.names[$0] } ?? [:]
            // The system uses the numbers of removed files again.
            let isUsed = { (number: UInt64) in
                names.values.contains(number) || known.values.contains(number)
            }
            state.contents = state.contents.filter { isUsed($0.key) }
            state.broken = state.broken.filter(isUsed)
            let hasFolders = zip(folders, folders.dropFirst()).allSatisfy { parent, child in
                let parent = self.number(of: parent)
                return parent.flatMap { state.names[$0]?[child.lastPathComponent] } != nil
            }
            guard hasFolders,
                let journal = known.first(where: { $0.key.hasSuffix(".journal") })
            else { return [] }
            return state.contents[journal.value] ?? []
        }
    }

    /// The names of the files after a loss of power.
    func namesAfterPowerLoss() -> [String] {
        state.withLock { state in
            number(of: folder).flatMap { state.names[$0] }?.keys.sorted() ?? []
        }
    }

    private var folder: URL { directory.appending(path: "ProductKit-outbox-1") }

    private func names(in folder: URL) -> [String: UInt64] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.filePath)
        return (names ?? []).reduce(into: [:]) { numbers, name in
            numbers[name] = number(of: folder.appending(path: name))
        }
    }

    private func number(of file: URL) -> UInt64? {
        var status = stat()
        return lstat(file.filePath, &status) == 0 ? UInt64(status.st_ino) : nil
    }
}
