import Foundation
import ProductKit
import Testing

/// The format of an outbox's file, byte by byte.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxRecordTests {
    private static let id = Outbox.Change.numbered(0xA1).id
    private static let other = Outbox.Change.numbered(0xA2).id
    private static let texts = [
        "boots", "", " ", "\t\n\r\0", "%", "%09", "100 %", ",", "é", "e\u{301}", "👩‍👩‍👧",
        "\u{7F}\u{80}",
        "!\u{2028}", "+\t-\t!",
    ]

    // Rule: outbox/file-format-is-stable (29)
    @Test(arguments: [
        (Outbox.Edit.setFavorite("boots", to: true), "favorite\tboots"),
        (.setFavorite("boots", to: false), "unfavorite\tboots"),
        (.addProduct("boots", toList: "7"), "add\t7\tboots"),
        (.removeProduct("boots", fromList: "7"), "remove\t7\tboots"),
        (.createList("7", name: "For hikes\n100%"), "create\t7\tFor%20hikes%0a100%25"),
        (.renameList("7", name: ""), "rename\t7\t"),
        (.deleteList("7"), "delete\t7"),
    ])
    func `a saved change is written as these fields`(edit: Outbox.Edit, fields: String) throws {
        let change = change(edit, savedAt: 1_700_000_000)

        let alone = try payloads(of: .saved(change, replacing: []))
        let replacing = try payloads(of: .saved(change, replacing: [Self.other, Self.id]))

        #expect(alone == ["+\t\(Self.id)\t\t1700000000\t\(fields)"])
        let ids = "\(Self.other),\(Self.id)"
        #expect(replacing == ["+\t\(Self.id)\t\(ids)\t1700000000\t\(fields)"])
    }

    // Rule: outbox/file-format-is-stable (29)
    @Test func `a removal, a rejection and an unknown record are written as these lines`() throws {
        var bytes: [UInt8] = []

        try OutboxRecord.removed(Self.id).write(to: &bytes)
        try OutboxRecord.rejected(Self.id, message: "No list.").write(to: &bytes)
        try OutboxRecord.unknown(Data("=\tx".utf8)).write(to: &bytes)

        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                000022 5e678bab6a591d8e -\t\(Self.id)
                00002d 7d2ea283d6e17359 !\t\(Self.id)\tNo%20list.
                000003 de03a9c6b95b9971 =\tx

                """
        )
    }

    // Rule: outbox/file-format-is-stable (29)
    @Test(arguments: texts)
    func `a record is read as it was written`(text: String) throws {
        let (product, list) = (Product.ID(text), ProductList.ID("1\(text)"))
        let edits: [Outbox.Edit] = [
            .setFavorite(product, to: true), .setFavorite(product, to: false),
            .addProduct(product, toList: list), .removeProduct(product, fromList: list),
            .createList(list, name: text), .renameList(list, name: text), .deleteList(list),
        ]
        for edit in edits {
            for seconds in [0, -1, 1_700_000_000, 253_402_300_799] {
                let record = OutboxRecord.saved(
                    change(edit, savedAt: TimeInterval(seconds)),
                    replacing: [Self.other]
                )

                let read = try records(of: try lines(of: record))

                #expect(read == [record])
                guard case .saved(let copy, _) = read.first else { continue }
                // Texts are equal if they look alike; their bytes must be equal, too.
                #expect("\(copy.edit)".utf8.elementsEqual("\(edit)".utf8))
            }
        }
        let rejection = OutboxRecord.rejected(Self.id, message: text)
        #expect(try records(of: try lines(of: rejection)) == [rejection])
    }

    @Test func `a date that is not in whole seconds is rounded down, and no date ends the process`()
        throws
    {
        let dates = [(1.9, "1"), (-0.1, "-1"), (.infinity, "0"), (.nan, "0"), (1e300, "0")]
        for (seconds, text) in dates {
            let change = change(.deleteList("7"), savedAt: seconds)
            let payloads = try payloads(of: .saved(change, replacing: []))
            #expect(payloads == ["+\t\(Self.id)\t\t\(text)\tdelete\t7"])
        }
    }

    // Rule: outbox/file-format-is-stable (29)
    @Test func `a change can replace any number of others`() throws {
        let replaced = (1...3_000).map { Outbox.Change.numbered($0).id }
        let change = Outbox.Change.numbered(4_001)

        let read = try records(of: try lines(of: .saved(change, replacing: replaced)))

        #expect(read.first == .saved(change, replacing: Array(replaced.prefix(256))))
        #expect(Array(read.dropFirst()) == replaced.dropFirst(256).map { .removed($0) })
    }

    // Rule: outbox/record-has-a-limit (30)
    @Test func `a payload has at most 64 KiB`() throws {
        func record(nameLength: Int) -> OutboxRecord {
            let name = String(repeating: "x", count: nameLength)
            return .saved(change(.createList("7", name: name)), replacing: [])
        }
        let room = try 65_536 - payloads(of: record(nameLength: 0))[0].utf8.count

        #expect(try payloads(of: record(nameLength: room))[0].utf8.count == 65_536)
        #expect(throws: OutboxError(.tooLarge)) { try lines(of: record(nameLength: room + 1)) }
    }

    // Rule: outbox/record-has-a-limit (30)
    @Test func `a long message is cut between two characters' scalars`() throws {
        let message = "x" + String(repeating: "é", count: 3_000)

        let read = try records(of: try lines(of: .rejected(Self.id, message: message)))

        let cut = "x" + String(repeating: "é", count: 2_047)
        #expect(read == [.rejected(Self.id, message: cut)])
    }

    @Test(arguments: [
        "", "a1", String(repeating: "A", count: 32), String(repeating: "g", count: 32),
    ])
    func `an identifier that could not be read again is not written`(text: String) {
        let error = OutboxError(.storageFailed, operation: "append", number: EINVAL)
        let id = Outbox.Change.ID(text)
        let change = Outbox.Change(id: id, edit: .deleteList("7"), savedAt: .distantPast)

        #expect(throws: error) { try lines(of: .removed(id)) }
        #expect(throws: error) { try lines(of: .rejected(id, message: "")) }
        #expect(throws: error) { try lines(of: .saved(change, replacing: [])) }
        #expect(throws: error) { try lines(of: .saved(.numbered(1), replacing: [id])) }
    }

    // Rule: outbox/unknown-records-are-preserved (24)
    @Test(arguments: [
        "", "\t", "+", "-", "=\t\(id)", "+-\t\(id)", "-\t\(id)\t", "-\t\(id)0", "-\tA1", "!\t\(id)",
        "!\t\(id)\tx\ty", "!\t\(id)\t%4", "!\t\(id)\t%", "!\t\(id)\t%zz", "!\t\(id)\t%c3",
        "!\t\(id)\t%4A", "+\t\(id)", "+\t\(id)\t\t1\tfavorite", "+\t\(id)\t\t1\tfavorite\tx\ty",
        "+\t\(id)\t\t1\tadd\tx", "+\t\(id)\t\t1\tdelete\tx\ty", "+\t\(id)\t\t1\tmove\tx\ty",
        "+\t\(id)\t,\t1\tdelete\tx", "+\t\(id)\tx\t1\tdelete\tx", "+\t\(id)\t\t01\tdelete\tx",
        "+\t\(id)\t\t1.5\tdelete\tx", "+\t\(id)\t\t\tdelete\tx", "+\t\(id)\t\t+1\tdelete\tx",
        "+\t\(id)\t\t9007199254740993\tdelete\tx", "+\t\(id)\t\t99999999999999999999\tdelete\tx",
    ])
    func `a payload that is not understood is an unknown record`(payload: String) throws {
        let record = OutboxRecord.unknown(Data(payload.utf8))

        #expect(Array(payload.utf8).withUnsafeBytes { OutboxRecord(payload: $0) } == record)
        #expect(try records(of: try lines(of: record)) == [record])
    }

    // Rule: outbox/unknown-records-are-preserved (24)
    @Test func `a payload that is not UTF-8 is an unknown record`() {
        let payload = Array("!\t\(Self.id)\t".utf8) + [0xFF]

        #expect(payload.withUnsafeBytes { OutboxRecord(payload: $0) } == .unknown(Data(payload)))
    }

    private func change(_ edit: Outbox.Edit, savedAt seconds: TimeInterval = 0) -> Outbox.Change {
        Outbox.Change(id: Self.id, edit: edit, savedAt: Date(timeIntervalSince1970: seconds))
    }

    @discardableResult
    private func lines(of record: OutboxRecord) throws(OutboxError) -> [UInt8] {
        var bytes: [UInt8] = []
        try record.write(to: &bytes)
        return bytes
    }

    private func records(of bytes: [UInt8]) throws -> [OutboxRecord] {
        var records: [OutboxRecord] = []
        let damage = bytes.withUnsafeBytes {
            OutboxFileFormat.readLines(of: $0) { payload, _ in
                records.append(OutboxRecord(payload: payload))
            }
        }
        #expect(!damage.needsRepair)
        return records
    }

    private func payloads(of record: OutboxRecord) throws -> [String] {
        String(decoding: try lines(of: record), as: UTF8.self)
            .split(separator: "\n").map { String($0.dropFirst(24)) }
    }
}
