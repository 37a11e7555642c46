import Foundation
import ProductKit
import Testing

#if os(macOS) || os(Linux)
/// Processes that are killed while they save and send changes, and processes that share a directory.
@Suite(.serialized, .timeLimit(.minutes(15))) struct OutboxCrashTests {
    // Rule: outbox/failed-save-leaves-nothing (21); outbox/change-keeps-its-identifier (1)
    @Test(arguments: StorageKiller.Moment.allCases)
    func `no change is lost or doubled when a process is killed at a call of the storage`(
        moment: StorageKiller.Moment
    ) async throws {
        try await FileManager.default.withTemporaryDirectory { parent in
            let calls = try await killProcess(at: 0, moment, in: parent.appending(path: "all"))
            try #require(calls > 30)

            for call in 1...calls {
                let folder = parent.appending(path: "\(call)")
                _ = try await killProcess(at: call, moment, in: folder)
                let probe = OutboxProbe(in: folder)
                let faults = try await probe.faults()
                #expect(faults == [], "call \(call)")
            }
        }
    }

    // Rule: outbox/change-keeps-its-identifier (1); outbox/target-sends-in-order (2)
    @Test func `no change is lost or doubled in 100 processes that are killed at random times`()
        async throws
    {
        try await FileManager.default.withTemporaryDirectory { parent in
            let probe = OutboxProbe(in: parent)
            let path = parent.path(percentEncoded: false)
            for round in 1...100 {
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, round = round as Int] in
                    let probe = OutboxProbe(in: URL(filePath: path))
                    try await OutboxProcesses.saveAndDie(probe, round)
                }
                guard round % 20 == 0 else { continue }
                let faults = try await probe.faults()
                #expect(faults == [], "round \(round)")
            }

            // Half of the processes are killed after their first edit.
            #expect(probe.savedCount >= 50)
        }
    }

    // Rule: outbox/one-opener-per-user (36)
    @Test func `a directory that another process uses is in use until that process ends`()
        async throws
    {
        try await FileManager.default.withTemporaryDirectory { parent in
            let probe = OutboxProbe(in: parent)
            let outbox = probe.outbox { .isUnreachable }
            try await probe.save(1, in: "a", with: outbox)
            let path = parent.path(percentEncoded: false)

            await #expect(processExitsWith: .success) { [path = path as String] in
                let other = OutboxProbe(in: URL(filePath: path)).outbox()
                await #expect(throws: OutboxError(.inUse)) {
                    try await other.save(.setFavorite("x", to: true))
                }
                await #expect(throws: OutboxError(.inUse)) { try await other.sendAll() }
            }
            outbox.stop()
            await #expect(processExitsWith: .success) { [path = path as String] in
                let probe = OutboxProbe(in: URL(filePath: path))
                try await probe.save(2, in: "a", with: probe.outbox { .isUnreachable })
            }

            let faults = try await probe.faults()
            #expect(faults == [])
            #expect(probe.savedCount == 2)
        }
    }

    // Rule: outbox/one-opener-per-user (36); outbox/opening-is-tried-again (14)
    @Test func `three processes in one directory take turns, and lose and double no change`()
        async throws
    {
        try await FileManager.default.withTemporaryDirectory { parent in
            let path = parent.path(percentEncoded: false)
            async let one = #expect(processExitsWith: .success) { [path = path as String] in
                try await OutboxProcesses.share(OutboxProbe(in: URL(filePath: path)), number: 1)
            }
            async let two = #expect(processExitsWith: .success) { [path = path as String] in
                try await OutboxProcesses.share(OutboxProbe(in: URL(filePath: path)), number: 2)
            }
            async let three = #expect(processExitsWith: .success) { [path = path as String] in
                try await OutboxProcesses.share(OutboxProbe(in: URL(filePath: path)), number: 3)
            }
            _ = await (one, two, three)

            let probe = OutboxProbe(in: parent)
            let faults = try await probe.faults()
            #expect(faults == [])
            #expect(probe.savedCount > 0)
        }
    }

    /// Runs a process that is killed at a call of its storage, or at its end.
    ///
    /// - Returns: The number of calls until the end; 0 if the process was killed before.
    private func killProcess(
        at call: Int,
        _ moment: StorageKiller.Moment,
        in folder: URL
    ) async throws -> Int {
        let path = folder.path(percentEncoded: false)
        let momentAndCall = [moment.rawValue, call]
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, momentAndCall = momentAndCall as [Int]] in
            let moment = try #require(StorageKiller.Moment(rawValue: momentAndCall[0]))
            let killer = StorageKiller(at: momentAndCall[1], moment)
            let probe = OutboxProbe(in: URL(filePath: path))
            try await OutboxProcesses.perform(probe, killer)
            #expect(killer.closureCount == 7)
            probe.setNumber(killer.callCount, named: "calls")
            kill(getpid(), SIGKILL)
        }
        return OutboxProbe(in: folder).number(named: "calls") ?? 0
    }
}

