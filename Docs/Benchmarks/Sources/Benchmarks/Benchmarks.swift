import Benchmarking
import Loads
import ProductKit

/// The cost of ProductKit, with each figure compared with its peer in the same run.
@main enum Benchmarks {
    @MainActor static func main() async {
        Store.serveIfRequested()
        let transport: @Sendable () -> any Networking = { SystemTransport() }
        await BenchmarkRun.main(
            Benchmark.counters + Benchmark.reloads + Benchmark.behaviors + Benchmark.decoding
                + Benchmark.lists
                + Benchmark.loads("http", .system, over: transport)
                + Benchmark.sharing
                + Benchmark.caching + Benchmark.cachedLoads + Benchmark.services
                + Benchmark.outbox
                + [
                    .duplicates("http/duplicates-16", over: transport),
                    .memory("http/memory", over: transport),
                    .massCancellation("http/cancel-1000", over: transport),
                ]
        )
    }
}

extension [Figure] {
    /// The figures with the allocations that the peer does not have.
    var countingAdditionalAllocations: [Figure] {
        map { figure in
            guard figure.quantity == .allocations, let peer = figure.peer else { return figure }
            return Figure(.allocations, figure.value - peer)
        }
    }
}
