import AsyncHTTPClient
import AsyncHTTPClientNetworking
import Benchmarking
import Loads
import ProductKit

/// The loads and writes of `Docs/Benchmarks` with each transport, compared with `data(for:)` by hand.
@main enum CompareTransports {
    @MainActor static func main() async throws {
        Store.serveIfRequested()
        #if canImport(Glibc)
        try await SecuredStore.serveIfRequested()
        #endif
        let transports:
            [(name: String, limits: TransportLimits, make: @Sendable () -> any Networking)] =
                [
                    ("system", .system, { SystemTransport() }),
                    ("urlsession", .urlSession, { URLSessionTransport() }),
                    (
                        "async-http-client", .asyncHTTPClient,
                        { AsyncHTTPClientNetworking(HTTPClient.shared) }
                    ),
                ]
        var benchmarks = transports.flatMap { name, limits, make in
            Benchmark.loads(name, limits, over: make) + [
                .duplicates("\(name)/duplicates-16", limit: .ratio(0.60), over: make),
                .memory("\(name)/memory", limit: .growth(megabytes: 20), over: make),
                .massCancellation("\(name)/cancel-1000", over: make),
            ]
        }
        #if canImport(Glibc)
        benchmarks += Benchmark.freshLoads(
            "system/secured",
            limits: [1: .ratio(0.40), 16: .ratio(0.40)],
            from: SecuredStore.store,
            over: { SystemTransport() }
        )
        #endif
        await BenchmarkRun.main(benchmarks, chart: .peer)
    }
}
