import Foundation
import ProductKit
import Synchronization
import Testing

/// Files that were cut, changed or forged.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxDamageTests {
    private static let changes = [1, 2, 3].map { Outbox.Change.numbered($0) }

    private static func line(_ payload: String) -> [UInt8] {
        var bytes: [UInt8] = []
        OutboxFileFormat.appendLine(to: &bytes) { $0 += payload.utf8 }
        return bytes
    }

    private static func line(_ record: OutboxRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        #expect(throws: Never.self) { try record.write(to: &bytes) }
        return bytes
    }

    private static let header = line("productkit-outbox\t1\tanna")
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
            let lost = max(count - lastEnd, 0)
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

            let isLineFeed = Self.file[index] == UInt8(ascii: "\n")
            let lost = isLineFeed || owner == 0 ? [] : [Self.changes[owner - 1]]
            let found = Self.changes.filter { !lost.contains($0) }
            #expect(opening.contents == OutboxFileContents(changes: found))
            let isLast = owner == 3
            let bytes = isLineFeed ? [file[index]] : damagedLine(owner, of: file)
            #expect(opening.disk.damaged == bytes)
            #expect(opening.events == ["damaged \(bytes.count) \(isLast)"])
            #expect(try changesAfterAppending(to: opening) == found + [.numbered(4)])
        }
    }

    // Rule: outbox/damage-costs-one-record (22); outbox/damage-is-reported-first (23)
    @Test func `all damaged parts are reported together, and are not a torn end`() throws {
        var file = Self.file
        file[Self.lines[0].count + 30] ^= 1
        file.removeLast(5)

        let opening = try open(file)

        let bytes = damagedLine(1, of: file) + Self.lines[3].dropLast(5)
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
        var callsBefore: [[String]] = []

        _ = try OutboxJournal.open(storage, user: "anna") { _ in
            callsBefore.append(disk.calls)
        }

        #expect(callsBefore == [["load"]])
        #expect(
            disk.calls == ["load", "saveDamaged", "writeReplacement", "installReplacement"]
        )
        #expect(images.withLock(\.self) == [torn, Array(Self.lines[..<3].joined())])
    }

    // Rule: outbox/damage-is-reported-first (23)
    @Test func `bytes that could not be saved are saved with the next attempt`() throws {
        let disk = SimulatedDisk(Array(Self.file.dropLast(5)))
        disk.fail("saveDamaged", "writeReplacement", doing: .half)

        var file = try OpenJournal(disk)
        #expect(file.contents.changes == Array(Self.changes[..<2]))
        #expect(disk.damaged.isEmpty)
        disk.reset()
        try file.save(4, waiting: [1, 2])
        try file.save(5, waiting: [1, 2, 4])

        #expect(disk.damaged == Array(Self.lines[3].dropLast(5)))
        #expect(try file.saved == [1, 2, 4, 5])
    }

    // Rule: outbox/unknown-records-are-preserved (24)
    @Test func `records of a later version are reported, not sent, and preserved`() throws {
        let unknown = ["=\tx", "+\t1", "-"]
        let bytes = Self.file + unknown.flatMap(Self.line)
        let disk = SimulatedDisk(bytes)

        var file = try OpenJournal(disk)
        #expect(file.contents.changes == Self.changes)
        #expect(file.contents.unknownRecords == unknown.map { Data($0.utf8) })
        #expect(file.events == ["unknown 3"])
        #expect(disk.bytes == bytes)
        disk.fail("sync")
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
        ("productkit-outbox\t2\tanna", OutboxError.Code.newerVersion),
        ("productkit-outbox\t10\tben\tx", .newerVersion), ("productkit-outbox", .newerVersion),
        ("productkit-outbox\t\tanna", .newerVersion), ("productkit-outbox\t1", .otherUser),
        ("productkit-outbox\t1\tben", .otherUser), ("productkit-outbox\t1\tann", .otherUser),
        ("productkit-outbox\t1\tanna\tx", .otherUser), ("productkit-outbox\t1\t", .otherUser),
    ])
    func `the file of a later version or another user is refused and unchanged`(
        header: String,
        code: OutboxError.Code
    ) {
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
            #expect(disk.calls == ["load"])
            #expect(events == 0)
        }
    }

    // Rule: outbox/other-files-are-unchanged (25)
    @Test func `a user whose name looks alike is another user`() throws {
        let disk = SimulatedDisk(Self.line("productkit-outbox\t1\te\u{301}"))

        #expect(throws: OutboxError(.otherUser)) { try disk.storage.contents(user: "é") }
        #expect(try disk.storage.contents(user: "e\u{301}") == OutboxFileContents())
    }

    // Rule: outbox/damage-costs-one-record (22)
    @Test func `any bytes can be opened, and what was read is read again`() throws {
        var chance = SeededGenerator(seed: 22)
        let alphabet = Array("+-!\t\n %0123456789abcdef,".utf8)
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
        let hostile = Array("010000 0000000000000000 \n".utf8)
        let joined = Array(Self.lines[1].dropLast()) + [UInt8(ascii: "x")]
        let growths = [hostile, [UInt8(ascii: "\n")], Self.line("-\tx"), Self.lines[1], joined]
            .map { line in
                growth { (file: [UInt8]) in
                    _ = file.withUnsafeBytes { OutboxFileFormat.readLines(of: $0) { _, _ in } }
                } for: { length in
                    Array(repeatElement(line, count: length).joined())
                }
            }

        #expect(growths.allSatisfy { $0 < 200 }, "\(growths)")
    }

    private func damagedLine(_ owner: Int, of file: [UInt8]) -> [UInt8] {
        let start = Self.lines[..<owner].joined().count
        return Array(file[start..<(start + Self.lines[owner].count)])
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
