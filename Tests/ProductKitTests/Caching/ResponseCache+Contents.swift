import Foundation
import ProductKit

extension ResponseCache {
    /// A stored response, as the description of a cache shows it.
    struct Summary: Hashable {
        let url: String
        let partition: String
        let statusCode: Int
        let byteCount: Int
        let asOf: Date
        /// The end of its freshness lifetime; `nil` if it is stale or must be revalidated.
        let freshUntil: Date?
    }

    /// The stored responses, in the order of the description.
    func summaries() -> [Summary] {
        let lines = contentsDescription().split(separator: "\n")
        let properties =
            /\s+status (\d+), (\d+) bytes, stored (\S+), (fresh until )?(.+), partition “(.*)”/
        return zip(lines, lines.dropFirst()).compactMap { url, line in
            guard let match = line.wholeMatch(of: properties)?.output,
                let asOf = try? Date(String(match.3), strategy: .iso8601)
            else { return nil }
            return Summary(
                url: String(url),
                partition: String(match.6),
                statusCode: Int(match.1) ?? 0,
                byteCount: Int(match.2) ?? 0,
                asOf: asOf,
                freshUntil: match.4.flatMap { _ in
                    try? Date(String(match.5), strategy: .iso8601)
                }
            )
        }
    }

    /// The totals at the end of the description.
    var statistics: (byteCount: Int, diskByteCount: Int, diskFailureCount: Int) {
        let lines = contentsDescription().split(separator: "\n")
        func number(_ name: String) -> Int {
            lines.last { $0.hasPrefix("\(name): ") }
                .flatMap { Int($0.dropFirst(name.count + 2)) } ?? -1
        }
        return (number("bytes in memory"), number("bytes on disk"), number("disk failures"))
    }
}
