import ProductKit
import Testing

// Rule: coalescing/cancelled-caller-leaves-at-once (2)
/// All orders in which three callers can ask and be cancelled and a request can finish, each
/// compared with what the rules say.
@Suite(.timeLimit(.minutes(5)))
struct CoalescingOrdersTests {
    @Test func `three callers are treated by the rules in every order of events`() async throws {
        var orders = 0

        for cancelled in [[], [0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]] {
            let steps = (0..<3).map(Step.ask) + cancelled.map(Step.cancel) + [.finish]
            for order in permutations(of: steps) {
                orders += 1
                var rules = Rules()
                let outcome = await play(order, rules: &rules)
                try #require(outcome == rules.outcome, "\(order)")
            }
        }

        #expect(orders == 24 + 3 * 120 + 3 * 720 + 5_040)
        print("Coalescing: \(orders) orders of three callers")
    }

    /// Plays an order for real; the rules tell only whom to wait for.
    private func play(_ order: [Step], rules: inout Rules) async -> Outcome {
        let (ends, end) = AsyncStream.makeStream(of: (caller: Int, wasCancelled: Bool).self)
        let lane = Lane()
        let gates = (0..<3).map { _ in Gate() }
        let behavior = CoalescingBehavior()
        var tasks: [Int: Task<Int, any Error>] = [:]
        for step in order + [.finish] {
            switch step {
            case .ask(let caller):
                let isCancelled = rules.cancelled.contains(caller)
                tasks[caller] = Task(executorPreference: lane) {
                    if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                    let response = try await behavior.send { _ in
                        defer { end.yield((caller, Task.isCancelled)) }
                        try await gates[caller].pass()
                        return NetworkResponse(statusCode: 200 + caller)
                    }
                    return response.statusCode
                }
                await lane.settle()
            case .cancel(let caller):
                tasks[caller]?.cancel()
            case .finish:
                guard let flight = rules.flight, let waiter = rules.waiters.first else { break }
                // Who waits for a request of their own, against the rules, must not wait for ever.
                for gate in rules.waiters.union([flight]) { gates[gate].open() }
                _ = await tasks[waiter]?.result
            }
            rules.apply(step)
        }
        var outcome = Outcome()
        for (caller, task) in tasks { outcome.answers[caller] = try? await task.value - 200 }
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
    case ask(Int)
    case cancel(Int)
    case finish
}

private struct Outcome: Equatable {
    /// Whose request brought each caller's answer; a cancelled caller has none.
    var answers: [Int: Int] = [:]
    /// Who began a request, and whether it was cancelled.
    var requests: [Int: Bool] = [:]
}

/// The rules as they are written, without tasks.
private struct Rules {
    var outcome = Outcome()
    var cancelled: Set<Int> = []
    var flight: Int?
    var waiters: Set<Int> = []

    mutating func apply(_ step: Step) {
        switch step {
        case .ask(let caller):
            guard !cancelled.contains(caller) else { return }
            if flight == nil { outcome.requests[caller] = false }
            flight = flight ?? caller
            waiters.insert(caller)
        case .cancel(let caller):
            cancelled.insert(caller)
            guard waiters.remove(caller) != nil, waiters.isEmpty, let flight else { return }
            outcome.requests[flight] = true
            self.flight = nil
        case .finish:
            for waiter in waiters { outcome.answers[waiter] = flight }
            waiters = []
            flight = nil
        }
    }
}
