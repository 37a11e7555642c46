import Benchmarking
import Foundation
import Loads
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Benchmark {
    /// The cost of a cache hit.
    static let caching = [
        Benchmark(
            "cache/memory",
            "a fresh response of 1.1 kB from memory / directly from the networking",
            .allocations(exactly: 2)
        ) { referee in
            try await referee.hits(of: ResponseCache())
        },
        Benchmark(
            "cache/disk",
            "a fresh response of 1.1 kB from a file / directly from the networking",
            .allocations(26),
            .writes(exactly: 0)
        ) { referee in
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: folder) }
            // Without memory, each response is loaded from its file.
            return try await referee.hits(of: ResponseCache(byteLimit: 0, directory: folder))
        },
    ]
}

extension Referee {
    /// Compares cache hits with responses of a closure.
    fileprivate func hits(of cache: ResponseCache) async throws -> [Figure] {
        guard let url = URL(string: "https://shop.example/v1/products/walking-boots") else {
            throw URLError(.badURL)
        }
        var response = NetworkResponse(
            headers: ["Cache-Control": "max-age=31536000", "Content-Type": "application/json"],
            body: Data(Sample.json.utf8)
        )
        response.url = url
        let behavior = CachingBehavior(cache: cache, partition: { "" })
        let exchange = opaque(NetworkExchange { [response] _ in response })
        let request = OutgoingRequest(url: url)
        _ = try await behavior.intercept(request, next: exchange)
        cache.flush()
        guard try await behavior.intercept(request, next: exchange).source.code == .cache else {
            throw CocoaError(.fileReadUnknown)
        }
        return try await compare { count in
            try await Background.run {
                for _ in 0..<count { keep(try await behavior.intercept(request, next: exchange)) }
            }
        } with: { count in
            try await Background.run {
                for _ in 0..<count { keep(try await exchange(request)) }
            }
        }
    }
}
