import Foundation
import ProductKit

extension FetchSource {
    /// A note on the source, or `nil` for content that the server sent or revalidated.
    var note: String? {
        switch code {
        case .cache: asOf.map { "cached, as of \($0.clockText)" }
        case .staleIfError: asOf.map { "offline, as of \($0.clockText)" }
        case .network, .revalidated: nil
        }
    }
}

extension Date {
    /// The local time, with the date unless it is today.
    var clockText: String {
        formatted(Calendar.current.isDateInToday(self) ? Self.timeStyle : Self.dateStyle)
    }

    private static let timeStyle = VerbatimFormatStyle(
        format:
            "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
        timeZone: .current,
        calendar: .current
    )

    private static let dateStyle = VerbatimFormatStyle(
        format: """
            \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)
            """,
        timeZone: .current,
        calendar: Calendar(identifier: .gregorian)
    )
}
