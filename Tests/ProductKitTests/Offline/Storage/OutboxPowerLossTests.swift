import Foundation
import ProductKit
import Synchronization
import Testing

/// A loss of power after each call of the storage, with everything that the disk may then contain.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxPowerLossTests {
    // Rule: outbox/saved-survives-power-loss (20)
    @Test func `every state of the disk contains all saved changes and nothing else`() throws {
        let (findings, count) = findings(in: JournalRun.script) { _ in }

        #expect(findings.isEmpty)
        #expect(count > 80)
    }

    // Rule: outbox/saved-survives-power-loss (20); outbox/failed-save-leaves-nothing (21)
    // Rule: outbox/suspect-file-is-rewritten (26)
    @Test(arguments: SimulatedDisk.Fault.allCases)
    func `the same is true when any call has failed`(fault: SimulatedDisk.Fault) throws {
        let disk = SimulatedDisk()
        var run = JournalRun(disk.storage)
        run.perform(JournalRun.script)
        let callCount = disk.calls.count
        var total = 0

        for index in stride(from: 0, to: callCount, by: Orders.step(inDebugMode: 3)) {
            let (findings, count) = findings(in: JournalRun.script) { disk in
                disk.fail { call, _ in call == index ? fault : nil }
            }
            #expect(findings.isEmpty, "call \(index)")
            total += count
        }

        #expect(callCount > 20)
        #expect(total > 2_000 / Orders.step(inDebugMode: 3))
    }

    // Rule: outbox/long-file-is-rewritten (28); outbox/saved-survives-power-loss (20)
    @Test func `every state of the disk is complete while a long file is written anew`() throws {
        let name = String(repeating: "x", count: 60_000)
        let script: [JournalRun.Step] = [
            .save([.saved(.numbered(1), replacing: [])]),
            .save([.saved(.numbered(2, name: name), replacing: [])]),
            .remove(2),
            .save([.saved(.numbered(5, name: name), replacing: [])]),
            .remove(5),
            .compact,
            .save([.saved(.numbered(6), replacing: [])]),
        ]
        let disk = SimulatedDisk()
        var run = JournalRun(disk.storage)

        run.perform(script)
        let (findings, _) = findings(in: script) { _ in }

        #expect(disk.calls.filter { $0 == "writeReplacement" }.count == 2)
        #expect(disk.bytes.count < 1_000)
        #expect(findings.isEmpty)
    }

    /// Performs a script and, after each call of the storage, opens every state of the disk.
    private func findings(
        in script: [JournalRun.Step],
        prepare: (SimulatedDisk) -> Void
    ) -> (findings: [String], count: Int) {
        let disk = SimulatedDisk()
        prepare(disk)
        let states = Mutex([JournalModel()])
        let images = Mutex<[(call: Int, states: [JournalModel], images: Set<[UInt8]>)]>([])
        let record: @Sendable () -> Void = {
            let current = states.withLock { $0 }
            let new = (disk.calls.count, current, disk.images)
            images.withLock { $0.append(new) }
        }
        disk.observe(record)
        var run = JournalRun(disk.storage)
        run.perform(script) { run in
            states.withLock { $0 = run.states }
            if run.states.count == 1 { record() }
        }
        var findings: [String] = []
        var count = 0
        for (call, states, images) in images.withLock({ $0 }) {
            for image in images {
                count += 1
                let found = try? SimulatedDisk(image).storage.contents()
                if let found, states.contains(where: { $0.allows(found) }) { continue }
                let text = String(decoding: image, as: UTF8.self)
                findings.append("after call \(call) of \(disk.calls): \(text)")
            }
        }
        return (findings, count)
    }
}
