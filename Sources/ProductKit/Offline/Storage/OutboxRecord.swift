package import Foundation

/// A record of an outbox's file.
package enum OutboxRecord: Equatable, Sendable {
    /// A change was saved, and replaces earlier ones.
    case saved(Outbox.Change, replacing: [Outbox.Change.ID])
    /// A change was sent or discarded, or its rejection was dismissed.
    case removed(Outbox.Change.ID)
    /// The server has refused a change, whose `saved` record precedes this one.
    case rejected(Outbox.Change.ID, message: String)
    /// The payload of a later version's record.
    case unknown(Data)
}

extension OutboxRecord {
    /// The number of replaced changes that one line contains.
    ///
    /// Others are removed by lines of their own after it, so that a deletion can replace all changes
    /// of a list.
    private static let replacedLimit = 256
    /// The number of bytes of a rejection's message that are saved.
    private static let messageLimit = 4_096

    /// Appends the lines of the record.
    ///
    /// - Throws: `tooLarge` if a payload exceeds the limit; `EINVAL` for an identifier that would
    ///   not be read again.
    package func write(to bytes: inout [UInt8]) throws(OutboxError) {
        guard ids.allSatisfy({ Self.isValid($0.rawValue.utf8) }) else {
            throw OutboxError(.storageFailed, operation: "append", number: EINVAL)
        }
        let fits = OutboxFileFormat.appendLine(to: &bytes, writePayload: writePayload)
        guard fits else { throw OutboxError(.tooLarge) }
        if case .saved(_, let replaced) = self {
            for id in replaced.dropFirst(Self.replacedLimit) {
                try OutboxRecord.removed(id).write(to: &bytes)
            }
        }
    }

    private var ids: [Outbox.Change.ID] {
        switch self {
        case .saved(let change, let replaced): [change.id] + replaced
        case .removed(let id), .rejected(let id, _): [id]
        case .unknown: []
        }
    }

    private func writePayload(to bytes: inout [UInt8]) {
        switch self {
        case .saved(let change, let replaced):
            bytes.append(UInt8(ascii: "+"))
            OutboxFileFormat.appendField(change.id.rawValue, to: &bytes)
            bytes.append(UInt8(ascii: "\t"))
            for (index, id) in replaced.prefix(Self.replacedLimit).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.append(contentsOf: id.rawValue.utf8)
            }
            let seconds = Int(exactly: change.savedAt.timeIntervalSince1970.rounded(.down)) ?? 0
            OutboxFileFormat.appendField(String(seconds), to: &bytes)
            for field in change.edit.fields { OutboxFileFormat.appendField(field, to: &bytes) }
        case .removed(let id):
            bytes.append(UInt8(ascii: "-"))
            OutboxFileFormat.appendField(id.rawValue, to: &bytes)
        case .rejected(let id, let message):
            bytes.append(UInt8(ascii: "!"))
            OutboxFileFormat.appendField(id.rawValue, to: &bytes)
            OutboxFileFormat.appendField(message.prefix(utf8Count: Self.messageLimit), to: &bytes)
        case .unknown(let payload):
            bytes.append(contentsOf: payload)
        }
    }

    /// Parses a payload.
    package init(payload: UnsafeRawBufferPointer) {
        self = Self.known(payload) ?? .unknown(Data(payload))
    }

    private static func known(_ payload: UnsafeRawBufferPointer) -> OutboxRecord? {
        var fields = OutboxFileFormat.Fields(payload)
        guard let kind = fields.nextBytes(), kind.count == 1, let id = fields.nextID() else {
            return nil
        }
        let record: OutboxRecord
        switch kind[0] {
        case UInt8(ascii: "+"):
            guard let replaced = fields.nextIDs(), let savedAt = fields.nextDate(),
                let edit = fields.nextEdit()
            else { return nil }
            record = .saved(
                Outbox.Change(id: id, edit: edit, savedAt: savedAt),
                replacing: replaced
            )
        case UInt8(ascii: "-"):
            record = .removed(id)
        case UInt8(ascii: "!"):
            guard let message = fields.nextText() else { return nil }
            record = .rejected(id, message: message)
        default:
            return nil
        }
        return fields.isAtEnd ? record : nil
    }

    /// Whether an identifier has 32 hexadecimal digits.
    fileprivate static func isValid(_ id: some Collection<UInt8>) -> Bool {
        id.count == 32 && id.allSatisfy { OutboxFileFormat.hexadecimalValue($0) != nil }
    }
}

extension Outbox.Edit {
    /// The name of the edit in a record, and its values.
    fileprivate var fields: [String] {
        switch self {
        case .setFavorite(let product, let isFavorite):
            [isFavorite ? "favorite" : "unfavorite", product.rawValue]
        case .addProduct(let product, let list): ["add", list.rawValue, product.rawValue]
        case .removeProduct(let product, let list): ["remove", list.rawValue, product.rawValue]
        case .createList(let list, let name): ["create", list.rawValue, name]
        case .renameList(let list, let name): ["rename", list.rawValue, name]
        case .deleteList(let list): ["delete", list.rawValue]
        }
    }
}

extension OutboxFileFormat.Fields {
    fileprivate mutating func nextID() -> Outbox.Change.ID? {
        nextBytes().flatMap(Self.id)
    }

    private static func id(_ bytes: some Collection<UInt8>) -> Outbox.Change.ID? {
        OutboxRecord.isValid(bytes) ? Identifier(String(decoding: bytes, as: UTF8.self)) : nil
    }

    /// Identifiers with commas between them.
    fileprivate mutating func nextIDs() -> [Outbox.Change.ID]? {
        guard let bytes = nextBytes() else { return nil }
        if bytes.isEmpty { return [] }
        let parts = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let ids = parts.compactMap(Self.id)
        return ids.count == parts.count ? ids : nil
    }

    fileprivate mutating func nextDate() -> Date? {
        guard let text = nextText(), let seconds = Int(text), String(seconds) == text,
            let exact = Double(exactly: seconds)
        else { return nil }
        return Date(timeIntervalSince1970: exact)
    }

    fileprivate mutating func nextEdit() -> Outbox.Edit? {
        guard let name = nextText(), let subject = nextText() else { return nil }
        switch name {
        case "favorite": return .setFavorite(Identifier(subject), to: true)
        case "unfavorite": return .setFavorite(Identifier(subject), to: false)
        case "delete": return .deleteList(Identifier(subject))
        default: break
        }
        guard let value = nextText() else { return nil }
        switch name {
        case "add": return .addProduct(Identifier(value), toList: Identifier(subject))
        case "remove": return .removeProduct(Identifier(value), fromList: Identifier(subject))
        case "create": return .createList(Identifier(subject), name: value)
        case "rename": return .renameList(Identifier(subject), name: value)
        default: return nil
        }
    }
}

extension String {
    /// The text, or as much of its beginning as fits in a number of bytes.
    fileprivate func prefix(utf8Count limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { utf8.formIndex(before: &end) }
        return String(self[..<end])
    }
}
