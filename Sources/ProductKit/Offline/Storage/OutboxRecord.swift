package import Foundation

/// A record of an outbox's file, which is written as a JSON object.
///
/// A later version may add members that this one can ignore. For all else, it has another kind of record
/// or of edit, which is preserved here and not sent, or another version in the header.
package enum OutboxRecord: Equatable, Sendable {
    /// The first record of each file: the version of the format, and the user.
    case header(version: Int, user: String)
    /// A change was saved, and replaces earlier ones.
    case saved(Outbox.Change, replacing: [Outbox.Change.ID])
    /// A change was sent or discarded, or its rejection was dismissed.
    case removed(Outbox.Change.ID)
    /// The server has refused a change, whose `saved` record precedes this one.
    case rejected(Outbox.Change.ID, message: String)
    /// The bytes of a later version's record.
    case unknown(Data)
}

extension OutboxRecord {
    package static let version = 1
    /// The number of bytes of a rejection's message that are saved.
    private static let messageLimit = 4_096

    /// Creates a record from the bytes of its JSON object.
    package init(json: Data) {
        let decoder = JSONDecoder()
        // An empty text is not a record either.
        let text = (try? json.checkedJSON()) ?? Data()
        if let members = try? decoder.decode(Members.self, from: text),
            let record = OutboxRecord(members)
        {
            self = record
        } else if (try? decoder.decode(AnyRecord.self, from: text))?.record == "header" {
            // The header of a later version may have members of other types.
            self = .header(version: 0, user: "")
        } else {
            self = .unknown(Data(json))
        }
    }

    /// Appends the line of the record to a file.
    package func write(to file: inout Data) throws(OutboxError) {
        var members: Members
        switch self {
        case .header(let version, let user):
            members = Members(record: .header, version: version, user: user)
        case .saved(let change, let replaced):
            members = Members(record: .saved, id: change.id)
            members.replacing = replaced.isEmpty ? nil : replaced
            let seconds = change.savedAt.timeIntervalSince1970.rounded(.down)
            members.savedAt = Int64(exactly: seconds) ?? 0
            members.set(change.edit)
        case .removed(let id):
            members = Members(record: .removed, id: id)
        case .rejected(let id, let message):
            members = Members(record: .rejected, id: id)
            members.message = message.prefix(bytes: Self.messageLimit)
        case .unknown(let json):
            return OutboxFileFormat.appendLine(json, to: &file)
        }
        let json = try OutboxJournal.perform("append") { try JSONEncoder.sorting.encode(members) }
        OutboxFileFormat.appendLine(json, to: &file)
    }

    /// Creates a record from its members; `nil` if one is missing or not valid.
    private init?(_ members: Members) {
        switch (members.record, members.id.flatMap { $0.isOfChange ? $0 : nil }) {
        case (.header, _):
            self = .header(version: members.version ?? 0, user: members.user ?? "")
        case (.saved, let id?):
            guard let seconds = members.savedAt.flatMap(Double.init(exactly:)),
                let edit = members.savedEdit
            else { return nil }
            let date = Date(timeIntervalSince1970: seconds)
            let change = Outbox.Change(id: id, edit: edit, savedAt: date)
            self = .saved(change, replacing: members.replacing ?? [])
        case (.removed, let id?): self = .removed(id)
        case (.rejected, let id?):
            guard let message = members.message else { return nil }
            self = .rejected(id, message: message)
        case (.saved, nil), (.removed, nil), (.rejected, nil): return nil
        }
    }

    /// What all records have in common, also those of later versions.
    private struct AnyRecord: Decodable {
        let record: String
    }

    /// The members of the JSON object, those of all records.
    private struct Members: Codable {
        enum Kind: String, Codable { case header, saved, removed, rejected }
        enum Edit: String, Codable {
            case favorite, unfavorite, add, remove, create, rename, delete
        }

        let record: Kind
        var version: Int?
        var user: String?
        var id: Outbox.Change.ID?
        var replacing: [Outbox.Change.ID]?
        /// The number of seconds since 1970.
        var savedAt: Int64?
        var edit: Edit?
        var product: Product.ID?
        var list: ProductList.ID?
        var name: String?
        var message: String?

        mutating func set(_ savedEdit: Outbox.Edit) {
            (product, list, name) = savedEdit.parts
            switch savedEdit {
            case .setFavorite(_, let isFavorite): edit = isFavorite ? .favorite : .unfavorite
            case .addProduct: edit = .add
            case .removeProduct: edit = .remove
            case .createList: edit = .create
            case .renameList: edit = .rename
            case .deleteList: edit = .delete
            }
        }

        /// The edit of a change; `nil` if a member is missing.
        var savedEdit: Outbox.Edit? {
            switch (edit, product, list, name) {
            case (.favorite, let product?, _, _): .setFavorite(product, to: true)
            case (.unfavorite, let product?, _, _): .setFavorite(product, to: false)
            case (.add, let product?, let list?, _): .addProduct(product, toList: list)
            case (.remove, let product?, let list?, _): .removeProduct(product, fromList: list)
            case (.create, _, let list?, let name?): .createList(list, name: name)
            case (.rename, _, let list?, let name?): .renameList(list, name: name)
            case (.delete, _, let list?, _): .deleteList(list)
            default: nil
            }
        }
    }
}

extension Identifier where Subject == Outbox.Change {
    /// Whether the identifier has 32 hexadecimal digits in lower case, as those of all changes have.
    fileprivate var isOfChange: Bool {
        rawValue.utf8.count == 32
            && rawValue.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}
