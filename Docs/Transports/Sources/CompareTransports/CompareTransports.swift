import Foundation

/// Compares what a request costs over different transports, in CPU time on this machine.
///
/// Blocks of requests take turns, so that whatever else the machine does falls on all alike, and
/// only ratios within a round count.
@main struct CompareTransports {
    static func main() async throws {
        if CommandLine.arguments.contains("serve") { return try await serve() }
        let server = try ServerProcess()
        defer { server.end() }
        print("CPU time per request, as a ratio to lean, which is URLSession.data(for:) by hand.")
        print("Medians of \(rounds) rounds of \(requests) requests.\n")
        let contestants = Contestant.all(at: server.address)
        print(row("width", contestants.map(\.name)))
        for width in [1, 16, 64] {
            let times = try await measure(contestants, width: width)
            print(row("\(width)", times.map { cell($0, lean: times[0]) }))
        }
    }

    private static let requests = 96
    private static let rounds = 60

    /// The seconds of each round, by contestant.
    private static func measure(
        _ contestants: [Contestant],
        width: Int
    ) async throws -> [[Double]] {
        var times = contestants.map { _ in [Double]() }
        for contestant in contestants {
            try await contestant.send(requests, width: width)
        }
        for round in 0..<rounds {
            for turn in contestants.indices {
                let index = (round + turn) % contestants.count
                let start = CPUTime.now
                try await contestants[index].send(requests, width: width)
                times[index].append(CPUTime.now - start)
            }
        }
        return times
    }

    private static func cell(_ times: [Double], lean: [Double]) -> String {
        let ratio = median(zip(times, lean).map { $0 / $1 })
        let microseconds = median(times) / Double(requests) * 1e6
        return String(format: "%.2f (%.0f us)", ratio, microseconds)
    }

    private static func row(_ first: String, _ cells: [String]) -> String {
        ([first.padding(toLength: 7, withPad: " ", startingAt: 0)]
            + cells.map { $0.padding(toLength: 28, withPad: " ", startingAt: 0) })
            .joined()
    }

    private static func median(_ numbers: [Double]) -> Double {
        numbers.sorted()[numbers.count / 2]
    }
}
