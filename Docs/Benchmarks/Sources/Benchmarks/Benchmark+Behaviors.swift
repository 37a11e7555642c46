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
                "a request of a client with \(count) behaviors that do nothing / without behaviors",
                .allocations(exactly: count == 0 ? 0 : 1)
            ) { referee in
                let response = NetworkResponse()
                let networking: ClosureNetworking = .closure { _ in response }
                let url = try URL.sample("v1")
                let client = NetworkClient(
                    baseURL: url,
                    networking: networking,
                    behaviors: Array(repeating: EmptyBehavior(), count: count)
                )
                let plain = NetworkClient(baseURL: url, networking: networking)
                return try await referee.compare { count in
                    try await Background.run { try await send(count, with: client) }
                } with: { count in
                    try await Background.run { try await send(count, with: plain) }
                }
                .countingAdditionalAllocations
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

private func send(_ count: Int, with client: NetworkClient) async throws {
    let request = NetworkRequest<Void>.delete("products")
    for _ in 0..<count { try await client.send(request) }
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
