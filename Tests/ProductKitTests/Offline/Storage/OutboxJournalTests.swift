import Foundation
import ProductKit
import Synchronization
import Testing

/// The calls of the storage that a journal makes, and what it does when they fail.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxJournalTests {
    private static let operations = [
        "append", "sync", "truncate", "writeReplacement", "installReplacement",
    ]

    // Rule: outbox/saved-survives-power-loss (20)
    @Test func `a durable record needs one append and one sync, for any number of records`() throws
    {
        let (disk, opened) = try open()
        var journal = opened

        try save([1, 2, 3], in: &journal)
        try journal.append([.removed(id(1))], isDurable: false) { OutboxFileContents() }
        try journal.append([], isDurable: true) { OutboxFileContents() }

        #expect(disk.calls == ["append", "sync", "append", "sync"])
        #expect(try disk.storage.contents().changes.map(\.id) == [id(2), id(3)])
    }

    // Rule: outbox/other-files-are-unchanged (25)
    @Test func `a new file gets its header when it is opened, and is then only read`() throws {
        let disk = SimulatedDisk()

        #expect(try disk.storage.contents() == OutboxFileContents())
        let bytes = disk.bytes
        #expect(try disk.storage.contents() == OutboxFileContents())

        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("productkit-outbox\t1\tanna\n"))
        #expect(disk.bytes == bytes)
        #expect(disk.calls == ["load", "writeReplacement", "installReplacement", "load"])
    }

    // Rule: outbox/storage-failure-is-reported (27)
    @Test func `an error of the storage has the name of the operation and the system's number`()
        throws
    {
        let expected = ["append", "sync"]
        for operation in expected {
            let (disk, opened) = try open()
            var journal = opened
            disk.fail(with: POSIXError(.ENOSPC)) { _, name in name == operation ? .half : nil }

            let error = OutboxError(.storageFailed, operation: operation, number: ENOSPC)
            #expect(throws: error) { try save([1], in: &journal) }
        }
        let disk = SimulatedDisk()
        disk.fail(with: POSIXError(.EPERM)) { _, _ in .half }
        #expect(throws: OutboxError(.storageFailed, operation: "load", number: EPERM)) {
            try disk.storage.contents()
        }
    }

    // Rule: outbox/storage-failure-is-reported (27)
    @Test func `an OutboxError of the storage is thrown unchanged, and any other error is EIO`()
        throws
    {
        let (disk, opened) = try open()
        var journal = opened

        disk.fail(with: OutboxError(.inUse, operation: "mine")) { _, name in
            name == "append" ? .nothing : nil
        }
        #expect(throws: OutboxError(.inUse, operation: "mine")) { try save([1], in: &journal) }
        disk.fail(with: CancellationError()) { _, name in name == "append" ? .nothing : nil }

        #expect(throws: OutboxError(.storageFailed, operation: "append", number: EIO)) {
            try save([1], in: &journal)
        }
    }

    // Rule: outbox/failed-save-leaves-nothing (21); outbox/record-has-a-limit (30)
    @Test func `a record that is too large fails before anything is written`() throws {
        let (disk, opened) = try open()
        var journal = opened
        let name = String(repeating: "x", count: 66_000)
        let records: [OutboxRecord] = [
            .saved(.numbered(1), replacing: []), .saved(.numbered(2, name: name), replacing: []),
        ]

        #expect(throws: OutboxError(.tooLarge)) {
            try journal.append(records, isDurable: true) { OutboxFileContents() }
        }

        #expect(disk.calls.isEmpty)
        try save([3], in: &journal)
        #expect(try disk.storage.contents().changes.map(\.id) == [id(3)])
    }

    // Rule: outbox/failed-save-leaves-nothing (21)
    @Test(arguments: SimulatedDisk.Fault.allCases)
    func `a failed append is cut off, and the file is not suspect`(
        fault: SimulatedDisk.Fault
    ) throws {
        let (disk, opened) = try open()
        var journal = opened
        try save([1], in: &journal)
        disk.reset()
        disk.fail { index, _ in index == 0 ? fault : nil }

        #expect(throws: OutboxError.self) { try save([2], in: &journal) }
        #expect(disk.calls == ["append", "truncate", "sync"])
        #expect(try disk.storage.contents().changes.map(\.id) == [id(1)])
        disk.reset()
        try save([3], in: &journal)

        #expect(disk.calls == ["append", "sync"])
        #expect(try disk.storage.contents().changes.map(\.id) == [id(1), id(3)])
    }

    // Rule: outbox/suspect-file-is-rewritten (26); outbox/failed-save-leaves-nothing (21)
    @Test func `a failed sync is followed by writing the file anew`() throws {
        let (disk, opened) = try open()
        var journal = opened
        disk.fail { index, _ in index == 1 ? .nothing : nil }

        #expect(throws: OutboxError.self) { try save([1], in: &journal) }
        #expect(
            disk.calls
                == [
                    "append", "sync", "truncate", "sync", "writeReplacement", "installReplacement",
                ]
        )
        #expect(disk.images.count == 1)
        disk.reset()
        try save([2], in: &journal)

        #expect(disk.calls == ["append", "sync"])
        #expect(try disk.storage.contents().changes.map(\.id) == [id(2)])
    }

    // Rule: outbox/suspect-file-is-rewritten (26)
    @Test(arguments: [("sync", "writeReplacement"), ("append", "truncate"), ("append", "sync")])
    func `a suspect file is written anew before the next record`(
        first: String,
        second: String
    ) throws {
        let (disk, opened) = try open()
        var journal = opened
        try save([1], in: &journal)
        disk.reset()
        disk.fail { _, name in
            name == first || name == second || name == "installReplacement" ? .nothing : nil
        }
        #expect(throws: OutboxError.self) { try save([2], in: &journal, waiting: [1]) }

        disk.reset()
        disk.fail { _, name in name == "writeReplacement" ? .half : nil }
        let error = OutboxError(.storageFailed, operation: "writeReplacement", number: EIO)
        #expect(throws: error) { try save([3], in: &journal, waiting: [1]) }
        #expect(disk.calls == ["writeReplacement"])
        disk.reset()
        try save([4], in: &journal, waiting: [1])

        #expect(disk.calls == ["writeReplacement", "installReplacement", "append", "sync"])
        #expect(try disk.storage.contents().changes.map(\.id) == [id(1), id(4)])
        #expect(disk.images.count == 1)
    }

    // Rule: outbox/suspect-file-is-rewritten (26)
    @Test(arguments: [SimulatedDisk.Fault.nothing, .everything])
    func `a failed installation makes the file suspect`(fault: SimulatedDisk.Fault) throws {
        let (disk, opened) = try open()
        var journal = opened
        let waiting = try makeLong(&journal)
        disk.reset()
        disk.fail { _, name in name == "installReplacement" ? fault : nil }

        journal.compactIfLong { contents(waiting) }
        disk.reset()
        try save([9], in: &journal, waiting: waiting)

        #expect(disk.calls == ["writeReplacement", "installReplacement", "append", "sync"])
        #expect(try disk.storage.contents().changes.map(\.id) == (waiting + [9]).map(id))
    }

    // Rule: outbox/removed-file-is-recreated (32)
    @Test(arguments: ["append", "sync"])
    func `a file that was removed is written anew, and the record is saved`(
        operation: String
    ) throws {
        let (disk, opened) = try open()
        var journal = opened
        try save([1], in: &journal)
        disk.reset()
        disk.fail(with: POSIXError(.ESTALE)) { index, name in
            name == operation && index < 2 ? .nothing : nil
        }

        try save([2], in: &journal, waiting: [1])

        #expect(
            disk.calls.suffix(4) == ["writeReplacement", "installReplacement", "append", "sync"]
        )
        #expect(try disk.storage.contents().changes.map(\.id) == [id(1), id(2)])
        disk.reset()
        try save([3], in: &journal)
        #expect(disk.calls == ["append", "sync"])
    }

    // Rule: outbox/removed-file-is-recreated (32); outbox/failed-save-leaves-nothing (21)
    @Test(arguments: operations)
    func `a record is not found if saving it in a removed file fails`(operation: String) throws {
        let (disk, opened) = try open()
        var journal = opened
        disk.fail(with: POSIXError(.ESTALE)) { index, name in
            index == 0 || name == operation ? .everything : nil
        }

        if operation == "truncate" {
            try save([2], in: &journal)
        } else {
            #expect(throws: OutboxError.self) { try save([2], in: &journal) }
        }
        disk.reset()
        try save([3], in: &journal, waiting: operation == "truncate" ? [2] : [])

        let saved = operation == "truncate" ? [2, 3] : [3]
        #expect(try disk.storage.contents().changes.map(\.id) == saved.map(id))
    }

    // Rule: outbox/long-file-is-rewritten (28)
    @Test func `a file is written anew at more than 64 KiB and four times its length`() throws {
        let (disk, opened) = try open()
        var journal = opened
        var lengths: [Int] = []
        // Two of 20,000 bytes wait, and each is replaced by a new one.
        for number in 1...40 {
            let waiting = [number - 2, number - 1].filter { $0 > 0 }
            try saveLong(number, replacing: number - 2, in: &journal)
            let length = disk.bytes.count
            disk.reset()
            journal.compactIfLong { contents(waiting.suffix(1) + [number], isLong: true) }
            if !disk.calls.isEmpty { lengths.append(length) }
        }

        #expect(lengths.count == 7)
        // First it is longer than 64 KiB, then longer than four times two records.
        #expect(lengths.first.map { (65_537...(65_536 + 21_000)).contains($0) } == true)
        #expect(lengths.dropFirst().allSatisfy { (160_000...190_000).contains($0) })
    }

    // Rule: outbox/long-file-is-rewritten (28)
    @Test func `a file that could not be written anew is used, and tried at twice the length`()
        throws
    {
        let (disk, opened) = try open()
        var journal = opened
        let waiting = try makeLong(&journal)
        let length = disk.bytes.count
        disk.reset()
        disk.fail(with: POSIXError(.ENOSPC)) { _, name in name == "writeReplacement" ? .half : nil }

        journal.compactIfLong { contents(waiting) }
        #expect(disk.calls == ["writeReplacement"])
        journal.compactIfLong { contents(waiting) }
        try save([9], in: &journal, waiting: waiting)
        #expect(disk.calls == ["writeReplacement", "append", "sync"])
        var number = 10
        while disk.bytes.count <= 2 * length {
            disk.reset()
            journal.compactIfLong { contents(waiting + [9]) }
            #expect(disk.calls.isEmpty)
            try saveLong(number, replacing: number - 1, in: &journal)
            number += 1
        }
        journal.compactIfLong { contents(waiting + [9]) }

        #expect(disk.bytes.count < 1_000)
        #expect(try disk.storage.contents() == contents(waiting + [9]))
    }

    // Rule: outbox/long-file-is-rewritten (28)
    @Test func `the length of the records that count is known when a file is opened`() throws {
        let (disk, opened) = try open()
        var journal = opened
        for number in 1...8 { try saveLong(number, replacing: number - 1, in: &journal) }
        var (long, found) = try OutboxJournal.open(disk.storage, user: "anna") { _ in }
        #expect(found.changes.count == 1)

        disk.reset()
        long.compactIfLong { found }
        #expect(disk.calls == ["writeReplacement", "installReplacement"])
        for number in 11...13 { try saveLong(number, replacing: 0, in: &long) }
        (long, found) = try OutboxJournal.open(disk.storage, user: "anna") { _ in }
        disk.reset()
        long.compactIfLong { found }

        #expect(disk.bytes.count > 65_536)
        #expect(disk.calls.isEmpty)
    }

    // Rule: outbox/empty-outbox-is-cut (33)
    @Test func `clearing cuts the file to its header, also on a full disk`() throws {
        let (disk, opened) = try open()
        var journal = opened
        let header = disk.bytes
        try save([1], in: &journal)
        disk.reset()
        disk.fail(with: POSIXError(.ENOSPC)) { _, name in
            name == "append" || name == "writeReplacement" ? .nothing : nil
        }

        try journal.clear()
        try journal.clear()

        #expect(disk.calls == ["truncate", "sync"])
        #expect(disk.images == [header])
        disk.reset()
        try save([2], in: &journal)
        #expect(disk.calls == ["append", "sync"])
        #expect(try disk.storage.contents().changes.map(\.id) == [id(2)])
    }

    // Rule: outbox/suspect-file-is-rewritten (26); outbox/empty-outbox-is-cut (33)
    @Test(arguments: ["truncate", "sync"])
    func `a failed cut makes the file suspect`(operation: String) throws {
        let (disk, opened) = try open()
        var journal = opened
        let header = disk.bytes
        try save([1], in: &journal)
        disk.fail { _, name in name == operation ? .everything : nil }

        let error = OutboxError(.storageFailed, operation: operation, number: EIO)
        #expect(throws: error) { try journal.clear() }
        disk.reset()
        try journal.clear()

        #expect(disk.calls == ["writeReplacement", "installReplacement"])
        #expect(disk.images == [header])
    }

    // Rule: outbox/sign-out-erases-file (34)
    @Test(arguments: [[], ["truncate"], ["sync"], ["writeReplacement"], ["installReplacement"]])
    func `erasing cuts the file, or else writes it anew`(failing: [String]) throws {
        let disk = SimulatedDisk()
        disk.fail { _, name in failing.contains(name) ? .nothing : nil }
        var (journal, _) = try OutboxJournal.open(disk.storage, user: "anna") { _ in }
        disk.fail { _, _ in nil }
        try save([1], in: &journal)
        disk.fail { _, name in failing.contains(name) ? .nothing : nil }

        try journal.erase()

        #expect(disk.images.count == 1)
        #expect(!disk.bytes.contains(UInt8(ascii: "+")))
        disk.reset()
        try save([2], in: &journal)
        #expect(try disk.storage.contents().changes.map(\.id) == [id(2)])
        #expect(disk.images.count == 1)
    }

    // Rule: outbox/sign-out-erases-file (34)
    @Test func `erasing throws if the file can be neither cut nor written anew`() throws {
        let (disk, opened) = try open()
        var journal = opened
        try save([1], in: &journal)
        disk.fail(with: POSIXError(.EROFS)) { _, name in
            name == "truncate" || name == "writeReplacement" ? .nothing : nil
        }

        #expect(throws: OutboxError(.storageFailed, operation: "truncate", number: EROFS)) {
            try journal.erase()
        }
        disk.reset()
        try journal.erase()

        #expect(disk.bytes.isEmpty)
    }

    @Test func `a storage in memory is opened again with its records, and another is empty`() throws
    {
        let storage = OutboxStorage.inMemory()
        var (journal, _) = try OutboxJournal.open(storage, user: "anna") { _ in }
        try save([1, 2], in: &journal)
        #expect(try storage.contents().changes.map(\.id) == [id(1), id(2)])

        try storage.saveDamaged(Data([1]))
        try journal.clear()

        #expect(try storage.contents() == OutboxFileContents())
        #expect(try OutboxStorage.inMemory().load().isEmpty)
    }

    private func id(_ number: Int) -> Outbox.Change.ID { Outbox.Change.numbered(number).id }

    private func contents(_ numbers: some Sequence<Int>, isLong: Bool = false) -> OutboxFileContents
    {
        OutboxFileContents(
            changes: numbers.map { number in
                isLong ? longChange(number) : .numbered(number)
            }
        )
    }

    /// Opens a new file.
    private func open() throws -> (SimulatedDisk, OutboxJournal) {
        let disk = SimulatedDisk()
        let (journal, _) = try OutboxJournal.open(disk.storage, user: "anna") { _ in }
        disk.reset()
        return (disk, journal)
    }

    private func save(
        _ numbers: [Int],
        in journal: inout OutboxJournal,
        waiting: [Int] = []
    ) throws(OutboxError) {
        let records = numbers.map { OutboxRecord.saved(.numbered($0), replacing: []) }
        try journal.append(records, isDurable: true) { contents(waiting) }
    }

    private func longChange(_ number: Int) -> Outbox.Change {
        Outbox.Change(
            id: id(number),
            edit: .createList("list", name: String(repeating: "x", count: 20_000)),
            savedAt: Date(timeIntervalSince1970: 0)
        )
    }

    private func saveLong(
        _ number: Int,
        replacing replaced: Int,
        in journal: inout OutboxJournal
    ) throws {
        let replaced = replaced > 0 ? [id(replaced)] : []
        let record = OutboxRecord.saved(longChange(number), replacing: replaced)
        try journal.append([record], isDurable: true) { OutboxFileContents() }
    }

    /// Makes the file longer than 64 KiB, and returns the numbers of the changes that wait.
    private func makeLong(_ journal: inout OutboxJournal) throws -> [Int] {
        for number in 3...6 { try saveLong(number, replacing: number - 1, in: &journal) }
        try journal.append([.removed(id(6))], isDurable: false) { OutboxFileContents() }
        try save([7], in: &journal)
        return [7]
    }
}
