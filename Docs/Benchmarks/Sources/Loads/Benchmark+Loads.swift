public import Benchmarking
import Foundation
public import ProductKit

extension Benchmark {
    /// Loads over real HTTP, beside the same loads written by hand.
    ///
    /// - Parameters:
    ///   - name: What the transport is called in names of benchmarks.
    ///   - limits: How many loads at once, and what must hold then.
    ///   - networking: What carries the requests; made once for each benchmark.
    /// - Returns: A benchmark for each number of loads at once.
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
                "a product over loopback HTTP, \(width) at once / data(for:) by hand",
                limit
            ) { referee in
                try await Store.run { baseURL in
                    let lean = leanLoad(from: baseURL)
                    let loader = ProductLoader(baseURL: baseURL, networking: networking())
                    return try await referee.compare(operationsPerTurn: 96) { count in
                        try await send(count, atOnce: width, loader.loadsBoots)
                    } with: { count in
                        try await send(count, atOnce: width, lean)
                    }
                }
            }
        }
    }

    /// How much more the heap has grown after many loads than after the same loads by hand.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - limit: What must hold.
    ///   - networking: What carries the requests.
    /// - Returns: The benchmark.
    public static func memory(
        _ name: String,
        limit: Limit = .growth(megabytes: 1),
        over networking: @escaping @Sendable () -> any Networking
    ) -> Benchmark {
        Benchmark(
            name,
            "what stays on the heap after 20,000 loads, less what data(for:) by hand leaves there",
            limit
        ) { referee in
            try await Store.run { baseURL in
                let lean = leanLoad(from: baseURL)
                let loader = ProductLoader(baseURL: baseURL, networking: networking())
                return try await referee.growth {
                    try await send(20_000, atOnce: 16, loader.loadsBoots)
                } with: {
                    try await send(20_000, atOnce: 16, lean)
                } afterWarmUp: {
                    try await send(1_000, atOnce: 16, loader.loadsBoots)
                    try await send(1_000, atOnce: 16, lean)
                }
            }
        }
    }

    /// How long it takes until loads that were cancelled all at once have ended.
    ///
    /// It has no peer: on Linux the system's `data(for:)` can deadlock when it is cancelled.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - networking: What carries the requests.
    /// - Returns: The benchmark.
    public static func cancelStorm(
        _ name: String,
        over networking: @escaping @Sendable () -> any Networking
    ) -> Benchmark {
        Benchmark(
            name,
            "1,000 loads without an answer, from their cancellation to the last one's end",
            .duration(milliseconds: 500)
        ) { referee in
            try await Store.run { baseURL in
                let never = baseURL.appending(path: "never")
                let storm = CancelStorm(baseURL: never, networking: networking())
                return try await referee.worst(of: .duration) {
                    try await storm.settle(1_000)
                }
            }
        }
    }
}
