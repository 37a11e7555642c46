public import Benchmarking
import Foundation
public import ProductKit

extension Benchmark {
    /// Loads of bytes over HTTP, compared with the same loads written by hand.
    ///
    /// - Parameters:
    ///   - name: The first part of the benchmarks' names, which identifies the transport.
    ///   - limits: The limit for each number of concurrent loads.
    ///   - store: The server.
    ///   - networking: Creates the transport, once for each benchmark.
    /// - Returns: A benchmark for each number of concurrent loads.
    public static func freshLoads(
        _ name: String,
        limits: KeyValuePairs<Int, Limit>,
        from store: Store = .plain,
        over networking: @escaping @Sendable () -> any Networking
    ) -> [Benchmark] {
        requests(
            name,
            of: "the bytes of a product",
            limits: limits,
            from: store,
            load: { NetworkClient(baseURL: $0, networking: networking()).loadBytes },
            byHand: { bytesByHand(.get(at: $0)) }
        )
    }

    /// Loads of decoded products over HTTP, compared with the same loads written by hand.
    ///
    /// The parameters are those of ``freshLoads(_:limits:from:over:)``.
    static func productLoads(
        _ name: String,
        limits: KeyValuePairs<Int, Limit>,
        over networking: @escaping @Sendable () -> any Networking
    ) -> [Benchmark] {
        requests(
            name,
            of: "a product",
            limits: limits,
            load: { ProductLoader(baseURL: $0, networking: networking()).loadBoots },
            byHand: handWrittenLoad
        )
    }

    /// Writes over HTTP, compared with the same writes by hand, which may arrive twice.
    ///
    /// The parameters are those of ``freshLoads(_:limits:from:over:)``.
    static func writes(
        _ name: String,
        limits: KeyValuePairs<Int, Limit>,
        over networking: @escaping @Sendable () -> any Networking
    ) -> [Benchmark] {
        requests(
            name,
            of: "a PUT of 200 bytes",
            limits: limits,
            load: { baseURL in
                let (networking, request) = (networking(), URLRequest.put(at: baseURL))
                return { try await networking.response(for: request).body }
            },
            byHand: { bytesByHand(.put(at: $0)) }
        )
    }

    /// All comparisons of a transport with requests written by hand.
    ///
    /// - Parameters:
    ///   - name: The first part of the benchmarks' names.
    ///   - limits: The limits, which depend on the transport.
    ///   - networking: Creates the transport, once for each benchmark.
    /// - Returns: The benchmarks.
    public static func loads(
        _ name: String,
        _ limits: TransportLimits,
        over networking: @escaping @Sendable () -> any Networking
    ) -> [Benchmark] {
        freshLoads("\(name)/fresh", limits: limits.fresh, over: networking)
            + productLoads("\(name)/product", limits: limits.product, over: networking)
            + writes("\(name)/write", limits: limits.write, over: networking)
    }

    private static func requests<Value: Sendable>(
        _ name: String,
        of subject: String,
        limits: KeyValuePairs<Int, Limit>,
        from store: Store = .plain,
        load: @escaping @Sendable (_ baseURL: URL) -> @Sendable () async throws -> Value,
        byHand: @escaping @Sendable (_ baseURL: URL) -> @Sendable () async throws -> Value
    ) -> [Benchmark] {
        limits.map { width, limit in
            Benchmark(
                "\(name)-\(width)",
                "\(subject) over loopback \(store.scheme), \(width) concurrently / data(for:) by hand",
                limit
            ) { referee in
                try await store.run { baseURL in
                    let (load, byHand) = (load(baseURL), byHand(baseURL))
                    return try await referee.compare(operationsPerTurn: 96) { count in
                        try await perform(count, concurrency: width, load)
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
            try await Store.plain.run { baseURL in
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

    /// The time that many loads take to end after they are cancelled at once, compared with a tenth.
    ///
    /// The peer is not hand-written: on Linux, `data(for:)` of `URLSession` can deadlock when it is
    /// cancelled. The ratio is about 10 if the time is proportional to the number of loads.
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
            "1,000 loads without a response, from their cancellation to the end of the last one / 100 loads",
            .ratio(50)
        ) { referee in
            try await Store.plain.run { baseURL in
                let cancellation = MassCancellation(
                    baseURL: baseURL.appending(path: "never"),
                    networking: networking()
                )
                var times = [1_000, 100].map { _ in Double.infinity }
                for _ in 0..<5 {
                    times[0] = min(times[0], try await cancellation.measure(1_000))
                    times[1] = min(times[1], try await cancellation.measure(100))
                }
                return [
                    Figure(.duration, times[0], peer: times[1]),
                    Figure(.ratio, times[0] / times[1]),
                ]
            }
        }
    }
}
