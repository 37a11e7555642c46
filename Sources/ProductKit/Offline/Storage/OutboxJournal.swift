import Foundation

/// The file of an outbox: appends records so that they survive a loss of power, and repairs damage.
///
/// It is used by one thread at a time. After a failure the file may contain other bytes than those
/// that were written: it is suspect, and is written anew before anything more is promised. A second
/// sync is not enough, because the system may report success for bytes that it has dropped.
package struct OutboxJournal: Sendable {
    private static let shortLength = 65_536

    private let storage: OutboxStorage
    /// The line of the header.
    private let header: Data
    /// The records of a later version, which every rewrite preserves.
    private var unknownRecords: [Data]
    /// Bytes that could not be read, and were not saved yet.
    private var damagedBytes: Data
    /// The length of what was promised.
    private var length: Int
    /// The length above which the file is written anew.
    private var compactionLength: Int
    private var isSuspect: Bool

    /// Loads the file.
    ///
    /// Damage and unknown records are reported before anything is repaired, so that they are reported
    /// again if the process ends in between. Then a damaged file is written anew, and a new one gets
    /// its header. If that fails, the next ``append(_:isDurable:contents:)`` tries it again.
    ///
    /// - Throws: `newerVersion` or `otherUser`, after which the file is unchanged; the error of the
    ///   storage if the file cannot be loaded.
    package static func open(
        _ storage: OutboxStorage,
        user: String,
        report: (Outbox.Event) -> Void
    ) throws(OutboxError) -> (journal: OutboxJournal, contents: OutboxFileContents) {
        let file = try perform("load", storage.load)
        let reading = try OutboxFileReader(file, user: user)
        var header = Data()
        try OutboxRecord.header(version: OutboxRecord.version, user: user).write(to: &header)
        let damage = reading.damage
        if !damage.bytes.isEmpty {
            report(.damaged(byteCount: damage.bytes.count, isTorn: damage.isTorn))
        }
        let contents = reading.contents
        if !contents.unknownRecords.isEmpty {
            report(.unknownRecords(contents.unknownRecords.count))
        }
        var journal = OutboxJournal(
            storage: storage,
            header: header,
            unknownRecords: contents.unknownRecords,
            damagedBytes: damage.bytes,
            length: file.count,
            compactionLength: compactionLength(after: reading.contentLength),
            isSuspect: !damage.bytes.isEmpty || !file.starts(with: header)
        )
        if journal.isSuspect { try? journal.rewrite(contents) }
        return (journal, contents)
    }

    /// Appends records; durable ones, and all before them, survive a loss of power when it returns.
    ///
    /// If it throws, none of the records is found when the file is opened again. To ensure that, the
    /// file is cut back. If that fails, it is written anew, now or before the next records, with these contents
    /// and the unknown records. If the contents are not known any longer, that throws `notStarted`.
    package mutating func append(
        _ records: [OutboxRecord],
        isDurable: Bool,
        contents: OutboxFileContents?
    ) throws(OutboxError) {
        var data = Data()
        for record in records { try record.write(to: &data) }
        if isSuspect { try rewrite(contents) }
        do {
            try write(data, isDurable: isDurable)
        } catch let error where error.number == ESTALE {
            // The file or its lock file was removed or moved while it was open.
            isSuspect = true
            try rewrite(contents)
            do {
                try write(data, isDurable: isDurable)
            } catch {
                cutBack(contents)
                throw error
            }
        } catch {
            cutBack(contents)
            throw error
        }
    }

    /// Writes the file anew when it is longer than 64 KiB and four times as long as after it was last written anew.
    ///
    /// A failure before the new file is installed changes nothing. The next attempt is made at twice the length.
    package mutating func compactIfLong(contents: OutboxFileContents?) {
        guard length > compactionLength else { return }
        if (try? rewrite(contents)) == nil { compactionLength = 2 * length }
    }

    /// Removes all records that are known, for when no change waits and no rejection is left.
    ///
    /// The file is cut to its header in place, which is possible on a full disk. If it has unknown
    /// records or is suspect, it is written anew instead.
    package mutating func clear() throws(OutboxError) {
        if isSuspect || !unknownRecords.isEmpty { return try rewrite(OutboxFileContents()) }
        if length == header.count { return }
        isSuspect = true
        do {
            try truncate(to: header.count)
        } catch let error where error.number == ESTALE {
            return try rewrite(OutboxFileContents())
        }
        isSuspect = false
        compactionLength = Self.shortLength
    }

    /// Removes everything, also unknown records, for a sign-out.
    ///
    /// If the file cannot be cut, it is written anew without records.
    ///
    /// - Throws: The error of the cut if the file cannot be written anew either. An error with the operation `remove`
    ///   if a file beside it cannot be removed, also if this one was written anew; see ``OutboxStorage/truncate``.
    package mutating func erase() throws(OutboxError) {
        unknownRecords = []
        damagedBytes = Data()
        // Without a header, it is written anew before the next records.
        isSuspect = true
        do {
            try truncate(to: 0)
        } catch {
            let isRewritten = (try? rewrite(OutboxFileContents())) != nil
            if !isRewritten || error.operation == "remove" { throw error }
        }
    }

    private static func compactionLength(after length: Int) -> Int {
        max(shortLength, 4 * length)
    }

    private mutating func write(_ data: Data, isDurable: Bool) throws(OutboxError) {
        if !data.isEmpty {
            try Self.perform("append") { try storage.append(data) }
        }
        if isDurable {
            isSuspect = true
            try Self.perform("sync", storage.sync)
            isSuspect = false
        }
        length += data.count
    }

    private mutating func truncate(to count: Int) throws(OutboxError) {
        try Self.perform("truncate") { try storage.truncate(count) }
        try Self.perform("sync", storage.sync)
        length = count
    }

    /// Removes what was appended and not promised.
    ///
    /// After a failed sync, cutting is not enough: after a loss of power the disk may contain more than the file shows.
    private mutating func cutBack(_ contents: OutboxFileContents?) {
        // `write` leaves the file suspect if its sync has failed.
        let hasFailedToSync = isSuspect
        isSuspect = true
        let isCut = (try? truncate(to: length)) != nil
        if isCut, !hasFailedToSync {
            isSuspect = false
        } else {
            try? rewrite(contents)
        }
    }

    /// Writes a new file with these contents and the unknown records, and installs it.
    private mutating func rewrite(_ contents: OutboxFileContents?) throws(OutboxError) {
        guard var contents else { throw OutboxError(.notStarted) }
        contents.unknownRecords = unknownRecords
        var data = header
        for record in contents.records { try record.write(to: &data) }
        // If they cannot be saved, they stay in memory until the next rewrite. The repair does not wait for that.
        if !damagedBytes.isEmpty, (try? storage.saveDamaged(damagedBytes)) != nil {
            damagedBytes = Data()
        }
        try Self.perform("writeReplacement") { [data] in try storage.writeReplacement(data) }
        isSuspect = true
        try Self.perform("installReplacement", storage.installReplacement)
        isSuspect = false
        length = data.count
        compactionLength = Self.compactionLength(after: length)
    }

    /// Calls the storage, and turns its errors into those of an outbox.
    static func perform<Result>(
        _ operation: String,
        _ body: () throws -> Result
    ) throws(OutboxError) -> Result {
        do {
            return try body()
        } catch let error as OutboxError {
            throw error
        } catch {
            let number = (error as? POSIXError)?.code.rawValue ?? EIO
            throw OutboxError(.storageFailed, operation: operation, number: number)
        }
    }
}
