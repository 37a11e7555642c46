import Testing

/// The orders of its steps that a model checker runs.
enum Orders {
    /// Every order, each once.
    case every
    /// A number of random orders, the same in each test run.
    case random(Int)

    /// Runs a model checker with each order, and expects that no run fails.
    ///
    /// It ends early after three failed runs.
    ///
    /// - Parameters:
    ///   - name: The name of the steps, to print with the number of orders.
    ///   - minimum: The minimum number of orders that must be possible.
    ///   - run: Runs a new model checker, and describes the invariants that it has violated; `nil` if
    ///     there are none.
    @MainActor func run(
        named name: String,
        atLeast minimum: Int,
        _ run: @MainActor (inout OrderChoice) async -> String?
    ) async {
        var (count, failedRuns) = (0, 0)
        var choices = OrderChoice(self)
        while choices.next(), failedRuns < 3 {
            let violations = await run(&choices)
            count += 1
            guard let violations else { continue }
            failedRuns += 1
            Issue.record("\(name): \(violations)")
        }
        #expect(failedRuns == 0 && !choices.hasStrayed)
        if case .every = self { #expect(count >= minimum) }
        print("\(name): \(count) orders, \(failedRuns) failed runs")
    }
}

extension Orders {
    /// Every order in release mode; 100 random ones in debug mode, in which all would take minutes.
    static var everyOrSample: Orders {
        #if DEBUG
        .random(100)
        #else
        .every
        #endif
    }

    /// The step between the cases of a test that plays all of them in release mode: 1, and `step` in
    /// debug mode.
    static func step(inDebugMode step: Int) -> Int {
        #if DEBUG
        step
        #else
        1
        #endif
    }

    /// The number of runs with random choices: `count` in release mode, and at most 100 in debug mode.
    static func randomRuns(_ count: UInt64) -> UInt64 {
        #if DEBUG
        min(count, 100)
        #else
        count
        #endif
    }
}

/// The choices of the runs of ``Orders``.
struct OrderChoice: Choosing {
    private var every = EveryChoice()
    private var random = SeededChoice(seed: 0)
    private let orders: Orders
    private var count = 0

    fileprivate init(_ orders: Orders) {
        self.orders = orders
    }

    /// Whether the same choices have led to different runs.
    var hasStrayed: Bool { every.hasStrayed }

    mutating func choose(of count: Int) -> Int {
        switch orders {
        case .every: every.choose(of: count)
        case .random: random.choose(of: count)
        }
    }

    /// Prepares the next run; returns `false` when there is none.
    fileprivate mutating func next() -> Bool {
        defer { count += 1 }
        switch orders {
        case .every: return count == 0 || !hasStrayed && every.next()
        case .random(let maximum):
            random = SeededChoice(seed: UInt64(count))
            return count < maximum
        }
    }
}
