import AsyncHTTPClient
import AsyncHTTPClientNetworking
import Benchmarking
import Loads
import ProductKit

/// The loads of `Docs/Benchmarks` with two transports, each compared with `data(for:)` by hand.
@main enum CompareTransports {
    @MainActor static func main() async {
        Store.serveIfRequested()
        let system: @Sendable () -> any Networking = { URLSessionTransport() }
        let client: @Sendable () -> any Networking = {
            AsyncHTTPClientNetworking(HTTPClient.shared)
        }
        await BenchmarkRun.main(
            Benchmark.freshLoads("urlsession/fresh", over: system)
                + Benchmark.freshLoads(
                    "async-http-client/fresh",
                    limits: [1: .ratio(1), 16: .ratio(1), 64: .ratio(1)],
                    over: client
                )
                + [
                    .memory("urlsession/memory", over: system),
                    .memory(
                        "async-http-client/memory",
                        limit: .growth(megabytes: 20),
                        over: client
                    ),
                    .massCancellation("urlsession/cancel-1000", over: system),
                    .massCancellation("async-http-client/cancel-1000", over: client),
                ]
        )
    }
}
