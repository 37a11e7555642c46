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
        (Outbox.Edit.setFavorite("a/b", to: true), #""edit":"favorite","ID","product":"a/b""#),
        (.setFavorite("boots", to: false), #""edit":"unfavorite","ID","product":"boots""#),
        (.addProduct("boots", toList: "7"), #""edit":"add","ID","list":"7","product":"boots""#),
        (
            .removeProduct("boots", fromList: "7"),
            #""edit":"remove","ID","list":"7","product":"boots""#
        ),
        (.createList("7", name: "a\nb"), #""edit":"create","ID","list":"7","name":"a\nb""#),
        (.renameList("7", name: ""), #""edit":"rename","ID","list":"7","name":"""#),
        (.deleteList("7"), #""edit":"delete","ID","list":"7""#),
    ])
    func `a saved change is written with these members`(
        edit: Outbox.Edit,
        members: String
    ) throws {
        let change = change(edit, savedAt: 1_700_000_000)

        let alone = try json(of: .saved(change, replacing: []))
        let replacing = try json(of: .saved(change, replacing: [Self.other, Self.id]))

        let start = members.replacing("\"ID\"", with: "\"id\":\"\(Self.id)\"")
        #expect(alone == #"{\#(start),"record":"saved","savedAt":1700000000}"#)
        let ids = #"["\#(Self.other)","\#(Self.id)"]"#
        #expect(
            replacing
                == #"{\#(start),"record":"saved","replacing":\#(ids),"savedAt":1700000000}"#
        )
    }

    // Rule: outbox/file-format-is-stable (29)
    @Test func `a header, a removal, a rejection and an unknown record are written as these lines`()
        throws
    {
        var file = Data()

        try OutboxRecord.header(version: 1, user: "an\na").write(to: &file)
        try OutboxRecord.removed(Self.id).write(to: &file)
        try OutboxRecord.rejected(Self.id, message: "No list.").write(to: &file)
        try OutboxRecord.unknown(Data("=x".utf8)).write(to: &file)

        #expect(
            String(decoding: file, as: UTF8.self) == #"""

                cea8b6fd4c5caae1 {"record":"header","user":"an\na","version":1}

                414f3650ce9ccd40 {"id":"\#(Self.id)","record":"removed"}

                2a29d11f9e491952 {"id":"\#(Self.id)","message":"No list.","record":"rejected"}

                220724cd9a8bfd6d =x

                """#
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

                let read = try records(of: try line(of: record))

                #expect(read == [record])
                guard case .saved(let copy, _) = read.first else { continue }
                // Texts are equal if they look alike; their bytes must be equal, too.
                #expect("\(copy.edit)".utf8.elementsEqual("\(edit)".utf8))
            }
        }
        let rejection = OutboxRecord.rejected(Self.id, message: text)
        #expect(try records(of: try line(of: rejection)) == [rejection])
    }

    @Test func `a date that is not in whole seconds is rounded down, and no date ends the process`()
        throws
    {
        let dates = [(1.9, 1), (-0.1, -1), (.infinity, 0), (.nan, 0), (1e300, 0)]
        for (seconds, saved) in dates {
            let json = try json(
                of: .saved(change(.deleteList("7"), savedAt: seconds), replacing: [])
            )
            #expect(json.hasSuffix(#""savedAt":\#(saved)}"#))
        }
    }

    // Rule: outbox/record-has-a-limit (30)
    @Test func `a long message is cut between two characters`() throws {
        let message = "xy" + String(repeating: "e\u{301}", count: 3_000)

        let read = try records(of: try line(of: .rejected(Self.id, message: message)))

        let cut = "xy" + String(repeating: "e\u{301}", count: 1_364)
        #expect(read == [.rejected(Self.id, message: cut)])
    }

    // Rule: outbox/unknown-records-are-preserved (24)
    @Test(arguments: [
        "{}", "[]", "=x", #"{"record":"moved","id":"ID"}"#, #"{"record":"removed"}"#,
        #"{"record":"removed","id":"IDa"}"#, #"{"record":"removed","id":"A1"}"#,
        #"{"record":"removed","id":"0000000000000000000000000000000A"}"#,
        #"{"record":"removed","id":"000000000000000000000000000000／"}"#,
        #"{"record":"rejected","id":"ID"}"#,
        #"{"record":"saved","id":"ID","edit":"delete","list":"7"}"#,
        #"{"record":"saved","id":"ID","savedAt":1.5,"edit":"delete","list":"7"}"#,
        #"{"record":"saved","id":"ID","savedAt":99999999999999999999,"edit":"delete","list":"7"}"#,
        #"{"record":"saved","id":"ID","savedAt":9007199254740993,"edit":"delete","list":"7"}"#,
        #"{"record":"saved","id":"ID","savedAt":1}"#,
        #"{"record":"saved","id":"ID","savedAt":1,"edit":"move","list":"7"}"#,
        #"{"record":"saved","id":"ID","savedAt":1,"edit":"favorite","list":"7"}"#,
        #"{"record":"saved","id":"ID","savedAt":1,"edit":"unfavorite","list":"7"}"#,
        #"{"record":"saved","id":"ID","savedAt":1,"edit":"add","list":"7"}"#,
        #"{"record":"saved","id":"ID","savedAt":1,"edit":"remove","product":"7"}"#,
        #"{"record":"saved","id":"ID","savedAt":1,"edit":"create","list":"7"}"#,
        #"{"record":"saved","id":"ID","savedAt":1,"edit":"rename","name":"7"}"#,
        #"{"record":"saved","id":"ID","savedAt":1,"edit":"delete","name":"7"}"#,
    ])
    func `a record that is not understood is an unknown one`(json: String) throws {
        let bytes = Data(json.replacing("ID", with: Self.id.rawValue).utf8)

        #expect(OutboxRecord(json: bytes) == .unknown(bytes))
        #expect(try records(of: try line(of: .unknown(bytes))) == [.unknown(bytes)])
    }

    // Rule: outbox/unknown-records-are-preserved (24)
    @Test func `a record that is not UTF-8, or too deep, is an unknown one`() throws {
        let start = #"{"record":"rejected","id":"\#(Self.id)""#
        let text = Data(#"\#(start),"message":""#.utf8) + [0xFF] + Data(#""}"#.utf8)
        let (open, close) = (String(repeating: "[", count: 65), String(repeating: "]", count: 65))
        let deep = Data(#"\#(start),"message":"","more":\#(open)\#(close)}"#.utf8)

        for bytes in [text, deep] { #expect(OutboxRecord(json: bytes) == .unknown(bytes)) }
    }

    // Rule: outbox/unknown-records-are-preserved (24)
    @Test func `additional members are ignored`() {
        let json = Data(#"{"record":"removed","id":"\#(Self.id)","more":[1]}"#.utf8)

        #expect(OutboxRecord(json: json) == .removed(Self.id))
    }

    // Rule: outbox/file-format-is-stable (29)
    @Test func `a change can replace all others`() throws {
        let replaced = (1..<500).map { Outbox.Change.numbered($0).id }
        let record = OutboxRecord.saved(.numbered(500), replacing: replaced)

        #expect(try records(of: try line(of: record)) == [record])
    }

    private func change(_ edit: Outbox.Edit, savedAt seconds: TimeInterval = 0) -> Outbox.Change {
        Outbox.Change(id: Self.id, edit: edit, savedAt: Date(timeIntervalSince1970: seconds))
    }

    private func line(of record: OutboxRecord) throws(OutboxError) -> Data {
        var file = Data()
        try record.write(to: &file)
        return file
    }

    private func records(of file: Data) throws -> [OutboxRecord] {
        var records: [OutboxRecord] = []
        let damage = OutboxFileFormat.readLines(of: file) { json, length in
            #expect(length == file.count)
            records.append(OutboxRecord(json: json))
        }
        #expect(damage.bytes.isEmpty)
        return records
    }

    private func json(of record: OutboxRecord) throws -> String {
        String(decoding: try line(of: record).dropFirst(18).dropLast(), as: UTF8.self)
    }
}
