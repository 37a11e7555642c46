package import Foundation

/// The file of an ``Outbox``, as closures.
///
/// ``directory(_:user:)`` stores it on disk. A test replaces closures, so that every failure can be
/// tested without a file.
///
/// The outbox calls the closures one at a time. A closure throws a `POSIXError` for a failure of the
/// system, or an ``OutboxError``; any other error counts as `EIO`. If ``append`` or ``sync`` throws
/// `ESTALE`, the file was removed while it was open, and the outbox writes it anew.
package struct OutboxStorage: Sendable {
    /// Returns the content of the file; empty if it does not exist.
    package var load: @Sendable () throws -> Data
    /// Appends bytes to the file, and may write only a part of them before it throws.
    package var append: @Sendable (Data) throws -> Void
    /// Waits until all that was appended or truncated survives a loss of power.
    package var sync: @Sendable () throws -> Void
    /// Shortens the file to a number of bytes.
    ///
    /// With 0, at a sign-out, it also removes a replacement that was not installed, and the bytes that
    /// could not be read. None of it comes back after a loss of power.
    package var truncate: @Sendable (Int) throws -> Void
    /// Writes a replacement beside the file, and waits until it survives a loss of power.
    package var writeReplacement: @Sendable (Data) throws -> Void
    /// Replaces the file by the replacement, and waits until that survives a loss of power.
    package var installReplacement: @Sendable () throws -> Void
    /// Saves bytes that could not be read, so that a developer can examine them.
    package var saveDamaged: @Sendable (Data) throws -> Void

    /// Creates a storage from closures.
    package init(
        load: @escaping @Sendable () throws -> Data,
        append: @escaping @Sendable (Data) throws -> Void,
        sync: @escaping @Sendable () throws -> Void,
        truncate: @escaping @Sendable (Int) throws -> Void,
        writeReplacement: @escaping @Sendable (Data) throws -> Void,
        installReplacement: @escaping @Sendable () throws -> Void,
        saveDamaged: @escaping @Sendable (Data) throws -> Void
    ) {
        self.load = load
        self.append = append
        self.sync = sync
        self.truncate = truncate
        self.writeReplacement = writeReplacement
        self.installReplacement = installReplacement
        self.saveDamaged = saveDamaged
    }
}

/// The storages of an outbox without a directory, by user.
final class MemoryStorages: Sendable {
    private let storages = Locked<[Data: OutboxStorage]>([:])

    func storage(for user: String) -> OutboxStorage {
        storages.withLock { storages in
            // Two texts can be equal and have different bytes.
            let key = Data(user.utf8)
            if let storage = storages[key] { return storage }
            let storage = OutboxStorage.inMemory()
            storages[key] = storage
            return storage
        }
    }
}
