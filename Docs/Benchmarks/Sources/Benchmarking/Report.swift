import Foundation

/// What a run has found, for people and for machines.
struct Report: Codable {
    /// One benchmark's figures.
    struct Entry: Codable {
        let name: String
        let summary: String
        let figures: [Figure]
        let findings: [Finding]
    }

    /// A limit and what was measured.
    struct Finding: Codable {
        let limit: Limit
        /// What was measured; `nil` where it cannot be.
        let value: Double?
        let holds: Bool
    }

    let machine: Machine
    let date: Date
    let effort: Effort
    /// Nanoseconds that the yardstick took at the beginning.
    let yardstick: Double
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
        findings = benchmark.limits.map { limit in
            let value = figures.first { $0.quantity == limit.quantity }?.value
            // Nobody counts blocks or weighs the heap but glibc.
            let isUnknowable =
                [.allocations, .growth].contains(limit.quantity) && Counters.heapInUse == nil
            let holds = value.map { limit.allows($0, effort) } ?? isUnknowable
            return Report.Finding(limit: limit, value: value, holds: holds)
        }
    }

    var holds: Bool { findings.allSatisfy(\.holds) }

    /// Whether nothing but what is timed, and so may have been disturbed, is over its limit.
    var mayBeDisturbed: Bool { findings.allSatisfy { $0.holds || !$0.limit.quantity.isExact } }
}
