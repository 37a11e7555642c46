import Foundation
import ProductKit
import Testing

/// The calls of the storage that a journal makes, and what it does when they fail.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxJournalTests {
    /// A new file, whose calls are counted after it was opened.
    private var file: OpenJournal

    init() throws {
        file = try OpenJournal(SimulatedDisk())
        file.disk.reset()
    }

    private var disk: SimulatedDisk { file.disk }

    // Rule: outbox/saved-survives-power-loss (20)
    @Test
    mutating func `a durable record needs one append and one sync, for any number of records`()
        throws
    {
        try file.save(1, 2, 3)
        try file.append([.removed(Outbox.Change.numbered(1).id)], isDurable: false)
        try file.append([])

        #expect(disk.calls == [.append, .sync, .append, .sync])
        #expect(try file.saved == [2, 3])
    }

    // Rule: outbox/other-files-are-unchanged (25)
    @Test func `a new file gets its header when it is opened, and is then only read`() throws {
        let disk = SimulatedDisk()

        #expect(try disk.storage.contents() == OutboxFileContents())
        let bytes = disk.bytes
        #expect(try disk.storage.contents() == OutboxFileContents())

        let header = #" {"record":"header","user":"anna","version":1}"#
        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix(header + "\n"))
        #expect(disk.bytes == bytes)
        #expect(disk.calls == [.load, .writeReplacement, .installReplacement, .load])
    }

    // Rule: outbox/storage-failure-is-reported (27)
    @Test(
        arguments: [.append, .sync, .load] as [OutboxStorage.Operation],
        [
            (POSIXError(.ENOSPC), nil, ENOSPC), (CancellationError(), nil, EIO),
            (OutboxError(.inUse, operation: "mine"), OutboxError(.inUse, operation: "mine"), 0),
        ] as [(any Error & Sendable, OutboxError?, Int32)]
    )
    mutating func `an error of the storage has the name of the operation and the system's number`(
        operation: OutboxStorage.Operation,
        failure: (error: any Error & Sendable, ofOutbox: OutboxError?, number: Int32)
    ) throws {
        disk.fail(operation, with: failure.error, doing: .half)

        let expected = OutboxError(operation, number: failure.number)
        #expect(throws: failure.ofOutbox ?? expected) {
            if operation == .load { _ = try OpenJournal(disk) } else { try file.save(1) }
        }
    }

    // Rule: outbox/failed-save-leaves-nothing (21)
    @Test(arguments: SimulatedDisk.Fault.allCases)
    mutating func `a failed append is cut off, and the file is not suspect`(
        fault: SimulatedDisk.Fault
    ) throws {
        try file.save(1)
        disk.reset()
        disk.fail { index, _ in index == 0 ? fault : nil }

        #expect(throws: OutboxError.self) { try file.save(2) }
        #expect(disk.calls == [.append, .truncate, .sync])
        #expect(try file.saved == [1])
        disk.reset()
        try file.save(3)

        #expect(disk.calls == [.append, .sync])
        #expect(try file.saved == [1, 3])
    }

    // Rule: outbox/suspect-file-is-rewritten (26); outbox/failed-save-leaves-nothing (21)
    @Test mutating func `a failed sync is followed by writing the file anew`() throws {
        disk.fail { index, _ in index == 1 ? .nothing : nil }

        #expect(throws: OutboxError.self) { try file.save(1) }
        let repair: [OutboxStorage.Operation] = [
            .truncate, .sync, .writeReplacement, .installReplacement,
        ]
        #expect(disk.calls == [.append, .sync] + repair)
        #expect(disk.images.count == 1)
        disk.reset()
        try file.save(2)

        #expect(disk.calls == [.append, .sync])
        #expect(try file.saved == [2])
    }

    // Rule: outbox/suspect-file-is-rewritten (26)
    @Test(
        arguments: [(.sync, .writeReplacement), (.append, .truncate), (.append, .sync)]
            as [(OutboxStorage.Operation, OutboxStorage.Operation)]
    )
    mutating func `a suspect file is written anew before the next record`(
        first: OutboxStorage.Operation,
        second: OutboxStorage.Operation
    ) throws {
        try file.save(1)
        disk.fail(first, second, .installReplacement)
        #expect(throws: OutboxError.self) { try file.save(2, waiting: [1]) }

        disk.reset()
        disk.fail(.writeReplacement, doing: .half)
        let error = OutboxError(.writeReplacement, number: EIO)
        #expect(throws: error) { try file.save(3, waiting: [1]) }
        #expect(disk.calls == [.writeReplacement])
        disk.reset()
        try file.save(4, waiting: [1])

        #expect(disk.calls == [.writeReplacement, .installReplacement, .append, .sync])
        #expect(try file.saved == [1, 4])
        #expect(disk.images.count == 1)
    }

    // Rule: outbox/suspect-file-is-rewritten (26)
    @Test(arguments: [SimulatedDisk.Fault.nothing, .everything])
    mutating func `a failed installation makes the file suspect`(
        fault: SimulatedDisk.Fault
    ) throws {
        try makeLong()
        disk.fail(.installReplacement, doing: fault)

        file.compactIfLong(waiting: [.numbered(7)])
        disk.reset()
        try file.save(9, waiting: [7])

        #expect(disk.calls == [.writeReplacement, .installReplacement, .append, .sync])
        #expect(try file.saved == [7, 9])
    }

    // Rule: outbox/removed-file-is-recreated (32)
    @Test(arguments: [.append, .sync] as [OutboxStorage.Operation])
    mutating func `a file that was removed is written anew, and the record is saved`(
        operation: OutboxStorage.Operation
    ) throws {
        try file.save(1)
        disk.reset()
        disk.fail(with: POSIXError(.ESTALE)) { index, name in
            name == operation && index < 2 ? .nothing : nil
        }

        try file.save(2, waiting: [1])

        #expect(
            disk.calls.suffix(4) == [.writeReplacement, .installReplacement, .append, .sync]
        )
        #expect(try file.saved == [1, 2])
        disk.reset()
        try file.save(3)
        #expect(disk.calls == [.append, .sync])
    }

    // Rule: outbox/removed-file-is-recreated (32); outbox/failed-save-leaves-nothing (21)
    @Test(
        arguments: [.append, .sync, .writeReplacement, .installReplacement, .truncate]
            as [OutboxStorage.Operation]
    )
    mutating func `a record is not found if saving it in a removed file fails`(
        operation: OutboxStorage.Operation
    ) throws {
        disk.fail(with: POSIXError(.ESTALE)) { index, name in
            index == 0 || name == operation ? .everything : nil
        }
        // Saving in a removed file cuts nothing.
        let isSaved = operation == .truncate

        if isSaved {
            try file.save(2)
        } else {
            #expect(throws: OutboxError.self) { try file.save(2) }
        }
        disk.reset()
        try file.save(3, waiting: isSaved ? [2] : [])

        #expect(try file.saved == (isSaved ? [2, 3] : [3]))
    }

    // Rule: outbox/long-file-is-rewritten (28)
    @Test mutating func `a file is written anew at more than 64 KiB and four times its length`()
        throws
    {
        var lengths: [Int] = []
        // Two of 20,000 bytes wait, and each is replaced by a new one.
        for number in 1...40 {
            try saveLong(number, replacing: number - 2)
            let length = disk.bytes.count
            disk.reset()
            file.compactIfLong(waiting: [number - 1, number].filter { $0 > 0 }.map(longChange))
            if !disk.calls.isEmpty { lengths.append(length) }
        }

        #expect(lengths.count == 7)
        // First it is longer than 64 KiB, then longer than four times two records.
        #expect(lengths.first.map { (65_537...(65_536 + 21_000)).contains($0) } == true)
        #expect(lengths.dropFirst().allSatisfy { (160_000...190_000).contains($0) })
    }

    // Rule: outbox/long-file-is-rewritten (28)
    @Test mutating func `a file that could not be written anew is tried at twice the length`()
        throws
    {
        try makeLong()
        let (length, waiting) = (disk.bytes.count, [7, 9].map { Outbox.Change.numbered($0) })
        disk.reset()
        disk.fail(.writeReplacement, with: POSIXError(.ENOSPC), doing: .half)

        for _ in 0..<2 { file.compactIfLong(waiting: [waiting[0]]) }
        #expect(disk.calls == [.writeReplacement])
        try file.save(9, waiting: [7])
        #expect(disk.calls == [.writeReplacement, .append, .sync])
        var number = 10
        while disk.bytes.count <= 2 * length {
            disk.reset()
            file.compactIfLong(waiting: waiting)
            #expect(disk.calls.isEmpty)
            try saveLong(number, replacing: number - 1)
            number += 1
        }
        file.compactIfLong(waiting: waiting)

        #expect(disk.bytes.count < 1_000)
        #expect(try disk.storage.contents() == OutboxFileContents(changes: waiting))
    }

    // Rule: outbox/long-file-is-rewritten (28)
    @Test mutating func `the length of the records that count is known when a file is opened`()
        throws
    {
        for number in 1...8 { try saveLong(number, replacing: number - 1) }
        file = try OpenJournal(disk)
        #expect(file.contents.changes.count == 1)

        disk.reset()
        file.compactIfLong(waiting: file.contents.changes)
        #expect(disk.calls == [.writeReplacement, .installReplacement])
        for number in 11...13 { try saveLong(number, replacing: 0) }
        file = try OpenJournal(disk)
        disk.reset()
        file.compactIfLong(waiting: file.contents.changes)

        #expect(disk.bytes.count > 65_536)
        #expect(disk.calls.isEmpty)
    }

    // Rule: outbox/empty-outbox-is-cut (33)
    @Test mutating func `clearing cuts the file to its header, also on a full disk`() throws {
        let header = disk.bytes
        try file.save(1)
        disk.reset()
        disk.fail(.append, .writeReplacement, with: POSIXError(.ENOSPC))

        for _ in 0..<2 { try file.clear() }

        #expect(disk.calls == [.truncate, .sync])
        #expect(disk.images == [header])
        disk.reset()
        try file.save(2)
        #expect(disk.calls == [.append, .sync])
        #expect(try file.saved == [2])
    }

    // Rule: outbox/suspect-file-is-rewritten (26); outbox/empty-outbox-is-cut (33)
    @Test(arguments: [.truncate, .sync] as [OutboxStorage.Operation])
    mutating func `a failed cut makes the file suspect`(
        operation: OutboxStorage.Operation
    ) throws {
        let header = disk.bytes
        try file.save(1)
        disk.fail(operation, doing: .everything)

        let error = OutboxError(operation, number: EIO)
        #expect(throws: error) { try file.clear() }
        disk.reset()
        try file.clear()

        #expect(disk.calls == [.writeReplacement, .installReplacement])
        #expect(disk.images == [header])
    }

    // Rule: outbox/sign-out-erases-file (34)
    @Test(
        arguments: [nil, .truncate, .sync, .writeReplacement, .installReplacement]
            as [OutboxStorage.Operation?]
    )
    func `erasing cuts the file, or else writes it anew`(
        failing: OutboxStorage.Operation?
    ) throws {
        let disk = SimulatedDisk()
        if let failing { disk.fail(failing) }
        var file = try OpenJournal(disk)
        disk.reset()
        try file.save(1)
        if let failing { disk.fail(failing) }

        try file.erase()

        #expect(disk.images.count == 1)
        #expect(!disk.bytes.contains(UInt8(ascii: "+")))
        disk.reset()
        try file.save(2)
        #expect(try file.saved == [2])
        #expect(disk.images.count == 1)
    }

    // Rule: outbox/sign-out-erases-file (34)
    @Test mutating func `erasing throws if the file can be neither cut nor written anew`() throws {
        try file.save(1)
        disk.fail(.truncate, .writeReplacement, with: POSIXError(.EROFS))

        #expect(throws: OutboxError(.truncate, number: EROFS)) {
            try file.erase()
        }
        disk.reset()
        try file.erase()

        #expect(disk.bytes.isEmpty)
    }

    private func longChange(_ number: Int) -> Outbox.Change {
        Outbox.Change(
            id: Outbox.Change.numbered(number).id,
            edit: .createList("list", name: String(repeating: "x", count: 20_000)),
            savedAt: Date(timeIntervalSince1970: 0)
        )
    }

    private mutating func saveLong(_ number: Int, replacing replaced: Int) throws {
        let replaced = replaced > 0 ? [Outbox.Change.numbered(replaced).id] : []
        try file.append([.saved(longChange(number), replacing: replaced)])
    }

    /// Makes the file longer than 64 KiB; then the change 7 waits.
    private mutating func makeLong() throws {
        for number in 3...6 { try saveLong(number, replacing: number - 1) }
        try file.append([.removed(Outbox.Change.numbered(6).id)], isDurable: false)
        try file.save(7)
    }
}
