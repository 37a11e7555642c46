public import Benchmarking
import Foundation
public import ProductKit

extension Benchmark {
    /// Concurrent callers that share one request.
    public static let sharing = [
        Benchmark(
            "coalesce/alone",
            "a product over loopback HTTP, with coalescing but only one caller / without coalescing",
            // Sharing takes some 20 us. The faster the request over loopback, the larger its part.
            .ratio(1.25, goal: 1.01)
        ) { referee in
            try await Store.plain.run { baseURL in
                let networking: any Networking = .closure { _ in
                    try await NetworkResponse().deliveredFromAnotherThread()
                }
                let sharing = NetworkClient(sharingFrom: baseURL, over: networking)
                let plain = NetworkClient(baseURL: baseURL, networking: networking)
                let real = ProductLoader(baseURL: baseURL, networking: SystemTransport())
                return try await referee.compare(operationsPerTurn: 96) { count in
                    try await perform(count, sharing.loadBytes)
                } with: { count in
                    try await perform(count, plain.loadBytes)
                } asPartOf: { count in
                    try await perform(count, real.loadBoots)
                }
            }
        },
        Benchmark(
            "coalesce/16",
            "16 concurrent callers, bytes after 1 ms, one shared request / 16 requests",
            .ratio(1.10)
        ) { referee in
            let networking: any Networking = .closure { _ in
                try await Task.sleep(for: .milliseconds(1))
                return NetworkResponse()
            }
            return try await referee.compareSixteen(at: try Store.unusedURL, over: networking)
        },
    ]

    /// Concurrent equal requests over HTTP, with coalescing and without.
    ///
    /// - Parameters:
    ///   - name: The name of the benchmark.
    ///   - limit: The limit of the ratio.
    ///   - networking: Creates the transport.
    /// - Returns: The benchmark.
    public static func duplicates(
        _ name: String,
        limit: Limit = .ratio(0.60, goal: 0.30),
        over networking: @escaping @Sendable () -> any Networking
    ) -> Benchmark {
        Benchmark(
            name,
            "16 concurrent callers, bytes over loopback HTTP, one shared request / 16 requests",
            limit
        ) { referee in
            try await Store.plain.run { baseURL in
                // The delay ensures that all callers start before the response arrives.
                let late = baseURL.appending(path: "late")
                return try await referee.compareSixteen(at: late, over: networking())
            }
        }
    }
}

extension Referee {
    /// Compares sixteen equal concurrent requests with and without coalescing.
    fileprivate func compareSixteen(
        at baseURL: URL,
        over networking: any Networking
    ) async throws -> [Figure] {
        let sharing = NetworkClient(sharingFrom: baseURL, over: networking)
        let plain = NetworkClient(baseURL: baseURL, networking: networking)
        return try await compare(operationsPerTurn: 4) { count in
            for _ in 0..<count { try await perform(16, concurrency: 16, sharing.loadBytes) }
        } with: { count in
            for _ in 0..<count { try await perform(16, concurrency: 16, plain.loadBytes) }
        }
    }
}

extension NetworkClient {
    fileprivate init(sharingFrom baseURL: URL, over networking: any Networking) {
        self.init(baseURL: baseURL, networking: networking, behaviors: [CoalescingBehavior { "" }])
    }
}
