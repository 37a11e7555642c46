import Foundation
import ProductKit
import Synchronization
import Testing

/// Files that were cut, changed or forged.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxDamageTests {
    private static let changes = [1, 2, 3].map { Outbox.Change.numbered($0) }

    private static func line(_ json: String) -> [UInt8] {
        var file = Data()
        OutboxFileFormat.appendLine(Data(json.utf8), to: &file)
        return Array(file)
    }

    private static func line(_ record: OutboxRecord) -> [UInt8] {
        var file = Data()
        #expect(throws: Never.self) { try record.write(to: &file) }
        return Array(file)
    }

    private static let header = line(.header(version: 1, user: "anna"))
    private static let lines =
        [header] + changes.map { line(.saved($0, replacing: [])) }
    private static let file = Array(lines.joined())

    // Rule: outbox/damage-costs-one-record (22)
    @Test func `a file that is cut at any place has all records before the last one`() throws {
        let ends = Self.lines.indices.map { Self.lines[...$0].joined().count }
        for count in 0...Self.file.count {
            let opening = try open(Array(Self.file.prefix(count)))

            // The last line feed may be missing.
            let complete = ends.dropFirst().count { $0 - 1 <= count }
            #expect(opening.contents.changes == Array(Self.changes.prefix(complete)))
            let lastEnd = ends.last { $0 - 1 <= count } ?? 0
            // Without the first line feed of the record that is cut.
            let lost = max(count - lastEnd - 1, 0)
            let events = lost == 0 ? [] : ["damaged \(lost) true"]
            #expect(opening.events == events, "\(count)")
            #expect(opening.disk.damaged == Array(Self.file[..<count].suffix(lost)))
            let expected = opening.contents.changes + [.numbered(4)]
            #expect(try changesAfterAppending(to: opening) == expected)
        }
    }

    // Rule: outbox/damage-costs-one-record (22)
    @Test(arguments: [0x01, 0x20, 0x80, 0xFF] as [UInt8])
    func `a byte that is flipped costs at most its record`(mask: UInt8) throws {
        let owners = Self.lines.indices.flatMap { index in
            Self.lines[index].map { _ in index }
        }
        for (index, owner) in owners.enumerated() {
            var file = Self.file
            file[index] ^= mask

            let opening = try open(file)

            let lost = owner == 0 ? [] : [Self.changes[owner - 1]]
            let found = Self.changes.filter { !lost.contains($0) }
            #expect(opening.contents == OutboxFileContents(changes: found))
            let bytes = damagedLine(owner, of: file)
            #expect(opening.disk.damaged == bytes)
            #expect(opening.events == ["damaged \(bytes.count) \(owner == 3)"])
            #expect(try changesAfterAppending(to: opening) == found + [.numbered(4)])
        }
    }

    // Rule: outbox/damage-costs-one-record (22)
    @Test func `a byte that becomes a line feed costs its record`() throws {
        let lineFeed = UInt8(ascii: "\n")
        var start = 0
        for (owner, line) in Self.lines.enumerated() {
            for index in line.indices where line[index] != lineFeed {
                var file = Self.file
                file[start + index] = lineFeed

                let found = Self.changes.indices.filter { $0 + 1 != owner }.map { Self.changes[$0] }
                #expect(try open(file).contents.changes == found, "\(owner) \(index)")
            }
            start += line.count
        }
    }

    // Rule: outbox/damage-costs-one-record (22); outbox/damage-is-reported-first (23)
    @Test func `all damaged parts are reported together, and are not a torn end`() throws {
        var file = Self.file
        file[Self.lines[0].count + 30] ^= 1
        file.removeLast(5)

        let opening = try open(file)

        let bytes = damagedLine(1, of: file) + "\n".utf8 + Self.lines[3].dropFirst().dropLast(5)
        #expect(opening.contents.changes == [Self.changes[1]])
        #expect(opening.events == ["damaged \(bytes.count) false"])
        #expect(opening.disk.damaged == bytes)
    }

    // Rule: outbox/suspect-file-is-rewritten (26)
    @Test func `changes and rejections stay in order when a file is written anew`() throws {
        let ids = Self.changes.map(\.id)
        let records: [OutboxRecord] = [
            .rejected(ids[2], message: "third"), .rejected(ids[0], message: "first\n"),
            .saved(.numbered(4), replacing: []),
        ]
        let file = Self.file + records.flatMap(Self.line) + Array("torn".utf8)

        let opening = try open(file)
        let again = try open(opening.disk.bytes)

        #expect(opening.contents.rejections.map(\.id) == [ids[2], ids[0]])
        #expect(opening.contents.changes == [Self.changes[1], .numbered(4)])
        #expect(again.contents == opening.contents && again.events.isEmpty)
    }

    // Rule: outbox/damage-is-reported-first (23); outbox/saved-survives-power-loss (20)
    @Test func `damage is reported before a file is repaired, and repairing loses nothing more`()
        throws
    {
        let torn = Array(Self.file.dropLast(5))
        let disk = SimulatedDisk(torn)
        let images = Mutex<Set<[UInt8]>>([])
        let storage = disk.storage.observed(after: { _ in
            images.withLock { $0.formUnion(disk.images) }
        })
        var callsBefore: [[OutboxStorage.Operation]] = []

        _ = try OutboxJournal.open(storage, user: "anna") { _ in
            callsBefore.append(disk.calls)
        }

        #expect(callsBefore == [[.load]])
        #expect(
            disk.calls == [.load, .saveDamaged, .writeReplacement, .installReplacement]
        )
        #expect(images.withLock(\.self) == [torn, Array(Self.lines[..<3].joined())])
    }

    // Rule: outbox/damage-is-reported-first (23)
    @Test func `bytes that could not be saved are saved with the next attempt`() throws {
        let disk = SimulatedDisk(Array(Self.file.dropLast(5)))
        disk.fail(.saveDamaged, .writeReplacement, doing: .half)

        var file = try OpenJournal(disk)
        #expect(file.contents.changes == Array(Self.changes[..<2]))
        #expect(disk.damaged.isEmpty)
        disk.reset()
        try file.save(4, waiting: [1, 2])
        try file.save(5, waiting: [1, 2, 4])

        #expect(disk.damaged == Array(Self.lines[3].dropFirst().dropLast(5)))
        #expect(try file.saved == [1, 2, 4, 5])
    }

    // Rule: outbox/unknown-records-are-preserved (24)
    @Test func `records of a later version are reported, not sent, and preserved`() throws {
        let unknown = ["=x", "{}", #"{"record":"moved"}"#]
        let bytes = Self.file + unknown.flatMap(Self.line)
        let disk = SimulatedDisk(bytes)

        var file = try OpenJournal(disk)
        #expect(file.contents.changes == Self.changes)
        #expect(file.contents.unknownRecords == unknown.map { Data($0.utf8) })
        #expect(file.events == ["unknown 3"])
        #expect(disk.bytes == bytes)
        disk.fail(.sync)
        #expect(throws: OutboxError.self) {
            try file.append([.removed(Self.changes[0].id)], waiting: Self.changes)
        }
        disk.reset()
        try file.clear()

        #expect(disk.bytes == Self.header + unknown.flatMap(Self.line))
        try file.erase()
        #expect(try open(disk.bytes).contents == OutboxFileContents())
        try file.append([])
        #expect(disk.bytes == Self.header)
    }

    // Rule: outbox/unknown-records-are-preserved (24)
    @Test(arguments: [false, true])
    func `the end of a change of a later version is preserved behind it`(isRejected: Bool) throws {
        let other = Outbox.Change.numbered(9)
        let unknown = Self.line(#"{"record":"moved"}"#)
        let end = Self.line(isRejected ? .rejected(other.id, message: "no") : .removed(other.id))
        let known = Self.line(.saved(other, replacing: []))
        let disk = SimulatedDisk(Self.header + unknown + Self.lines[1] + end)

        var file = try OpenJournal(disk)
        #expect(file.contents.changes == [Self.changes[0]])
        disk.fail(.sync)
        #expect(throws: OutboxError.self) {
            try file.append([.saved(other, replacing: [])], waiting: [Self.changes[0]])
        }
        disk.reset()
        try file.append([.saved(other, replacing: [])], waiting: [Self.changes[0], other])
        #expect(disk.bytes == Self.header + Self.lines[1] + unknown + end + known)

        try file.clear()
        #expect(disk.bytes == Self.header + unknown + end)
    }

    // Rule: outbox/unknown-records-are-preserved (24)
    @Test func `records are applied once, and only to changes that precede them`() throws {
        let ids = Self.changes.map(\.id)
        let other = Outbox.Change.numbered(9)
        let records: [OutboxRecord] = [
            .removed(other.id),
            .rejected(other.id, message: "early"),
            .saved(Self.changes[0], replacing: [ids[0], other.id]),
            .saved(Self.changes[1], replacing: []),
            .rejected(ids[1], message: "first"),
            .rejected(ids[1], message: "second"),
            .saved(Self.changes[2], replacing: [ids[1]]),
            .removed(ids[2]),
            .saved(Self.changes[2], replacing: [ids[0]]),
            .saved(Self.changes[0], replacing: []),
            .rejected(ids[2], message: "late"),
        ]
        let rejection = Outbox.Rejection(change: Self.changes[1], message: "first")

        let opening = try open(Self.header + records.flatMap(Self.line))

        #expect(
            opening.contents
                == OutboxFileContents(changes: [Self.changes[0]], rejections: [rejection])
        )
        #expect(opening.events.isEmpty)
    }

    // Rule: outbox/other-files-are-unchanged (25)
    @Test(arguments: [
        (#""version":2,"user":"anna""#, OutboxError.Code.newerVersion),
        (#""version":10,"user":"ben","more":true"#, .newerVersion),
        (#""user":"anna""#, .newerVersion), (#""version":1"#, .otherUser),
        (#""version":1,"user":"ben""#, .otherUser), (#""version":1,"user":"ann""#, .otherUser),
        (#""version":1,"user":"""#, .otherUser),
        (#""version":"2","user":"anna""#, .newerVersion),
        (#""version":2,"user":{"id":"anna"}"#, .newerVersion),
        (#""version":2,"user":"anna","list":[]"#, .newerVersion),
    ])
    func `the file of a later version or another user is refused and unchanged`(
        members: String,
        code: OutboxError.Code
    ) {
        let header = #"{"record":"header",\#(members)}"#
        let records = Self.lines.dropFirst().joined()
        let files = [
            Self.line(header) + records, [1, 2, 10] + Self.line(header) + records + [4],
            Self.file + Self.line(header), Array(Self.line(header).dropLast()),
        ]
        for file in files {
            let disk = SimulatedDisk(file)
            var events = 0

            #expect(throws: OutboxError(code)) {
                try OutboxJournal.open(disk.storage, user: "anna") { _ in events += 1 }
            }
            #expect(disk.bytes == file)
            #expect(disk.calls == [.load])
            #expect(events == 0)
        }
    }

    // Rule: outbox/empty-outbox-is-cut (33)
    @Test func `another header of the version is replaced, so that the file can be cut to it`()
        throws
    {
        let more = #"{"record":"header","user":"anna","version":1,"more":1}"#
        for file in [Self.line(more), Array(Self.header.dropLast()), [10] + Self.header] {
            let disk = SimulatedDisk(file)
            var opening = try OpenJournal(disk)

            try opening.clear()

            #expect(disk.bytes == Self.header)
        }
    }

    // Rule: outbox/other-files-are-unchanged (25)
    @Test func `a user whose name looks alike is another user`() throws {
        let disk = SimulatedDisk(Self.line(.header(version: 1, user: "e\u{301}")))

        #expect(throws: OutboxError(.otherUser)) { try disk.storage.contents(user: "é") }
        #expect(try disk.storage.contents(user: "e\u{301}") == OutboxFileContents())
    }

    // Rule: outbox/damage-costs-one-record (22)
    @Test func `any bytes can be opened, and what was read is read again`() throws {
        var chance = SeededGenerator(seed: 22)
        let alphabet = Array("{}\n \":,0123456789abcdef".utf8)
        for round in 0..<600 {
            var file: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<8, using: &chance) {
                switch Int.random(in: 0..<4, using: &chance) {
                case 0:
                    let count = Int.random(in: 0..<80, using: &chance)
                    file += (0..<count).map { _ in .random(in: 0...255, using: &chance) }
                case 1:
                    let count = Int.random(in: 0..<80, using: &chance)
                    file += (0..<count).map { _ in alphabet.randomElement(using: &chance) ?? 0 }
                case 2:
                    let payload = (0..<20).map { _ in alphabet.randomElement(using: &chance) ?? 0 }
                    let text = String(decoding: payload.filter { $0 != 10 }, as: UTF8.self)
                    file += Self.line(text)
                default:
                    file += Self.lines.randomElement(using: &chance) ?? []
                }
            }
            let opening = try open(file)

            let again = try open(opening.disk.bytes)

            #expect(again.contents == opening.contents, "round \(round)")
            #expect(!again.events.contains { $0.hasPrefix("damaged") })
        }
    }

    // Rule: outbox/reading-is-linear (31)
    @Test(.tags(.timing), .timed)
    func `the time of reading is proportional to the length of the file`() {
        let joined = Array(Self.lines[1].dropFirst().dropLast()) + [UInt8(ascii: "x")]
        let growths = [[UInt8(ascii: "\n")], Self.line("{}"), Self.lines[1], joined]
            .map { line in
                growth { (file: Data) in
                    _ = OutboxFileFormat.readLines(of: file) { _, _ in }
                } for: { length in
                    Data(repeatElement(line, count: length).joined())
                }
            }

        #expect(growths.allSatisfy { $0 < 200 }, "\(growths)")
    }

    private func damagedLine(_ owner: Int, of file: [UInt8]) -> [UInt8] {
        let start = Self.lines[..<owner].joined().count
        let line = file[start..<(start + Self.lines[owner].count)]
        return Array(line.split(separator: UInt8(ascii: "\n")).joined())
    }

    private func open(_ file: [UInt8]) throws -> OpenJournal {
        try OpenJournal(SimulatedDisk(file))
    }

    /// The changes that the next opener finds after the change 4 was appended.
    private func changesAfterAppending(to file: OpenJournal) throws -> [Outbox.Change] {
        var file = file
        try file.append([.saved(.numbered(4), replacing: [])], waiting: file.contents.changes)
        return try file.disk.storage.contents().changes
    }
}
