/// Measures a subject beside its peer, in turns, so that whatever else the machine does falls on both.
@MainActor public struct Referee {
    /// Does something so many times.
    public typealias Block = @MainActor (Int) async throws -> Void

    /// What is asked of the referee.
    enum Order {
        case measure(Effort)
        /// Let a profiler see the subject alone, so many times.
        case show(Int?)
    }

    /// Nanoseconds an operation, measured one after another.
    private struct Turn {
        var subject = 0.0
        var peer = 0.0
        var yardstick = 0.0

        var scale: Double { Yardstick.nominal / yardstick }
    }

    let order: Order

    /// Compares what two blocks cost.
    ///
    /// - Parameters:
    ///   - turns: How many turns to take at most, for what takes long; `nil` for no such bound.
    ///   - count: How many operations a turn has; `nil` for as many as take some milliseconds.
    ///   - subject: What is measured.
    ///   - peer: What it is measured beside; it should bring the same.
    ///   - whole: What the difference of the two is added to, when that is so large that a small
    ///     difference would drown in its noise; `nil` for nothing.
    /// - Returns: Time, ratio, costs, and where they can be counted allocations and hops.
    /// - Throws: What a block throws.
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
        case .measure(let effort):
            var counts = [count ?? 0, count ?? 0]
            if count == nil {
                counts[0] = try await operations(of: subject, taking: effort.turn)
                counts[1] = try await operations(of: peer, taking: effort.turn)
            }
            var yardstick = Yardstick()
            var times: [Turn] = []
            for round in 0...min(effort.rounds, (turns ?? effort.rounds) * effort.patience) {
                var turn = Turn()
                if round.isMultiple(of: 2) { turn.peer = try await time(of: peer, counts[1]) }
                turn.subject = try await time(of: subject, counts[0])
                if !round.isMultiple(of: 2) { turn.peer = try await time(of: peer, counts[1]) }
                turn.yardstick = yardstick.measure()
                if let whole {
                    let cost = try await time(of: whole, counts[1])
                    turn.subject += cost - turn.peer
                    turn.peer = cost
                }
                // The first round warms up.
                if round > 0 { times.append(turn) }
            }
            return [
                Figure(.time, median(times.map(\.subject)), peer: median(times.map(\.peer))),
                Figure(.ratio, median(times.map { $0.subject / $0.peer })),
                Figure(.cost, median(times.map { $0.subject * $0.scale })),
                Figure(.extraCost, median(times.map { ($0.subject - $0.peer) * $0.scale })),
            ] + (try await counted(subject, counts[0], peer, counts[1]))
        }
    }

    /// Takes the worst of three measurements of something that is measured by itself.
    ///
    /// - Parameters:
    ///   - quantity: What is measured.
    ///   - subject: Measures once.
    /// - Returns: The one figure.
    /// - Throws: What a measurement throws.
    public func worst(
        of quantity: Quantity,
        _ subject: @MainActor () async throws -> Double
    ) async throws -> [Figure] {
        var worst = 0.0
        for _ in 0..<attempts { worst = max(worst, try await subject()) }
        return [Figure(quantity, worst)]
    }

    /// Measures how much more of the heap is in use afterwards than the peer leaves in use.
    ///
    /// - Parameters:
    ///   - subject: What may leave something behind.
    ///   - peer: What leaves behind what cannot be helped.
    ///   - warmUp: What is done first, so that buffers made once do not count.
    /// - Returns: The one figure; none where the heap tells nothing.
    /// - Throws: What a block throws.
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

    /// Measures how much of the heap a value keeps for each of its parts.
    ///
    /// - Parameters:
    ///   - count: How many parts the value has.
    ///   - make: Makes the value.
    /// - Returns: The one figure; none where the heap tells nothing.
    /// - Throws: What the body throws.
    public func growth<Value>(
        of count: Int,
        _ make: @MainActor () async throws -> Value
    ) async throws -> [Figure] {
        guard let before = Counters.heapInUse else { return [] }
        let value = try await make()
        let after = Counters.heapInUse ?? before
        keep(value)
        return [Figure(.growth, Double(after - before) / Double(count))]
    }

    /// Measures how much memory the process has at most meanwhile, beyond what it had before.
    ///
    /// - Parameter subject: What is measured.
    /// - Returns: The one figure; none where the system tells nothing.
    /// - Throws: What the subject throws.
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
        case .measure: 3
        case .show(let count): count ?? 1
        }
    }

    /// Nanoseconds of CPU time an operation.
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

    /// What subject and peer ask of the allocator and of executors, without what the process does
    /// beside them: the least of several attempts.
    private func counted(
        _ subject: Block,
        _ subjectCount: Int,
        _ peer: Block,
        _ peerCount: Int
    ) async throws -> [Figure] {
        let one = try await least(of: subject, subjectCount)
        let other = try await least(of: peer, peerCount)
        var figures = [Figure(.hops, one.hops, peer: other.hops)]
        if let allocations = one.allocations {
            figures.append(Figure(.allocations, allocations, peer: other.allocations))
        }
        return figures
    }

    /// To the thousandth: what happens once in a turn is the process's own.
    private func share(_ number: Int, of count: Int) -> Double {
        (Double(number) / Double(count) * 1_000).rounded() / 1_000
    }

    private func least(
        of block: Block,
        _ count: Int
    ) async throws -> (allocations: Double?, hops: Double) {
        var allocations: [Int] = []
        var hops: [Int] = []
        for _ in 0..<3 {
            let before = Counters()
            try await block(count)
            let after = Counters()
            hops.append(after.hops - before.hops)
            if let count = after.allocations, let start = before.allocations {
                allocations.append(count - start)
            }
        }
        return (
            allocations: allocations.min().map { share($0, of: count) },
            hops: share(hops.min() ?? 0, of: count)
        )
    }
}

func median(_ numbers: [Double]) -> Double {
    numbers.sorted()[numbers.count / 2]
}
