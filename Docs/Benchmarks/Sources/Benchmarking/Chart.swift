import Foundation

/// A bar chart of a report.
public enum Chart {
    /// The value that the bars of a chart are compared with.
    public enum Scale: Sendable {
        /// The limit of each result.
        case limit
        /// The peer of each ratio, where it is written by hand. Benchmarks with the same case, such as
        /// `fresh-1`, are beside each other.
        case peer
    }

    private static let barStart = 190.0
    private static let barWidth = 396.0
    private static let rowHeight = 22.0

    /// Draws a report.
    ///
    /// - Parameters:
    ///   - report: The results.
    ///   - scale: The value that the bars are compared with.
    ///   - isDark: Whether the drawing is for pages with a dark background.
    /// - Returns: The drawing as SVG.
    static func svg(_ report: Report, _ scale: Scale, isDark: Bool) -> String {
        let bars = bars(of: report, scale)
        let longest = scale == .limit ? 1.1 : bars.map(\.length).max() ?? 1
        let rows = bars.map { draw($0, unit: barWidth / longest) }
        let height = rowHeight * Double(rows.count) + 44
        let drawn = rows.enumerated()
            .map { place, row in row(rowHeight * Double(place) + 30) }
            .joined(separator: "\n")
        let end = barStart + barWidth / longest
        let text = isDark ? "#f5f5f7" : "#1d1d1f"
        let limit = isDark ? "#ff453a" : "#d0021b"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="760" height="\(number(height))" \
            viewBox="0 0 760 \(number(height))" role="img" \
            font-family="system-ui, sans-serif" font-size="12">
            <title>Results as a share of their \(scale == .limit ? "limits" : "peers")</title>
            <style>
            text { fill: \(text) } .goal { stroke: \(text) } .bar { fill: #4a86c8 }
            .limit { stroke: \(limit) } .over { fill: \(limit) }
            </style>
            <text x="\(number(end))" y="16" text-anchor="middle">\(scale == .limit ? "limit" : "by hand")</text>
            <line class="limit" x1="\(number(end))" x2="\(number(end))" y1="22" y2="\(number(height - 8))"/>
            \(drawn)
            </svg>

            """
    }

    /// One row of the chart; lengths are shares of the scale.
    private struct Bar {
        let name: String
        let text: String
        let length: Double
        let goal: Double?
        let holds: Bool
    }

    private static func bars(of report: Report, _ scale: Scale) -> [Bar] {
        report.entries.sorted { scale == .peer && $0.caseName < $1.caseName }
            .flatMap { entry in entry.findings.compactMap { bar(entry, $0, scale) } }
    }

    /// Returns the bar of a result; `nil` for a count and for a result without the scale.
    private static func bar(
        _ entry: Report.Entry,
        _ finding: Report.Finding,
        _ scale: Scale
    ) -> Bar? {
        let limit = finding.limit
        guard let value = finding.value, !limit.quantity.isCount else { return nil }
        let text = Table.text(value, limit.quantity)
        switch scale {
        case .limit:
            return Bar(
                name: entry.name,
                text: "\(text) of \(Table.text(limit.most, limit.quantity))",
                length: max(0, min(value / limit.most, 1.1)),
                goal: limit.goal.map { $0 / limit.most },
                holds: finding.holds
            )
        case .peer:
            guard limit.quantity == .ratio, entry.summary.hasSuffix("by hand") else { return nil }
            return Bar(name: entry.name, text: text, length: value, goal: nil, holds: true)
        }
    }

    /// Returns a closure that draws a bar at a vertical position.
    private static func draw(_ bar: Bar, unit: Double) -> (Double) -> String {
        { top in
            let middle = number(top + 12)
            var parts = [
                #"<text x="\#(number(barStart - 8))" y="\#(middle)" text-anchor="end">\#(bar.name)</text>"#,
                #"<rect class="\#(bar.holds ? "bar" : "over")" x="\#(number(barStart))" "#
                    + #"y="\#(number(top))" width="\#(number(bar.length * unit))" height="15" rx="2"/>"#,
                #"<text x="\#(number(barStart + barWidth + 8))" y="\#(middle)">\#(bar.text)</text>"#,
            ]
            if let goal = bar.goal {
                let x = number(barStart + goal * unit)
                parts.append(
                    #"<line class="goal" x1="\#(x)" x2="\#(x)" y1="\#(number(top))" y2="\#(number(top + 15))"/>"#
                )
            }
            return parts.joined(separator: "\n")
        }
    }

    private static func number(_ value: Double) -> String {
        String(format: "%.1f", value)
    }
}

extension Report.Entry {
    /// The part of the name after its subject, such as `fresh-1`.
    fileprivate var caseName: Substring { name.drop { $0 != "/" } }
}
