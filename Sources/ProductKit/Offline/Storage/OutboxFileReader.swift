import Foundation

/// The result of reading an outbox's file.
struct OutboxFileReader {
    private(set) var contents = OutboxFileContents()
    private(set) var damage = OutboxFileFormat.Damage()
    /// Whether the first line is the header.
    private(set) var beginsWithHeader = false
    /// The length of a file with these contents and nothing else.
    private(set) var contentLength: Int

    private struct Entry {
        let change: Outbox.Change
        let length: Int
        var isWaiting = true
        var rejection: (message: String, length: Int)?
    }

    private var entries: [Entry] = []
    private var indexes: [Outbox.Change.ID: Int] = [:]
    /// The indexes of entries that were rejected, in the order of rejection.
    private var rejected: [Int] = []

    /// Reads a file.
    ///
    /// - Throws: `newerVersion` or `otherUser` if one of the headers in it is not this one.
    init(_ file: Data, header: OutboxFileHeader) throws(OutboxError) {
        contentLength = header.line.count
        var failure: OutboxError?
        var isFirst = true
        damage = file.withUnsafeBytes { bytes in
            OutboxFileFormat.readLines(of: bytes) { payload, length in
                defer { isFirst = false }
                do throws(OutboxError) {
                    if try header.matches(payload) {
                        beginsWithHeader = beginsWithHeader || isFirst
                    } else {
                        apply(OutboxRecord(payload: payload), length: length)
                    }
                } catch {
                    failure = failure ?? error
                }
            }
        }
        if let failure { throw failure }
        collect()
    }

    private mutating func apply(_ record: OutboxRecord, length: Int) {
        switch record {
        case .saved(let change, let replaced):
            guard indexes[change.id] == nil else { return }
            indexes[change.id] = entries.count
            entries.append(Entry(change: change, length: length))
            for id in replaced where id != change.id { remove(id, includingRejection: false) }
        case .removed(let id):
            remove(id, includingRejection: true)
        case .rejected(let id, let message):
            guard let index = indexes[id], entries[index].isWaiting else { return }
            entries[index].isWaiting = false
            entries[index].rejection = (message, length)
            rejected.append(index)
        case .unknown(let payload):
            contents.unknownRecords.append(payload)
            contentLength += length
        }
    }

    private mutating func remove(_ id: Outbox.Change.ID, includingRejection: Bool) {
        guard let index = indexes[id] else { return }
        entries[index].isWaiting = false
        if includingRejection { entries[index].rejection = nil }
    }

    private mutating func collect() {
        contents.changes.reserveCapacity(entries.count)
        for entry in entries where entry.isWaiting {
            contents.changes.append(entry.change)
            contentLength += entry.length
        }
        for index in rejected {
            let entry = entries[index]
            guard let (message, length) = entry.rejection else { continue }
            contents.rejections.append(Outbox.Rejection(change: entry.change, message: message))
            contentLength += entry.length + length
        }
        (entries, indexes, rejected) = ([], [:], [])
    }
}
