import Benchmarking

extension Benchmark {
    /// Whether the counters count: their limits are exact, so that a broken counter fails.
    static let counters = [
        Benchmark(
            "counters/allocations",
            "one array made / none: the counter must see exactly one",
            .allocations(exactly: 1)
        ) { referee in
            try await referee.compare { count in
                for number in 0..<count { keep([number]) }
            } with: { count in
                for number in 0..<count { keep(number) }
            }
        },
        Benchmark(
            "counters/hops",
            "away from the main actor and back / a call: the counter must see exactly one",
            .hops(exactly: 1)
        ) { referee in
            try await referee.compare { count in
                for _ in 0..<count { await elsewhere() }
            } with: { count in
                for _ in 0..<count { await here() }
            }
        },
        Benchmark(
            "counters/notifications",
            "an observed text changed a hundred times: the watcher must be told exactly as often",
            .notifications(exactly: 100)
        ) { referee in
            try await referee.worst(of: .notifications) {
                let observed = Observed()
                let watcher = Watcher { keep(observed.title) }
                for number in 0..<100 {
                    observed.title = "\(number)"
                    watcher.watchAgain()
                }
                return Double(watcher.timesTold)
            }
        },
    ]
}

@concurrent private func elsewhere() async {
    keep(1)
}

private func here() async {
    keep(1)
}
