import Foundation

/// The parser for dates in header fields, in the three formats of RFC 9110 §5.6.7.
enum HTTPDate {
    /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
    /// `Sun Nov  6 08:49:37 1994`, in any case; a year of two digits is at most 50 years after the current one.
    static func date(from text: String, now: Date) -> Date? {
        let words = text.lowercased().split(separator: " ", omittingEmptySubsequences: false)
        switch words.count {
        case 6 where words[5] == "gmt" && shortDays.contains { words[0] == $0 + "," }:
            return date(day: words[1], month: words[2], year: words[3], time: words[4])
        case 4 where words[3] == "gmt" && longDays.contains { words[0] == $0 + "," }:
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, let digits = number(parts[2], digits: 2) else { return nil }
            let today = Int((now.timeIntervalSince1970 / 86_400).rounded(.down))
            let latest = Gregorian.date(daysSince1970: today).year + 50
            return date(
                day: parts[0],
                month: parts[1],
                year: Substring(String(latest - (latest - digits) % 100)),
                time: words[2]
            )
        case 5 where shortDays.contains(String(words[0])):
            return date(day: words[2], month: words[1], year: words[4], time: words[3])
        case 6 where shortDays.contains(String(words[0])) && words[2].isEmpty:
            return date(day: "0" + words[3], month: words[1], year: words[5], time: words[4])
        default:
            return nil
        }
    }

    private static func date(
        day: Substring,
        month: Substring,
        year: Substring,
        time: Substring
    ) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
            .compactMap { number($0, digits: 2) }
        guard let month = months.firstIndex(of: String(month)).map({ $0 + 1 }),
            let year = number(year, digits: 4),
            let day = number(day, digits: 2),
            (1...Gregorian.days(inMonth: month, of: year)).contains(day),
            time.utf8.count == 8, clock.count == 3,
            clock[0] < 24, clock[1] < 60, clock[2] <= 60
        else { return nil }
        let days = Gregorian.daysSince1970(year: year, month: month, day: day)
        let seconds = clock[0] * 3_600 + clock[1] * 60 + clock[2]
        return Date(timeIntervalSince1970: Double(days) * 86_400 + Double(seconds))
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        text.utf8.count == digits ? text.decimalNumber : nil
    }

    private static let shortDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let longDays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
}
