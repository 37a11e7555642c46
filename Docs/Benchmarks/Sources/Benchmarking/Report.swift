import Foundation

/// The results of a run.
struct Report: Codable {
    /// The results of one benchmark.
    struct Entry: Codable {
        let name: String
        let summary: String
        let figures: [Figure]
        let findings: [Finding]
    }

    /// A limit and the measured value.
    struct Finding: Codable {
        let limit: Limit
        /// The measured value; `nil` if the platform cannot measure it.
        let value: Double?
        let holds: Bool
    }

    let machine: Machine
    let date: Date
    let effort: Effort
    var entries: [Entry] = []

    var failures: [Entry] {
        entries.filter { entry in entry.findings.contains { !$0.holds } }
    }

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .iso8601
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

extension Report.Entry {
    init(_ benchmark: Benchmark, _ figures: [Figure], _ effort: Effort) {
        name = benchmark.name
        summary = benchmark.summary
        self.figures = figures
        findings = benchmark.limits(for: effort).map { limit in
            let value = figures.first { $0.quantity == limit.quantity }?.value
            // Only with glibc, allocations, calls of the system and heap memory are counted.
            let needsGlibc: [Quantity] = [.allocations, .writes, .syncs, .bytes, .growth]
            let isUnknowable = needsGlibc.contains(limit.quantity) && Counters.heapInUse == nil
            let holds = value.map(limit.allows) ?? isUnknowable
            return Report.Finding(limit: limit, value: value, holds: holds)
        }
    }

    var holds: Bool { findings.allSatisfy(\.holds) }

    /// Whether limits are exceeded, but only those of times and memory, which other load may affect.
    var mayBeDisturbed: Bool {
        !holds && findings.allSatisfy { $0.holds || !$0.limit.quantity.isCount }
    }
}
