import AsyncHTTPClient
import AsyncHTTPClientNetworking
import Benchmarking
import Loads
import ProductKit

/// The loads of `Docs/Benchmarks` over two transports, each beside `data(for:)` written by hand.
@main enum CompareTransports {
    @MainActor static func main() async throws {
        Store.serveIfAsked()
        let system: @Sendable () -> any Networking = { URLSessionTransport() }
        let client: @Sendable () -> any Networking = {
            AsyncHTTPClientNetworking(HTTPClient.shared)
        }
        try await BenchmarkRun.main(
            Benchmark.freshLoads(
                "urlsession/fresh",
                limits: [
                    1: .ratio(1.40, goal: 1.15), 16: .ratio(1.25, goal: 1.15),
                    64: .ratio(1.35, goal: 1.15),
                ],
                over: system
            )
                + Benchmark.freshLoads(
                    "async-http-client/fresh",
                    limits: [1: .ratio(1), 16: .ratio(1), 64: .ratio(1)],
                    over: client
                )
                + [
                    .memory("urlsession/memory", limit: .growth(megabytes: 8), over: system),
                    .memory(
                        "async-http-client/memory",
                        limit: .growth(megabytes: 24),
                        over: client
                    ),
                    .cancelStorm("urlsession/cancel-1000", over: system),
                    .cancelStorm("async-http-client/cancel-1000", over: client),
                ]
        )
    }
}
