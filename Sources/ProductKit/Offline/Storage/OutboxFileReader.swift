import Foundation

/// The result of reading an outbox's file.
struct OutboxFileReader {
    private(set) var contents = OutboxFileContents()
    private(set) var damage = OutboxFileFormat.Damage()
    /// The length of a file with these contents and nothing else.
    private(set) var contentLength = 0

    private struct Entry {
        let change: Outbox.Change
        /// The length of its records.
        var length: Int
        /// The message of its rejection; `nil` if it waits.
        var message: String?
    }

    /// The saved changes in their order; `nil` for those that were removed.
    private var entries: [Entry?] = []
    private var indexes: [Outbox.Change.ID: Int] = [:]
    /// The indexes of entries that were rejected, in the order of rejection.
    private var rejected: [Int] = []

    /// Reads the file of a user; throws if a header in it has another version or user.
    init(_ file: Data, user: String) throws(OutboxError) {
        var failure: OutboxError?
        damage = OutboxFileFormat.readLines(of: file) { json, length in
            let record = OutboxRecord(json: json)
            if case .header(let version, let name) = record, failure == nil {
                if version != OutboxRecord.version {
                    failure = OutboxError(.newerVersion)
                } else if !name.hasSameBytes(as: user) {
                    failure = OutboxError(.otherUser)
                }
            }
            apply(record, json, length: length)
        }
        if let failure { throw failure }
        contents.changes = entries.compactMap { $0?.message == nil ? $0?.change : nil }
        contents.rejections = rejected.compactMap { index in
            guard let entry = entries[index], let message = entry.message else { return nil }
            return Outbox.Rejection(change: entry.change, message: message)
        }
        contentLength += entries.compactMap { $0?.length }.reduce(0, +)
    }

    private mutating func apply(_ record: OutboxRecord, _ json: Data, length: Int) {
        switch record {
        case .header:
            contentLength = length
        case .saved(let change, let replaced):
            guard indexes[change.id] == nil else { return }
            indexes[change.id] = entries.count
            entries.append(Entry(change: change, length: length))
            for id in replaced where id != change.id {
                guard let index = indexes[id], entries[index]?.message == nil else { continue }
                entries[index] = nil
            }
        case .removed(let id) where indexes[id] != nil:
            if let index = indexes[id] { entries[index] = nil }
        case .rejected(let id, let message) where indexes[id] != nil:
            guard let index = indexes[id], let entry = entries[index], entry.message == nil
            else { return }
            entries[index]?.message = message
            entries[index]?.length += length
            rejected.append(index)
        case .removed, .rejected:
            // It may be about a change of a later version.
            if !contents.unknownRecords.isEmpty { preserve(json, length: length) }
        case .unknown(let json):
            preserve(json, length: length)
        }
    }

    private mutating func preserve(_ json: Data, length: Int) {
        contents.unknownRecords.append(json)
        contentLength += length
    }
}
