import Benchmarking
import Loads
import ProductKit

/// What ProductKit costs, each figure beside its peer in the same run.
@main enum Benchmarks {
    @MainActor static func main() async throws {
        Store.serveIfAsked()
        let transport: @Sendable () -> any Networking = { URLSessionTransport() }
        try await BenchmarkRun.main(
            Benchmark.counters + Benchmark.reloads + Benchmark.behaviours + Benchmark.decoding
                + Benchmark.freshLoads(
                    "http/fresh",
                    limits: (alone: .ratio(1.40, goal: 1.15), crowded: .ratio(1.25, goal: 1.15)),
                    over: transport
                )
                + Benchmark.sharing
                + [
                    .memory("http/memory", over: transport),
                    .cancelStorm("http/cancel-1000", over: transport),
                ]
        )
    }
}
