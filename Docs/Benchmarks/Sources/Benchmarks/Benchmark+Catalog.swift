import Benchmarking
import Foundation
import Loads
import ProductKit

extension Benchmark {
    /// Streaming of files that are too large to decode at once.
    static let catalog = [
        stream(
            "catalog/stream",
            "a type with synthesized Decodable",
            SynthesizedProduct.self,
            .ratio(1)
        ),
        stream("catalog/stream-product", "the same type", Product.self, .ratio(1.25, goal: 1)),
        Benchmark(
            "catalog/memory",
            "the maximum of additional memory while 100,000 products are streamed from a file",
            .growth(megabytes: 10, goal: 5)
        ) { referee in
            try await withCatalog(of: 100_000) { file in
                try await referee.peak {
                    for try await batch in JSONElements<Product>(contentsOf: file) { keep(batch) }
                }
            }
        },
    ]

    private static func stream<Peer: Decodable & SendableMetatype>(
        _ name: String,
        _ description: String,
        _ peer: Peer.Type,
        _ limit: Limit
    ) -> Benchmark {
        Benchmark(
            name,
            "20,000 products in batches from a file of 22 MB / the whole array at once, with \(description)",
            limit
        ) { referee in
            try await withCatalog(of: 20_000) { file in
                try await referee.compare(turns: 5, operationsPerTurn: 1) { count in
                    try await Background.run {
                        for _ in 0..<count {
                            for try await batch in JSONElements<Product>(contentsOf: file) {
                                keep(batch)
                            }
                        }
                    }
                } with: { count in
                    try await Background.run {
                        for _ in 0..<count {
                            let decoder = JSONDecoder()
                            decoder.dateDecodingStrategy = .iso8601
                            keep(try decoder.decode([Peer].self, from: Data(contentsOf: file)))
                        }
                    }
                }
            }
        }
    }
}

/// Writes a catalog of products to a file, and removes the file after the body.
private func withCatalog<Value>(
    of count: Int,
    _ body: (URL) async throws -> Value
) async throws -> Value {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    try Data("[".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    let thousand = Array(repeating: Sample.json, count: 1_000).joined(separator: ",")
    for thousands in 0..<(count / 1_000) {
        try handle.write(contentsOf: Data((thousands == 0 ? thousand : "," + thousand).utf8))
    }
    try handle.write(contentsOf: Data("]".utf8))
    try handle.close()
    return try await body(file)
}
