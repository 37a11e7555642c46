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
                + Benchmark.catalogue
                + Benchmark.lists
                + Benchmark.freshLoads(
                    "http/fresh",
                    limits: [
                        1: .ratio(1.40, goal: 1.15), 16: .ratio(1.25, goal: 1.15),
                        64: .ratio(1.35, goal: 1.15),
                    ],
                    over: transport
                )
                + Benchmark.sharing
                + [
                    .memory("http/memory", limit: .growth(megabytes: 8), over: transport),
                    .cancelStorm("http/cancel-1000", over: transport),
                ]
        )
    }
}
