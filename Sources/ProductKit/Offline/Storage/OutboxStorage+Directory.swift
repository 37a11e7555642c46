package import Foundation

extension OutboxStorage {
    /// Opens a storage in a directory, and locks it until all copies of its closures are released.
    ///
    /// Only the user of the process can read the files, and they are excluded from backups on Apple platforms. Each
    /// user of the app has files of their own, whose names do not contain that of the user.
    ///
    /// - Throws: ``OutboxError/Code/inUse`` if another process, or this one, has opened it;
    ///   ``OutboxError/Code/storageFailed`` if it cannot be opened.
    package static func directory(
        _ directory: URL,
        user: String,
        sync: (@Sendable (_ descriptor: Int32) throws(POSIXError) -> Void)? = nil
    ) throws(OutboxError) -> OutboxStorage {
        let files = try OutboxFiles(in: directory, user: user, sync: sync ?? FileDescriptor.sync)
        return OutboxStorage(
            load: { try files.load() },
            append: { try files.append($0) },
            sync: { try files.sync() },
            truncate: { try files.truncate(to: $0) },
            writeReplacement: { try files.writeReplacement($0) },
            installReplacement: { try files.installReplacement() },
            saveDamaged: { try files.saveDamaged($0) }
        )
    }
}

/// The files of one user of an outbox, and the system calls for them; see ``OutboxStorage`` for the methods.
private final class OutboxFiles: Sendable {
    private static let folderName = "ProductKit-outbox-1"
    /// How many bytes that could not be read are saved.
    private static let damagedLimit = 1 << 20

    private struct State {
        var folder: OpenFolder
        /// Locked as long as it is open.
        var lock: FileDescriptor
        /// `nil` if the file does not exist.
        var journal: FileDescriptor?
        /// The length of the part of the journal that was written completely.
        var length = 0
        var replacement: FileDescriptor?
        var replacementLength = 0
    }

    private let directory: URL
    private let name: String
    private let lockPath: String
    private let journalPath: String
    private let syncDescriptor: @Sendable (Int32) throws(POSIXError) -> Void
    private let state: Locked<State>

    private var journalName: String { "\(name).journal" }
    private var replacementName: String { "\(name).journal.new" }
    private var damagedName: String { "\(name).damaged" }

    init(
        in directory: URL,
        user: String,
        sync: @escaping @Sendable (Int32) throws(POSIXError) -> Void
    ) throws(OutboxError) {
        let name = UInt64.checksum(of: user).hexadecimalDigits
        self.directory = directory
        self.name = name
        let path = directory.appending(path: "\(Self.folderName)/\(name)")
            .path(percentEncoded: false)
        (lockPath, journalPath) = (path + ".lock", path + ".journal")
        syncDescriptor = sync
        let (folder, lock) = try Self.openFolder(in: directory, name: name, sync: sync)
        state = Locked(State(folder: folder, lock: lock))
    }

    deinit {
        state.withLock { $0.lock.unlock() }
    }

    /// Opens the folder, and creates it if needed; opens and locks the lock file of a user.
    private static func openFolder(
        in directory: URL,
        name: String,
        sync: (Int32) throws(POSIXError) -> Void
    ) throws(OutboxError) -> (OpenFolder, FileDescriptor) {
        do throws(POSIXError) {
            let ancestors = ancestors(of: directory)
            // If this or `makeFolder` fails, opening what it creates fails, too, and reports the error.
            try? FileManager.default
                .createDirectory(at: directory, withIntermediateDirectories: true)
            let parent = try OpenFolder(at: directory)
            try? parent.makeFolder(folderName)
            let folder = try OpenFolder(folderName, in: parent)
            try folder.restrictToOwner()
            OpenFolder.protect(directory.appending(path: folderName))
            // Also if the folder exists: the process that created it may have ended before this.
            try parent.sync(with: sync)
            for url in ancestors {
                // An app may not be permitted to open the folder that contains its own.
                if let ancestor = try? OpenFolder(at: url) { try ancestor.sync(with: sync) }
            }
            let lock = try folder.openFile("\(name).lock", O_RDWR | O_CREAT)
            try lock.lock()
            return (folder, lock)
        } catch {
            if error.code == .EWOULDBLOCK { throw OutboxError(.inUse) }
            throw OutboxError(.storageFailed, operation: "open", number: error.code.rawValue)
        }
    }

    /// The folder that contains a directory and, if that does not exist, those above it.
    private static func ancestors(of directory: URL) -> [URL] {
        var ancestors = [directory.deletingLastPathComponent()]
        while let last = ancestors.last, access(last.path(percentEncoded: false), F_OK) != 0 {
            ancestors.append(last.deletingLastPathComponent())
        }
        return ancestors
    }

