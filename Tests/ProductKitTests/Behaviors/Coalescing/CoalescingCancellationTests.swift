import ProductKit
import Testing

/// Examples of the rule; ``CoalescingOrdersTests`` plays every order of three callers.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CoalescingCancellationTests {
    private let behavior = CoalescingBehavior { "" }
    private let executor = SerialTaskExecutor()
    private let cancellations = AsyncStream.makeStream(of: Void.self)
    private let sends = Counter()
    private let gate = ActionGate<Void>()

    // Rule: coalescing/cancelled-caller-leaves-at-once (2)
    @Test(arguments: [[0], [15], Array(0..<15), Array(1..<16)])
    func `a cancelled caller throws immediately and the others get the response`(
        leaving: [Int]
    ) async throws {
        let tasks = await load(16)

        for index in leaving { tasks[index].cancel() }
        for index in leaving {
            await #expect(throws: CancellationError.self) { try await tasks[index].value }
        }
        cancellations.continuation.finish()
        #expect(await cancellations.stream.count == 0)
        gate.open()

        for index in Set(tasks.indices).subtracting(leaving) {
            #expect(try await tasks[index].value.statusCode == 201)
        }
        #expect(sends.count == 1)
    }

    // Rule: coalescing/cancelled-caller-leaves-at-once (2)
    @Test(arguments: [1, 3])
    func `cancelling the last caller cancels the request, and a later caller starts a new one`(
        count: Int
    ) async throws {
        let cancelled = await load(count)

        for task in cancelled { task.cancel() }
        let later = await load(2)
        for task in cancelled {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        cancellations.continuation.finish()
        #expect(await cancellations.stream.count == 1)
        gate.open()

        for task in later { #expect(try await task.value.statusCode == 202) }
        #expect(sends.count == 2)
    }

    // Rule: coalescing/cancelled-caller-leaves-at-once (2)
    @Test func `a cancellation that the request throws reaches all callers`() async throws {
        let tasks = (0..<3).map { _ in
            Task(executorPreference: executor) {
                try await behavior.send { _ in
                    try await gate.hold()
                    throw CancellationError()
                }
            }
        }
        await executor.waitUntilIdle()

        gate.open()

        for task in tasks {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    // Rule: coalescing/cancelled-caller-leaves-at-once (2)
    @Test func `callers and cancellations in any order all end`() async throws {
        let tasks = (0..<1_000).map { _ in
            Task { try await behavior.send { _ in NetworkResponse(statusCode: sends.next()) } }
        }
        for (index, task) in tasks.enumerated() where index.isMultiple(of: 3) { task.cancel() }

        for (index, task) in tasks.enumerated() {
            let result = await task.result
            if index.isMultiple(of: 3), case .failure(let error) = result {
                #expect(error is CancellationError)
            } else {
                #expect(try (1...sends.count).contains(result.get().statusCode))
            }
        }
    }

    /// Starts requests and returns when their callers wait; the first status code is 201.
    private func load(_ count: Int) async -> [Task<NetworkResponse, any Error>] {
        let tasks = (0..<count).map { _ in
            Task(executorPreference: executor) {
                try await behavior.send { _ in
                    let number = sends.next()
                    try await withTaskCancellationHandler {
                        try await gate.hold()
                    } onCancel: {
                        cancellations.continuation.yield()
                    }
                    return NetworkResponse(statusCode: 200 + number)
                }
            }
        }
        await executor.waitUntilIdle()
        await gate.waitForCalls(1)
        return tasks
    }
}
