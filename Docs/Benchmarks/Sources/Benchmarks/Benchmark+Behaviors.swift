import Benchmarking
import Foundation
import Loads
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Benchmark {
    /// The cost of everything between a service and the transport.
    static let behaviors =
        [0, 1, 5, 10].map { count in
            Benchmark(
                "behaviors/\(count)",
                "a request through \(count) behaviors that do nothing / without behaviors",
                .allocations(exactly: 1)
            ) { referee in
                let behavior = CombinedBehavior(Array(repeating: EmptyBehavior(), count: count))
                let response = NetworkResponse()
                let exchange = opaque(NetworkExchange { _ in response })
                let request = OutgoingRequest(url: try .sample("products"))
                return try await referee.compare { count in
                    try await Background.run {
                        for _ in 0..<count {
                            keep(try await behavior.intercept(request, next: exchange))
                        }
                    }
                } with: { count in
                    try await Background.run {
                        for _ in 0..<count { keep(try await exchange(request)) }
                    }
                }
            }
        } + [
            Benchmark(
                "networking/existential",
                "a request through “any Networking” / through a generic parameter",
                .allocations(exactly: 0)
            ) { referee in
                let response = NetworkResponse()
                let closure: ClosureNetworking = .closure { _ in response }
                let networking = opaque(closure)
                let erased = opaque(networking as any Networking)
                let request = URLRequest(url: try .sample("products"))
                return try await referee.compare { count in
                    try await Background.run {
                        for _ in 0..<count { keep(try await erased.response(for: request)) }
                    }
                } with: { count in
                    try await Background.run {
                        try await sendRequests(networking, request, count)
                    }
                }
            }
        ]
}

/// A behavior with the default implementations, which do nothing.
private struct EmptyBehavior: RequestBehavior {}

extension URL {
    fileprivate static func sample(_ path: String) throws -> URL {
        guard let url = URL(string: "https://shop.example/v1/\(path)") else {
            throw URLError(.badURL)
        }
        return url
    }
}

@inline(never) private func sendRequests(
    _ networking: some Networking,
    _ request: URLRequest,
    _ count: Int
) async throws {
    for _ in 0..<count { keep(try await networking.response(for: request)) }
}
