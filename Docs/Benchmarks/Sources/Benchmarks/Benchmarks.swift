import Benchmarking
import Loads
import ProductKit

/// What ProductKit costs, each figure beside its peer in the same run.
@main enum Benchmarks {
    @MainActor static func main() async {
        Store.serveIfAsked()
        let transport: @Sendable () -> any Networking = { URLSessionTransport() }
        await BenchmarkRun.main(
            Benchmark.counters + Benchmark.reloads + Benchmark.behaviors + Benchmark.decoding
                + Benchmark.catalog
                + Benchmark.lists
                + Benchmark.freshLoads("http/fresh", over: transport)
                + Benchmark.sharing
                + Benchmark.caching + Benchmark.cachedLoads
                + [
                    .memory("http/memory", over: transport),
                    .cancelStorm("http/cancel-1000", over: transport),
                ]
        )
    }
}