private enum OutboxProcesses {
    /// Saves, sends and rewrites, so that each closure of the storage is called.
    static func perform(_ probe: OutboxProbe, _ killer: StorageKiller) async throws {
        let storage: @Sendable (String) throws -> OutboxStorage = { user in
            killer.storage(over: try .directory(probe.directory, user: user))
        }
        // Offline, and then online, so that the file is emptied.
        let offline = probe.outbox({ .isUnreachable }, storage: storage)
        for number in 1...6 {
            try await probe.save(number, in: number % 2 == 0 ? "a" : "b", with: offline)
        }
        offline.stop()
        let online = probe.outbox(storage: storage)
        try await online.sendAll()
        try await probe.save(7, in: "a", with: online)
        try await online.sendAll()
        online.stop()
        // With damage at the end, so that the file is written anew.
        let losing = probe.outbox({ .losesResponses }, storage: storage)
        for number in 8...10 { try await probe.save(number, in: "a", with: losing) }
        losing.stop()
        try probe.appendToFile("00001f 87357ea0")
        let repaired = probe.outbox({ .isUnreachable }, storage: storage)
        try await probe.save(11, in: "b", with: repaired)
        repaired.stop()
    }

    /// Saves as fast as it can, with a store that is sometimes unreachable and loses responses.
    static func saveAndDie(_ probe: OutboxProbe, _ round: Int) async throws {
        if round % 2 == 0 { dieSoon() }
        let outbox = probe.outbox { OutboxProbe.Store.allCases.randomElement() ?? .confirms }
        for number in 1...100_000 {
            try await probe.save(round * 100_000 + number, in: "\(number % 3)", with: outbox)
            if number % 8 == 0 { outbox.resume() }
            if round % 2 == 1, number == 1 { dieSoon() }
        }
    }

    /// Kills the process after at most 15 milliseconds.
    private static func dieSoon() {
        let delay = Int.random(in: 0...15_000)
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(delay)) {
            kill(getpid(), SIGKILL)
        }
    }

    /// Opens the outbox many times, and saves whenever no other process uses it.
    static func share(_ probe: OutboxProbe, number: Int) async throws {
        for round in 1...60 {
            let outbox = probe.outbox()
            do {
                for save in 0..<3 {
                    let value = number * 1_000_000 + round * 10 + save
                    try await probe.save(value, in: "\(number)", with: outbox)
                }
                try await outbox.sendAll()
            } catch let error as OutboxError where error.code == .inUse {
                // Another process has the directory.
            }
            outbox.stop()
        }
    }
}

extension OutboxProbe {
    /// Appends bytes to the file of the outbox, which must not be open.
    fileprivate func appendToFile(_ text: String) throws {
        let journal = FileManager.default.files(in: directory)
            .first { $0.pathExtension == "journal" }
        let file = try FileHandle(forWritingTo: #require(journal))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }
}
#endif
