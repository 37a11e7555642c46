import Benchmarking
import Foundation
import Loads
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Benchmark {
    /// What stands between a service and the transport.
    static let behaviors =
        [0, 1, 5, 10].map { count in
            Benchmark(
                "behaviors/\(count)",
                "a request through \(count) behaviors that do nothing / straight to the networking",
                .extraCost(60 + 170 * Double(count)),
                // A little more, for the turn's own way to another executor.
                .allocations(Double(count) + 0.1)
            ) { referee in
                let behavior = CombinedBehavior(Array(repeating: Passage(), count: count))
                let answer = NetworkResponse()
                let wire = opaque(NetworkExchange { _ in answer })
                let request = try URLRequest(sample: "products")
                return try await referee.compare { count in
                    try await away {
                        for _ in 0..<count {
                            keep(try await behavior.intercept(request, next: wire))
                        }
                    }
                } with: { count in
                    try await away { for _ in 0..<count { keep(try await wire(request)) } }
                }
            }
        } + [
            Benchmark(
                "networking/existential",
                "a request through any Networking / through a generic parameter",
                .extraCost(40)
            ) { referee in
                let answer = NetworkResponse()
                let closure: ClosureNetworking = .closure { _ in answer }
                let networking = opaque(closure)
                let erased = opaque(networking as any Networking)
                let request = try URLRequest(sample: "products")
                return try await referee.compare { count in
                    try await away {
                        for _ in 0..<count { keep(try await erased.response(for: request)) }
                    }
                } with: { count in
                    try await away { try await ask(networking, request, count) }
                }
            }
        ]
}

/// A behavior whose hooks are the defaults, which do nothing.
private struct Passage: RequestBehavior {}

extension URLRequest {
    fileprivate init(sample path: String) throws {
        guard let url = URL(string: "https://shop.example/v1/\(path)") else {
            throw URLError(.badURL)
        }
        self.init(url: url)
    }
}

@inline(never) private func ask(
    _ networking: some Networking,
    _ request: URLRequest,
    _ count: Int
) async throws {
    for _ in 0..<count { keep(try await networking.response(for: request)) }
}
