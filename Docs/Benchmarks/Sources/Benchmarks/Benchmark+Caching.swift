import Benchmarking
import Foundation
import Loads
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Benchmark {
    /// What a stored answer costs that nobody is asked for.
    static let caching = [
        Benchmark(
            "cache/memory",
            "a fresh answer of 1.1 kB from memory / straight from the networking",
            .extraCost(1_500, goal: 1_100),
            .allocations(4)
        ) { referee in
            try await referee.hits(of: ResponseCache())
        },
        Benchmark(
            "cache/disk",
            "a fresh answer of 1.1 kB from a file / straight from the networking",
            .extraCost(12_000)
        ) { referee in
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: folder) }
            // Nothing is kept in memory, so that each answer is read from its file.
            return try await referee.hits(of: ResponseCache(byteLimit: 0, directory: folder))
        },
    ]
}

extension Referee {
    fileprivate func hits(of cache: ResponseCache) async throws -> [Figure] {
        guard let url = URL(string: "https://shop.example/v1/products/walking-boots") else {
            throw URLError(.badURL)
        }
        var answer = NetworkResponse(
            headers: ["Cache-Control": "max-age=31536000", "Content-Type": "application/json"],
            body: Data(Sample.json.utf8)
        )
        answer.url = url
        let behavior = CachingBehavior(cache: cache)
        let wire = opaque(NetworkExchange { [answer] _ in answer })
        let request = URLRequest(url: url)
        _ = try await behavior.intercept(request, next: wire)
        cache.flush()
        guard try await behavior.intercept(request, next: wire).source.code == .cache else {
            throw CocoaError(.fileReadUnknown)
        }
        return try await compare { count in
            try await away {
                for _ in 0..<count { keep(try await behavior.intercept(request, next: wire)) }
            }
        } with: { count in
            try await away { for _ in 0..<count { keep(try await wire(request)) } }
        }
    }
}
