import Foundation
import ProductKit
import Testing

/// A loss of power after each call of the storage, with everything that the disk may then contain.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxPowerLossTests {
    private let disk = SimulatedDisk()

    // Rule: outbox/saved-survives-power-loss (20)
    @Test func `every state of the disk contains all saved changes and nothing else`() throws {
        let (findings, count) = findings(on: disk)

        #expect(findings.isEmpty && count > 80)
    }

    // Rule: outbox/saved-survives-power-loss (20); outbox/failed-save-leaves-nothing (21)
    // Rule: outbox/suspect-file-is-rewritten (26)
    @Test(arguments: SimulatedDisk.Fault.allCases)
    func `the same is true when any call has failed`(fault: SimulatedDisk.Fault) throws {
        var run = JournalRun { disk.storage }
        run.perform(JournalRun.script)
        let step = Orders.step(inDebugMode: 3)
        var total = 0

        for index in stride(from: 0, to: disk.calls.count, by: step) {
            let disk = SimulatedDisk()
            disk.fail { call, _ in call == index ? fault : nil }
            let (findings, count) = findings(on: disk)
            #expect(findings.isEmpty, "call \(index)")
            total += count
        }

        #expect(disk.calls.count > 20 && total > 2_000 / step)
    }

    // Rule: outbox/long-file-is-rewritten (28); outbox/saved-survives-power-loss (20)
    @Test func `every state of the disk is complete while a long file is written anew`() throws {
        let name = String(repeating: "x", count: 60_000)
        let (findings, _) = findings(
            on: disk,
            in: [
                .save([.saved(.numbered(1), replacing: [])]),
                .save([.saved(.numbered(2, name: name), replacing: [])]),
                .remove(2),
                .save([.saved(.numbered(5, name: name), replacing: [])]),
                .remove(5),
                .compact,
                .save([.saved(.numbered(6), replacing: [])]),
            ]
        )

        #expect(disk.calls.filter { $0 == .writeReplacement }.count == 2)
        #expect(disk.bytes.count < 1_000 && findings.isEmpty)
    }

    private func findings(
        on disk: SimulatedDisk,
        in script: [JournalRun.Step] = JournalRun.script
    ) -> (findings: [String], count: Int) {
        JournalRun.findings(in: script, images: { disk.images }, storage: { disk.storage })
    }
}
