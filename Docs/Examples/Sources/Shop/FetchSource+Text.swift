import Foundation
import ProductKit

extension FetchSource {
    /// What to say about where something came from; `nil` for the store's own word.
    var note: String? {
        switch code {
        case .cache: asOf.map { "stored, from \($0.clockText)" }
        case .staleIfError: asOf.map { "offline, from \($0.clockText)" }
        case .network, .revalidated: nil
        }
    }
}

extension Date {
    /// The time of day where the user is, and the date unless it is today.
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
