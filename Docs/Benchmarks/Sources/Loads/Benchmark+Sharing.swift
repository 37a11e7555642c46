public import Benchmarking
import Foundation
import ProductKit

extension Benchmark {
    /// One request for everyone who asks for the same at the same time.
    public static let sharing = [
        Benchmark(
            "coalesce/alone",
            "a product over loopback HTTP and what coalescing adds with nobody to join / without it",
            .ratio(1.03, goal: 1.01)
        ) { referee in
            try await Store.run { baseURL in
                let networking: any Networking = .closure { _ in
                    try await broughtFromElsewhere(NetworkResponse())
                }
                let sharing = NetworkClient(sharingFrom: baseURL, over: networking)
                let plain = NetworkClient(baseURL: baseURL, networking: networking)
                let real = ProductLoader(baseURL: baseURL, networking: URLSessionTransport())
                return try await referee.compare(operationsPerTurn: 96) { count in
                    try await send(count, sharing.loadsBytes)
                } with: { count in
                    try await send(count, plain.loadsBytes)
                } asPartOf: { count in
                    try await send(count, real.loadsBoots)
                }
            }
        },
        Benchmark(
            "coalesce/16",
            "16 at once ask for bytes that come after 1 ms, shared / each by itself",
            .ratio(1.10)
        ) { referee in
            let networking: any Networking = .closure { _ in
                try await Task.sleep(for: .milliseconds(1))
                return NetworkResponse()
            }
            return try await referee.sixteen(at: try Store.nowhere, over: networking)
        },
        Benchmark(
            "http/duplicates-16",
            "16 at once ask for the same bytes over loopback HTTP, shared / each by itself",
            .ratio(0.18, goal: 0.10)
        ) { referee in
            try await Store.run { baseURL in
                // Late, so that all sixteen ask before the answer is there.
                let late = baseURL.appending(path: "late")
                return try await referee.sixteen(at: late, over: URLSessionTransport())
            }
        },
    ]
}

extension Referee {
    /// Compares sixteen equal requests at once with coalescing and without.
    fileprivate func sixteen(
        at baseURL: URL,
        over networking: any Networking
    ) async throws -> [Figure] {
        let sharing = NetworkClient(sharingFrom: baseURL, over: networking)
        let plain = NetworkClient(baseURL: baseURL, networking: networking)
        return try await compare(operationsPerTurn: 4) { count in
            for _ in 0..<count { try await send(16, atOnce: 16, sharing.loadsBytes) }
        } with: { count in
            for _ in 0..<count { try await send(16, atOnce: 16, plain.loadsBytes) }
        }
    }
}

extension NetworkClient {
    fileprivate init(sharingFrom baseURL: URL, over networking: any Networking) {
        self.init(baseURL: baseURL, networking: networking, behaviors: [CoalescingBehavior()])
    }

    /// Unread, because everybody who shares an answer reads it by himself.
    fileprivate var loadsBytes: @Sendable () async throws -> Data {
        let request = NetworkRequest(
            method: "GET",
            segments: ["products", "walking-boots"],
            decode: \.body
        )
        return { try await send(request) }
    }
}
