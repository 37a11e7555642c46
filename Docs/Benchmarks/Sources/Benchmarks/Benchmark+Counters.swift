import Benchmarking
import Foundation

extension Benchmark {
    /// Checks of the counters.
    ///
    /// Their limits are exact, so that a broken counter fails.
    static let counters = [
        Benchmark(
            "counters/allocations",
            "creating an array / nothing: exactly one allocation",
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
            "leaving the main actor and returning / a call: exactly one hop",
            .hops(exactly: 1)
        ) { referee in
            try await referee.compare { count in
                for _ in 0..<count { await offMainActor() }
            } with: { count in
                for _ in 0..<count { await onMainActor() }
            }
        },
        Benchmark(
            "counters/files",
            "an append and a sync by hand / nothing: exactly one write and one sync",
            .writes(exactly: 1),
            .syncs(exactly: 1)
        ) { referee in
            let directory = try FileManager.default.newTemporaryDirectory()
            defer { try? FileManager.default.removeItem(at: directory) }
            let file = try FileByHand(in: directory)
            defer { file.closeFile() }
            return try await referee.compare { count in
                for _ in 0..<count { try file.append() }
            } with: { count in
                for number in 0..<count { keep(number) }
            }
        },
        Benchmark(
            "counters/notifications",
            "an observed property that changes 100 times: exactly 100 notifications",
            .notifications(exactly: 100)
        ) { referee in
            try await referee.worst(of: .notifications) {
                let observed = ObservableTitle()
                let observer = Observer { keep(observed.title) }
                for number in 0..<100 {
                    observed.title = "\(number)"
                    observer.observeAgain()
                }
                return Double(observer.notificationCount)
            }
        },
    ]
}

@concurrent private func offMainActor() async {
    keep(1)
}

private func onMainActor() async {
    keep(1)
}
