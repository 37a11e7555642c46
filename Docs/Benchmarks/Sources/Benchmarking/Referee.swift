/// Measures a subject and its peer in alternating order, so that other load affects both.
@MainActor public struct Referee {
    /// Code that repeats an operation as often as its argument specifies.
    public typealias Block = @MainActor (Int) async throws -> Void

    /// The task of the referee.
    enum Order {
        /// Measure times and count.
        case measure(Effort)
        /// Count without measuring times.
        case count
        /// Run only the subject, for a profiler.
        case show(Int?)
    }

    /// The times of one round, in nanoseconds for each operation.
    private struct Turn {
        var subject = 0.0
        var peer = 0.0
    }

    /// The CPU time of a block in seconds, if it has no fixed number of operations.
    private static let blockTime = 0.004
    /// The number of counted operations, if a block has no fixed number.
    private static let countedOperations = 1_000

    private let order: Order
    private let hasCountLimits: Bool

    /// Creates a referee for a benchmark.
    init(_ order: Order, for benchmark: Benchmark) {
        self.order = order
        hasCountLimits = !benchmark.limits(for: .exact).isEmpty
    }

    /// Compares the cost of two blocks.
    ///
    /// - Parameters:
    ///   - turns: The maximum number of rounds for long operations; `nil` for no maximum.
    ///   - count: The operations in a block; `nil` for as many as take some milliseconds.
    ///   - subject: The code to measure.
    ///   - peer: The code to compare with. It should produce the same result.
    ///   - whole: A larger operation that contains the subject. The difference between subject and
    ///     peer is added to its time, because it is smaller than the noise of that time.
    /// - Returns: Time, ratio, and what the platform counts.
    /// - Throws: Any error of a block.
    public func compare(
        turns: Int? = nil,
        operationsPerTurn count: Int? = nil,
        _ subject: Block,
        with peer: Block,
        asPartOf whole: Block? = nil
    ) async throws -> [Figure] {
        switch order {
        case .show(let count):
            return try await [Figure(.time, time(of: subject, count ?? 1_000))]
        case .count:
            return try await counted(subject, peer, count ?? Self.countedOperations)
        case .measure(let effort):
            var counts = [count ?? 0, count ?? 0]
            if count == nil {
                counts[0] = try await operations(of: subject, taking: Self.blockTime)
                counts[1] = try await operations(of: peer, taking: Self.blockTime)
            }
            var times: [Turn] = []
            for round in 0...min(effort.rounds, (turns ?? effort.rounds) * effort.patience) {
                var turn = Turn()
                if round.isMultiple(of: 2) { turn.peer = try await time(of: peer, counts[1]) }
                turn.subject = try await time(of: subject, counts[0])
                if !round.isMultiple(of: 2) { turn.peer = try await time(of: peer, counts[1]) }
                if let whole {
                    let cost = try await time(of: whole, counts[1])
                    turn.subject += cost - turn.peer
                    turn.peer = cost
                }
                // The first round only fills caches.
                if round > 0 { times.append(turn) }
            }
            let figures = [
                Figure(.time, median(times.map(\.subject)), peer: median(times.map(\.peer))),
                Figure(.ratio, median(times.map { $0.subject / $0.peer })),
            ]
            guard hasCountLimits else { return figures }
            return figures
                + (try await counted(subject, peer, count ?? Self.countedOperations))
        }
    }

    /// Compares the elapsed times of two operations that wait for the disk, on the global executor.
    ///
    /// They alternate one by one, because the speed of a disk changes from moment to moment.
    ///
    /// - Parameters:
    ///   - count: The number of operations that the subject performs at each call.
    ///   - subject: The code to measure.
    ///   - peer: The code to compare with.
    /// - Returns: The elapsed time, with that of the peer.
    /// - Throws: Any error of a block.
    public func compareDurations(
        countingAs count: Int = 1,
        _ subject: @Sendable () async throws -> Void,
        with peer: @Sendable () async throws -> Void
    ) async throws -> [Figure] {
        switch order {
        case .show(let turns):
            var total = 0.0
            for _ in 0..<(turns ?? 1_000) { total += try await Self.duration(of: subject) }
            return [Figure(.duration, total / Double((turns ?? 1_000) * count))]
        case .count:
            return []
        case .measure(let effort):
            var times: [Turn] = []
            for round in 0..<(effort.rounds * 16) {
                var turn = Turn()
                if round.isMultiple(of: 2) { turn.peer = try await Self.duration(of: peer) }
                turn.subject = try await Self.duration(of: subject) / Double(count)
                if !round.isMultiple(of: 2) { turn.peer = try await Self.duration(of: peer) }
                times.append(turn)
            }
            return [
                Figure(.duration, median(times.map(\.subject)), peer: median(times.map(\.peer)))
            ]
        }
    }

