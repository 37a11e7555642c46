import ProductKit
import Testing

/// Writes to one list at the same time, which `ListLines` carries out one after another.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SequentialWritesTests {
    // Rule: favorites/writes-are-sequential (8)
    @Test func `additions to one list at the same time meet no conflict`() async throws {
        let list = VersionedList()

        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask { try await list.lines.add(Product.ID("\(number)"), to: "camp") }
            }
            try await group.waitForAll()
        }

        #expect(list.lineCount == 8)
        #expect(list.reads.count == 8)
    }

    // Rule: favorites/writes-are-sequential (8)
    @Test func `writes to one list are carried out in the order of the calls`() async throws {
        let gate = ActionGate<Void>()
        let list = VersionedList { try await gate.hold() }
        let executor = SerialTaskExecutor()
        let writes = (0..<4).map { number in
            Task(executorPreference: executor) {
                try await list.lines.add(Product.ID("\(number)"), to: "camp")
            }
        }
        await gate.waitForCalls(1)
        await executor.waitUntilIdle()
        gate.open()
        for write in writes { try await write.value }

        #expect(try await list.lines.list("camp").products == ["0", "1", "2", "3"])
    }

    // Rule: favorites/writes-are-sequential (8)
    @Test func `a write that is cancelled while it waits throws immediately`() async throws {
        let gate = ActionGate<Void>()
        let list = VersionedList { try await gate.hold() }
        let first = Task { try await list.lines.add("pan", to: "camp") }
        await gate.waitForCalls(1)
        let executor = SerialTaskExecutor()
        let second = Task(executorPreference: executor) {
            try await list.lines.add("pot", to: "camp")
        }
        await executor.waitUntilIdle()

        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        let third = Task(executorPreference: executor) {
            try await list.lines.add("knife", to: "camp")
        }
        await executor.waitUntilIdle()
        #expect(list.reads.count == 1)
        gate.open()
        try await first.value
        try await third.value

        #expect(list.lineCount == 2)
    }

    // Rule: favorites/writes-are-sequential (8)
    @MainActor @Test func `a cancelled task does not wait for another write`() async throws {
        let gate = ActionGate<Void>()
        let list = VersionedList { try await gate.hold() }
        let first = Task { try await list.lines.add("pan", to: "camp") }
        await gate.waitForCalls(1)
        let second = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await list.lines.add("pot", to: "camp")
        }

        await #expect(throws: CancellationError.self) { try await second.promptValue }
        gate.open()
        try await first.value
    }
}