    func load() throws -> Data {
        try state.withLock { state in
            state.journal = nil
            state.length = 0
            let journal: FileDescriptor
            do throws(POSIXError) {
                journal = try state.folder.openFile(journalName, O_RDWR | O_NONBLOCK)
            } catch {
                // A `where` clause here crashes the compiler (Swift 6.3).
                if error.code == .ENOENT { return Data() }
                throw error
            }
            let status = try journal.status()
            guard status.isRegular, status.isOwned else { throw POSIXError(.EACCES) }
            // An outbox does not write a file of this size, and reading it could take all memory.
            guard status.byteCount <= 1 << 30 else { throw POSIXError(.EFBIG) }
            var bytes = Data(count: status.byteCount)
            let isComplete = try bytes.withUnsafeMutableBytes { try journal.read(into: $0) }
            guard isComplete else { throw POSIXError(.EIO) }
            state.journal = journal
            state.length = bytes.count
            return bytes
        }
    }

    func append(_ bytes: Data) throws {
        try state.withLock { state in
            guard let journal = state.journal, try state.lock.isFile(at: lockPath) else {
                throw POSIXError(.ESTALE)
            }
            try journal.write(bytes, at: state.length)
            state.length += bytes.count
        }
    }

    func sync() throws {
        try state.withLock { state in
            guard let journal = state.journal else {
                return try state.folder.sync(with: syncDescriptor)
            }
            try syncDescriptor(journal.number)
            guard try journal.isFile(at: journalPath) else { throw POSIXError(.ESTALE) }
        }
    }

    /// With 0, the file itself is removed, too, if it cannot be cut.
    func truncate(to count: Int) throws {
        try state.withLock { state in
            if try !state.lock.isFile(at: lockPath) {
                guard count == 0 else { throw POSIXError(.ESTALE) }
                // Another outbox may have opened the file, unless it was moved.
                if try state.journal?.isFile(at: journalPath) == true { try reopenFolder(&state) }
            }
            var failure: (any Error)?
            if count == 0 {
                for name in [replacementName, damagedName] {
                    do {
                        try OutboxJournal.perform("remove") { try state.folder.remove(name) }
                    } catch {
                        failure = error
                    }
                }
            }
            do {
                try state.journal?.truncate(to: count)
            } catch {
                guard count == 0 else { throw error }
                try state.folder.remove(journalName)
                state.journal = nil
            }
            state.length = count
            // Otherwise a loss of power could bring the removed files back.
            if count == 0 { try state.folder.sync(with: syncDescriptor) }
            if let failure { throw failure }
        }
    }

    func writeReplacement(_ bytes: Data) throws {
        try state.withLock { state in
            if try !state.lock.isFile(at: lockPath) { try reopenFolder(&state) }
            try state.folder.remove(replacementName)
            let flags = O_RDWR | O_CREAT | O_EXCL
            let replacement = try state.folder.openFile(replacementName, flags)
            do {
                try replacement.write(bytes, at: 0)
                try syncDescriptor(replacement.number)
            } catch {
                try? state.folder.remove(replacementName)
                throw error
            }
            state.replacement = replacement
            state.replacementLength = bytes.count
        }
    }

    /// Opens the folder and the lock file that are in the directory now.
    ///
    /// - Throws: `inUse` if another outbox has them, or has written there since.
    private func reopenFolder(_ state: inout State) throws {
        let (folder, lock) = try Self.openFolder(in: directory, name: name, sync: syncDescriptor)
        let found = (try? folder.status(of: journalName)) ?? stat()
        let isOwn = try state.journal?.status().isSameFile(as: found) ?? false
        guard found.byteCount == (isOwn ? state.length : 0) else {
            lock.unlock()
            throw OutboxError(.inUse)
        }
        (state.folder, state.lock) = (folder, lock)
    }

    func installReplacement() throws {
        try state.withLock { state in
            try state.folder.move(replacementName, to: journalName)
            state.journal = state.replacement
            state.length = state.replacementLength
            state.replacement = nil
            try state.folder.sync(with: syncDescriptor)
        }
    }

    func saveDamaged(_ bytes: Data) throws {
        try state.withLock { state in
            let flags = O_WRONLY | O_CREAT | O_NONBLOCK
            let file = try state.folder.openFile(damagedName, flags)
            let status = try file.status()
            guard status.isRegular, status.isOwned else { throw POSIXError(.EACCES) }
            let length = min(status.byteCount, Self.damagedLimit)
            try file.write(bytes.prefix(Self.damagedLimit - length), at: length)
            try syncDescriptor(file.number)
        }
    }
}