    /// Elapsed time in nanoseconds.
    @concurrent private static func duration(
        of body: @Sendable () async throws -> Void
    ) async throws -> Double {
        let start = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - start) / .nanoseconds(1)
    }

    /// Returns the worst of three measurements of code without a peer.
    ///
    /// - Parameters:
    ///   - quantity: The kind of result.
    ///   - subject: Performs one measurement.
    /// - Returns: One figure.
    /// - Throws: Any error of a measurement.
    public func worst(
        of quantity: Quantity,
        _ subject: @MainActor () async throws -> Double
    ) async throws -> [Figure] {
        var worst = 0.0
        for _ in 0..<attempts { worst = max(worst, try await subject()) }
        return [Figure(quantity, worst)]
    }

    /// Measures the heap memory that the subject leaves in use, minus that of the peer.
    ///
    /// - Parameters:
    ///   - subject: The code to measure.
    ///   - peer: Code that leaves the unavoidable memory in use.
    ///   - warmUp: Code that runs first, so that buffers which are allocated once do not count.
    /// - Returns: One figure; none if the platform does not report heap memory.
    /// - Throws: Any error of a block.
    public func growth(
        _ subject: @MainActor () async throws -> Void,
        with peer: @MainActor () async throws -> Void,
        afterWarmUp warmUp: @MainActor () async throws -> Void
    ) async throws -> [Figure] {
        try await warmUp()
        guard let own = try await growth(subject) else { return [] }
        if case .show = order { return [Figure(.growth, own)] }
        guard let other = try await growth(peer) else { return [] }
        return [Figure(.growth, own - other)]
    }

    /// Measures the heap memory of a value for each of its parts.
    ///
    /// - Parameters:
    ///   - count: The number of parts.
    ///   - make: Creates the value.
    /// - Returns: One figure; none if the platform does not report heap memory.
    /// - Throws: Any error of `make`.
    public func bytes<Value>(
        of count: Int,
        _ make: @MainActor () async throws -> Value
    ) async throws -> [Figure] {
        guard let before = Counters.heapInUse else { return [] }
        let value = try await make()
        let after = Counters.heapInUse ?? before
        keep(value)
        return [Figure(.bytes, Double(after - before) / Double(count))]
    }

    /// Measures the maximum of additional resident memory while the subject runs.
    ///
    /// - Parameter subject: The code to measure.
    /// - Returns: One figure; none if the platform does not report resident memory.
    /// - Throws: Any error of the subject.
    public func peak(_ subject: @MainActor () async throws -> Void) async throws -> [Figure] {
        Counters.resetPeak()
        guard let before = Counters.resident(peak: false) else { return [] }
        try await subject()
        guard let most = Counters.resident(peak: true) else { return [] }
        return [Figure(.growth, Double(most - before))]
    }

    private func growth(_ block: @MainActor () async throws -> Void) async throws -> Double? {
        let before = Counters.heapInUse
        try await block()
        guard let before, let after = Counters.heapInUse else { return nil }
        return Double(after - before)
    }

    private var attempts: Int {
        switch order {
        case .measure, .count: 3
        case .show(let count): count ?? 1
        }
    }

    /// CPU time in nanoseconds for each operation.
    private func time(of block: Block, _ count: Int) async throws -> Double {
        let start = Counters.cpuSeconds
        try await block(count)
        return (Counters.cpuSeconds - start) / Double(count) * 1e9
    }

    private func operations(of block: Block, taking seconds: Double) async throws -> Int {
        var count = 1
        while try await time(of: block, count) * Double(count) < seconds * 1e9 { count *= 2 }
        return count
    }

    /// The counts of subject and peer.
    private func counted(
        _ subject: Block,
        _ peer: Block,
        _ count: Int
    ) async throws -> [Figure] {
        let own = try await counts(of: subject, count)
        let other = try await counts(of: peer, count)
        return zip(Counters.quantities, zip(own, other)).compactMap { quantity, counts in
            counts.0.map { Figure(quantity, $0, peer: counts.1) }
        }
    }

    /// The counts of ``Counters/quantities`` for each operation.
    ///
    /// They are the minimum of several runs, because the process also does other work, and are rounded
    /// to hundredths to remove single events.
    private func counts(of block: Block, _ count: Int) async throws -> [Double?] {
        // The first run only fills caches.
        try await block(count)
        var least: [Int?] = Array(repeating: nil, count: Counters.quantities.count)
        for _ in 0..<5 {
            let before = Counters()
            try await block(count)
            let after = Counters()
            for (index, counts) in zip(before.counts, after.counts).enumerated() {
                guard let start = counts.0, let end = counts.1 else { continue }
                least[index] = min(end - start, least[index] ?? .max)
            }
        }
        return least.map { number in
            number.map { (Double($0) / Double(count) * 100).rounded() / 100 }
        }
    }
}

func median(_ numbers: [Double]) -> Double {
    numbers.sorted()[numbers.count / 2]
}
