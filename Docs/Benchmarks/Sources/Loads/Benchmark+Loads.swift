public import Benchmarking
import Foundation
public import ProductKit

extension Benchmark {
    /// Loads over HTTP, compared with the same loads written by hand.
    ///
    /// - Parameters:
    ///   - name: The first part of the benchmarks' names, which identifies the transport.
    ///   - limits: The limit for each number of concurrent loads.
    ///   - networking: Creates the transport, once for each benchmark.
    /// - Returns: A benchmark for each number of concurrent loads.
    public static func freshLoads(
        _ name: String,
        limits: KeyValuePairs<Int, Limit> = [
            1: .ratio(1.40, goal: 1.15), 16: .ratio(1.25, goal: 1.15),
            64: .ratio(1.35, goal: 1.15),
        ],
        over networking: @escaping @Sendable () -> any Networking
    ) -> [Benchmark] {
        limits.map { width, limit in
            Benchmark(
                "\(name)-\(width)",
                "a product over loopback HTTP, \(width) concurrently / data(for:) by hand",
                limit
            ) { referee in
                try await Store.run { baseURL in
                    let byHand = handWrittenLoad(from: baseURL)
                    let loader = ProductLoader(baseURL: baseURL, networking: networking())
                    return try await referee.compare(operationsPerTurn: 96) { count in
                        try await perform(count, concurrency: width, loader.loadBoots)
                    } with: { count in
                        try await perform(count, concurrency: width, byHand)
                    }
                }
            }
        }
    }

    /// The growth of the heap after many loads, minus that of the same loads written by hand.
    ///
    /// - Parameters:
    ///   - name: The name of the benchmark.
    ///   - limit: The limit of the difference.
    ///   - networking: Creates the transport.
    /// - Returns: The benchmark.
    public static func memory(
        _ name: String,
        limit: Limit = .growth(megabytes: 1),
        over networking: @escaping @Sendable () -> any Networking
    ) -> Benchmark {
        Benchmark(
            name,
            "heap memory in use after 20,000 loads, minus that of data(for:) by hand",
            limit
        ) { referee in
            try await Store.run { baseURL in
                let byHand = handWrittenLoad(from: baseURL)
                let loader = ProductLoader(baseURL: baseURL, networking: networking())
                return try await referee.growth {
                    try await perform(20_000, concurrency: 16, loader.loadBoots)
                } with: {
                    try await perform(20_000, concurrency: 16, byHand)
                } afterWarmUp: {
                    try await perform(1_000, concurrency: 16, loader.loadBoots)
                    try await perform(1_000, concurrency: 16, byHand)
                }
            }
        }
    }

    /// The time that many loads take to end after they are cancelled at once.
    ///
    /// There is no peer: on Linux, `data(for:)` of `URLSession` can deadlock when it is cancelled.
    ///
    /// - Parameters:
    ///   - name: The name of the benchmark.
    ///   - networking: Creates the transport.
    /// - Returns: The benchmark.
    public static func massCancellation(
        _ name: String,
        over networking: @escaping @Sendable () -> any Networking
    ) -> Benchmark {
        Benchmark(
            name,
            "1,000 loads without a response, from their cancellation to the end of the last one",
            .duration(milliseconds: 500)
        ) { referee in
            try await Store.run { baseURL in
                let cancellation = MassCancellation(
                    baseURL: baseURL.appending(path: "never"),
                    networking: networking()
                )
                return try await referee.worst(of: .duration) {
                    try await cancellation.measure(1_000)
                }
            }
        }
    }
}
