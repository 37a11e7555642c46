import Foundation
import Synchronization

/// The `Date` field, written once a second.
enum HTTPClock {
    private static let latest = Mutex((second: 0, text: ""))

    static func now() -> String {
        let second = Int(Date().timeIntervalSince1970)
        return latest.withLock { latest in
            if latest.second != second {
                let date = Date(timeIntervalSince1970: TimeInterval(second))
                latest = (second, date.formatted(style))
            }
            return latest.text
        }
    }

    private static let style = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \
            \(year: .padded(4)) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
            \(minute: .twoDigits):\(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)
    )
}
