package import Foundation

/// The system calls for the file of an ``Outbox``, as closures.
///
/// ``directory(_:user:sync:)`` stores it on disk. A test replaces closures, so that every failure can be
/// tested without a file.
///
/// The outbox calls the closures one at a time. A closure throws a `POSIXError` for a failure of the
/// system, or an ``OutboxError``; any other error counts as `EIO`. If ``append`` or ``sync`` throws
/// `ESTALE`, the file was removed or moved while it was open, and the outbox writes it anew.
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
    /// could not be read. None of it comes back after a loss of power. If one of these two cannot be removed, it
    /// throws an ``OutboxError`` with the operation `remove`.
    package var truncate: @Sendable (Int) throws -> Void
    /// Writes a replacement beside the file, and waits until it survives a loss of power.
    package var writeReplacement: @Sendable (Data) throws -> Void
    /// Replaces the file by the replacement, and waits until that survives a loss of power.
    package var installReplacement: @Sendable () throws -> Void
    /// Saves bytes that could not be read, so that a developer can examine them.
    package var saveDamaged: @Sendable (Data) throws -> Void

    /// Creates a storage in memory, for tests and previews.
    ///
    /// An outbox that opens the same storage again finds its changes. Another storage is empty.
    package static func inMemory() -> OutboxStorage {
        let files = Locked((journal: Data(), replacement: Data()))
        return OutboxStorage(
            load: { files.withLock(\.journal) },
            append: { bytes in files.withLock { $0.journal.append(bytes) } },
            sync: {},
            truncate: { count in files.withLock { $0.journal = Data($0.journal.prefix(count)) } },
            writeReplacement: { bytes in files.withLock { $0.replacement = bytes } },
            installReplacement: { files.withLock { $0.journal = $0.replacement } },
            saveDamaged: { _ in }
        )
    }
}
