import ProductKit
import Testing

// Rule: coalescing/cancelled-caller-leaves-at-once (2)
/// Plays every order of three callers that start, callers that are cancelled and a request that
/// completes, and compares the outcome with a model of the rules.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CoalescingOrdersTests {
    @Test func `every order of events has the outcome of the rules`() async throws {
        // No number of orders is a multiple of it, so the sample has every kind of order.
        let step = Orders.step(inDebugMode: 11)
        var (orders, played) = (0, 0)

        for cancelled in [[], [0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]] {
            let steps = (0..<3).map(Step.start) + cancelled.map(Step.cancel) + [.complete]
            for order in permutations(of: steps) {
                orders += 1
                guard orders.isMultiple(of: step) else { continue }
                played += 1
                var rules = Rules()
                let outcome = await play(order, rules: &rules)
                try #require(outcome == rules.outcome, "\(order)")
            }
        }

        #expect(orders == 24 + 3 * 120 + 3 * 720 + 5_040)
        print("Coalescing: \(played) orders of three callers")
    }

    /// Plays an order with a real behavior; the model only determines which callers to wait for.
    private func play(_ order: [Step], rules: inout Rules) async -> Outcome {
        let (ends, end) = AsyncStream.makeStream(of: (caller: Int, wasCancelled: Bool).self)
        let executor = SerialTaskExecutor()
        let gates = (0..<3).map { _ in ActionGate<Void>() }
        let behavior = CoalescingBehavior { "" }
        var tasks: [Int: Task<Int, any Error>] = [:]
        for step in order + [.complete] {
            switch step {
            case .start(let caller):
                let isCancelled = rules.cancelled.contains(caller)
                tasks[caller] = Task(executorPreference: executor) {
                    if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                    let response = try await behavior.send { _ in
                        defer { end.yield((caller, Task.isCancelled)) }
                        try await gates[caller].hold()
                        return NetworkResponse(statusCode: 200 + caller)
                    }
                    return response.statusCode
                }
                await executor.waitUntilIdle()
            case .cancel(let caller):
                tasks[caller]?.cancel()
            case .complete:
                guard let request = rules.request, let waiter = rules.waiters.first else { break }
                // A caller that sends its own request, against the rules, must not wait forever.
                for gate in rules.waiters.union([request]) { gates[gate].open() }
                _ = await tasks[waiter]?.result
            }
            rules.apply(step)
        }
        var outcome = Outcome()
        for (caller, task) in tasks { outcome.responses[caller] = try? await task.value - 200 }
        for await (caller, wasCancelled) in ends.prefix(rules.outcome.requests.count) {
            outcome.requests[caller] = wasCancelled
        }
        return outcome
    }

    private func permutations(of steps: [Step]) -> [[Step]] {
        guard let last = steps.last else { return [[]] }
        return permutations(of: steps.dropLast()).flatMap { order in
            (0...order.count).map { index in
                var order = order
                order.insert(last, at: index)
                return order
            }
        }
    }
}

private enum Step {
    case start(Int)
    case cancel(Int)
    case complete
}

private struct Outcome: Equatable {
    /// The caller that sent the request of each caller's response; a cancelled caller has none.
    var responses: [Int: Int] = [:]
    /// The callers that sent a request, and whether it was cancelled.
    var requests: [Int: Bool] = [:]
}

/// A model of the rules, without tasks.
private struct Rules {
    var outcome = Outcome()
    var cancelled: Set<Int> = []
    /// The caller that sent the request in flight.
    var request: Int?
    var waiters: Set<Int> = []

    mutating func apply(_ step: Step) {
        switch step {
        case .start(let caller):
            guard !cancelled.contains(caller) else { return }
            if request == nil { outcome.requests[caller] = false }
            request = request ?? caller
            waiters.insert(caller)
        case .cancel(let caller):
            cancelled.insert(caller)
            guard waiters.remove(caller) != nil, waiters.isEmpty, let request else { return }
            outcome.requests[request] = true
            self.request = nil
        case .complete:
            for waiter in waiters { outcome.responses[waiter] = request }
            waiters = []
            request = nil
        }
    }
}
