import Foundation

/// A report as a table of text.
enum Table {
    static func heading(_ report: Report) -> String {
        let machine = report.machine
        return """
            \(machine.processor), \(machine.cores) cores, \(machine.system), \(machine.toolchain)
            \(report.effort == .exact ? "Counts for each operation." : "CPU time for each operation, in alternating order with the peer; medians.")

            \(row("", ["subject", "peer", "allocations", "hops", "found of limit (goal)"]))
            """
    }

    static func line(_ entry: Report.Entry) -> String {
        let time = entry.time
        let cells = [
            time.map { text($0.value, $0.quantity) },
            time.flatMap { figure in figure.peer.map { text($0, figure.quantity) } },
            entry.count(of: .allocations),
            entry.count(of: .hops),
        ]
        let verdicts = entry.findings.map { finding in
            "\(finding.holds ? "" : "OVER: ")\(finding.text) of \(finding.limit.text)"
        }
        let found = verdicts + (entry.ratioWithoutLimit.map { ["\($0) (no limit)"] } ?? [])
        return row(entry.name, cells.map { $0 ?? "" } + [found.joined(separator: ", ")])
    }

    static func markdown(_ report: Report) -> String {
        let rows = report.entries.map { entry in
            let time = entry.time
            return [
                "`\(entry.name)`",
                time.map { text($0.value, $0.quantity) } ?? "",
                time.flatMap { time in time.peer.map { text($0, time.quantity) } } ?? "",
                (entry.findings.map { $0.text } + (entry.ratioWithoutLimit.map { [$0] } ?? []))
                    .joined(separator: ", "),
                entry.findings.map { $0.limit.text }.joined(separator: ", "),
            ]
        }
        let heading = ["Benchmark", "Takes", "Peer", "Found", "Limit (goal)"]
        return ([heading, heading.map { _ in "---" }] + rows)
            .map { "| \($0.joined(separator: " | ")) |" }
            .joined(separator: "\n")
    }

    static func text(_ value: Double, _ quantity: Quantity) -> String {
        switch quantity {
        case .ratio: String(format: "%.2f×", value)
        case .time, .duration: duration(value)
        case .growth: String(format: "%.1f MB", value / 1e6)
        case .bytes: "\(Int(value)) B"
        case .allocations, .hops, .notifications, .writes, .syncs:
            "\(number(value)) \(quantity.rawValue)"
        }
    }

    fileprivate static func number(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(format: "%.2f", value)
    }

    private static func duration(_ nanoseconds: Double) -> String {
        switch abs(nanoseconds) {
        case ..<100: String(format: "%.1f ns", nanoseconds)
        case ..<10_000: String(format: "%.0f ns", nanoseconds)
        case ..<10_000_000: String(format: "%.1f us", nanoseconds / 1e3)
        default: String(format: "%.1f ms", nanoseconds / 1e6)
        }
    }

    static func row(_ name: String, _ cells: [String]) -> String {
        let widths = [30, 12, 12, 18, 16, 0]
        return zip([name] + cells, widths)
            .map { $0.padding(toLength: max($1, $0.count + 1), withPad: " ", startingAt: 0) }
            .joined()
    }
}

extension Report.Finding {
    fileprivate var text: String {
        value.map { Table.text($0, limit.quantity) } ?? "not measured"
    }
}

extension Limit {
    fileprivate var text: String {
        Table.text(most, quantity) + (goal.map { " (\(Table.text($0, quantity)))" } ?? "")
    }
}

extension Report.Entry {
    /// The time of the operation, or what was measured in its place.
    fileprivate var time: Figure? {
        figures.first { [.time, .duration, .growth].contains($0.quantity) }
    }

    /// The time as a multiple of the peer's, if that has no limit.
    fileprivate var ratioWithoutLimit: String? {
        let hasLimit = findings.contains { $0.limit.quantity == .ratio }
        guard let time, let peer = time.peer, !hasLimit else { return nil }
        return Table.text(time.value / peer, .ratio)
    }

    /// Subject and peer, such as `0 | 12`.
    fileprivate func count(of quantity: Quantity) -> String? {
        figures.first { $0.quantity == quantity }.map { figure in
            ([figure.value] + (figure.peer.map { [$0] } ?? [])).map(Table.number)
                .joined(separator: " | ")
        }
    }
}
