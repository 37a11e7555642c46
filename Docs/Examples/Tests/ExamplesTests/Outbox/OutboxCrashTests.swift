import Foundation
import ProductKit
import Testing

#if os(macOS) || os(Linux)
/// Processes that are killed while they save and send changes, and processes that share a directory.
@Suite(.serialized, .timeLimit(.minutes(15))) struct OutboxCrashTests {
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
            await outbox.stop()
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
}

private enum OutboxProcesses {
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
            await outbox.stop()
        }
    }
}
#endif
