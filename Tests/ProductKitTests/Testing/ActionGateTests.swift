import ProductKit
import Testing

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct ActionGateTests {
    private let gate = ActionGate<Void>()

    // Rule: testing/calls-are-counted-once (3)
    @Test func `each call is counted once, also after it has ended`() async throws {
        gate.open()
        for _ in 0..<3 { try await gate.hold() }

        try await Task<Void, any Error> { await gate.waitForCalls(1) }.promptValue
        try await Task<Void, any Error> { await gate.waitForCalls(2) }.promptValue

        let (executor, returned) = (SerialTaskExecutor(), Counter())
        Task(executorPreference: executor) { [gate] in
            await gate.waitForCalls(1)
            returned.next()
        }
        await executor.waitUntilIdle()
        #expect(returned.count == 0)
        try await gate.hold()
        #expect(await eventually { returned.count == 1 })
    }

    // Rule: testing/held-call-ends-by-test (1)
    @Test func `calls end in the order in which the test releases them`() async throws {
        let gate = ActionGate<String>()
        var ended: [String] = []
        let calls = (0..<3).map { number in
            Task { ended.append("\(number) \(try await gate.hold())") }
        }
        await gate.waitForCalls(3)
        #expect(gate.count == 3 && ended.isEmpty)

        for (position, number) in [(1, 1), (1, 2), (0, 0)] {
            try gate.release(returning: "at \(position)", at: position)
            try await calls[number].promptValue
        }

        #expect(ended == ["1 at 1", "2 at 1", "0 at 0"] && gate.count == 0)
    }

    // Rule: testing/held-call-ends-by-test (1)
    @Test func `a call is held without leaving the actor of its caller, and throws its error`()
        async throws
    {
        let call = await started { try await gate.hold() }
        #expect(gate.count == 1)

        try gate.release(throwing: Offline())

        await #expect(throws: Offline()) { try await call.promptValue }
    }

    // Rule: testing/held-call-ends-by-test (1)
    @Test func `an open gate lets held and later calls return`() async throws {
        let gate = ActionGate<Int>()
        let calls = (0..<2).map { _ in Task { try await gate.hold() } }
        await gate.waitForCalls(2)

        gate.open(returning: 7)

        for call in calls { #expect(try await call.promptValue == 7) }
        #expect(try await started { try await gate.hold() }.promptValue == 7)
        gate.open(returning: 8)
        #expect(try await started { try await gate.hold() }.promptValue == 8)
        #expect(gate.count == 0)
    }

    // Rule: testing/cancelled-call-is-not-held (2)
    @Test func `a held call whose task is cancelled throws and is not held any longer`()
        async throws
    {
        let cancelled = Task { try await gate.hold() }
        await gate.waitForCalls(1)
        let other = Task { try await gate.hold() }
        await gate.waitForCalls(1)

        cancelled.cancel()

        await #expect(throws: CancellationError.self) { try await cancelled.promptValue }
        #expect(gate.count == 1)
        try gate.release()
        try await other.promptValue
    }

    // Rule: testing/cancelled-call-is-not-held (2)
    @Test(arguments: [false, true])
    func `a call of a cancelled task throws at once`(isOpen: Bool) async {
        if isOpen { gate.open() }

        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await gate.hold()
        }

        await #expect(throws: CancellationError.self) { try await call.promptValue }
        await gate.waitForCalls(1)
        #expect(gate.count == 0)
    }

    // Rule: testing/cancelled-call-is-not-held (2)
    @Test(arguments: [true, false])
    func `a gate that ignores cancellation holds the call of a cancelled task`(
        isCancelledBefore: Bool
    ) async throws {
        let gate = ActionGate<String>(ignoresCancellation: true)
        let call = await started {
            if isCancelledBefore { withUnsafeCurrentTask { $0?.cancel() } }
            return try await gate.hold()
        }

        call.cancel()
        #expect(gate.count == 1)
        try gate.release(returning: "late")

        #expect(try await call.promptValue == "late")
    }

    // Rule: testing/calls-are-counted-once (3)
    @Test func `tasks that wait are served in the order in which they wait`() async throws {
        gate.open()
        let (executor, returned) = (SerialTaskExecutor(), Lines())
        for count in [2, 1] {
            Task(executorPreference: executor) { [gate] in
                await gate.waitForCalls(count)
                returned.add("\(count)")
            }
        }
        await executor.waitUntilIdle()

        for _ in 0..<2 { try await gate.hold() }

        await executor.waitUntilIdle()
        #expect(returned.all == ["2"])
        try await gate.hold()
        #expect(await eventually { returned.all == ["2", "1"] })
    }

    // Rule: testing/calls-are-counted-once (3)
    @Test func `the wait of a cancelled task counts no call`() async throws {
        gate.open()
        try await gate.hold()

        let cancelled = await started {
            withUnsafeCurrentTask { $0?.cancel() }
            await gate.waitForCalls(1)
        }
        try await cancelled.promptValue

        try await started { await gate.waitForCalls(1) }.promptValue
    }

    // Rule: testing/calls-are-counted-once (3)
    @Test func `a cancelled wait returns and counts no call`() async throws {
        gate.open()
        let cancelled = await started { await gate.waitForCalls(2) }
        let next = await started { await gate.waitForCalls(1) }
        try await gate.hold()

        cancelled.cancel()

        try await cancelled.promptValue
        try await next.promptValue
    }

    // Rule: testing/release-needs-held-call (4)
    @Test func `releasing a call that is not held throws the number of held calls`() async throws {
        #expect(throws: NoHeldCall.self) { try gate.release() }
        let call = Task { try await gate.hold() }
        await gate.waitForCalls(1)

        let error = #expect(throws: NoHeldCall.self) { try gate.release(at: 1) }

        #expect(
            error?.errorDescription
                == """
                No call is held at position 1: the gate holds 1. Wait for the call with \
                waitForCalls before releasing it. An open gate and a cancelled task hold no call.
                """
        )
        try gate.release()
        try await call.promptValue
    }
}
