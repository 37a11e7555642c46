import Benchmarking
import Foundation
import Loads
import ProductKit

extension Benchmark {
    /// Files too large to be read at once.
    static let catalogue = [
        Benchmark(
            "catalogue/stream",
            "20,000 products from a file of 22 MB, in batches / the whole array with a decoder",
            .ratio(1)
        ) { referee in
            try await withCatalogue(of: 20_000) { file in
                try await referee.compare(turns: 7, operationsPerTurn: 1) { count in
                    try await away {
                        for _ in 0..<count {
                            for try await batch in JSONElements<Product>(contentsOf: file) {
                                keep(batch)
                            }
                        }
                    }
                } with: { count in
                    try await away {
                        for _ in 0..<count {
                            let decoder = JSONDecoder()
                            decoder.dateDecodingStrategy = .iso8601
                            keep(try decoder.decode([Twin].self, from: Data(contentsOf: file)))
                        }
                    }
                }
            }
        },
        Benchmark(
            "catalogue/memory",
            "the most that the heap grows while 100,000 products are streamed from a file",
            .growth(megabytes: 10, goal: 5)
        ) { referee in
            try await withCatalogue(of: 100_000) { file in
                try await referee.peak { note in
                    for try await batch in JSONElements<Product>(contentsOf: file) {
                        keep(batch)
                        note()
                    }
                }
            }
        },
    ]
}

/// Writes a catalogue of so many products for as long as it is needed.
private func withCatalogue<Value>(
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
