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
    ]
}

@concurrent private func elsewhere() async {
    keep(1)
}

private func here() async {
    keep(1)
}
