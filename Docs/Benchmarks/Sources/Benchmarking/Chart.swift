import Foundation

/// A bar chart of a report: each time as a share of its limit.
enum Chart {
    private static let barStart = 190.0
    private static let barWidth = 360.0
    private static let rowHeight = 22.0

    /// Draws a report.
    ///
    /// - Parameters:
    ///   - report: The results.
    ///   - isDark: Whether the drawing is for pages with a dark background.
    /// - Returns: The drawing as SVG.
    static func svg(_ report: Report, isDark: Bool) -> String {
        let rows = report.entries.flatMap { entry in
            entry.findings.compactMap { bar(entry, $0) }
        }
        let height = rowHeight * Double(rows.count) + 44
        let drawn = rows.enumerated()
            .map { place, row in row(rowHeight * Double(place) + 30) }
            .joined(separator: "\n")
        let end = barStart + barWidth
        let text = isDark ? "#f5f5f7" : "#1d1d1f"
        let limit = isDark ? "#ff453a" : "#d0021b"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="760" height="\(number(height))" \
            viewBox="0 0 760 \(number(height))" role="img" \
            font-family="system-ui, sans-serif" font-size="12">
            <title>Results as a share of their limits</title>
            <style>
            text { fill: \(text) } .goal { stroke: \(text) } .bar { fill: #4a86c8 }
            .limit { stroke: \(limit) } .over { fill: \(limit) }
            </style>
            <text x="\(number(end))" y="16" text-anchor="middle">limit</text>
            <line class="limit" x1="\(number(end))" x2="\(number(end))" y1="22" y2="\(number(height - 8))"/>
            \(drawn)
            </svg>

            """
    }

    /// A closure that draws one row at a vertical position; `nil` if the result is not a time.
    private static func bar(
        _ entry: Report.Entry,
        _ finding: Report.Finding
    ) -> ((Double) -> String)? {
        let limit = finding.limit
        guard let value = finding.value, !limit.quantity.isExact else { return nil }
        let share = max(0, min(value / limit.most, 1.1))
        let text = Table.text(value, limit.quantity)
        let most = Table.text(limit.most, limit.quantity)
        return { top in
            let middle = number(top + 12)
            var parts = [
                #"<text x="\#(number(barStart - 8))" y="\#(middle)" text-anchor="end">\#(entry.name)</text>"#,
                #"<rect class="\#(finding.holds ? "bar" : "over")" x="\#(number(barStart))" "#
                    + #"y="\#(number(top))" width="\#(number(share * barWidth))" height="15" rx="2"/>"#,
                #"<text x="\#(number(barStart + barWidth * 1.1 + 8))" y="\#(middle)">\#(text) of \#(most)</text>"#,
            ]
            if let goal = limit.goal {
                let x = number(barStart + goal / limit.most * barWidth)
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
