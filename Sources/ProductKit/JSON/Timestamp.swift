public import Foundation

extension Date {
    /// Creates a date from a timestamp of RFC 3339, such as `2026-08-01T10:00:00.5+02:00`.
    ///
    /// The offset is `Z` or such as `+02:00`, and required. A fraction may have any length. A space may stand in
    /// place of the `T`. A leap second is the first second of the next minute.
    ///
    /// - Parameter timestamp: The timestamp. If it is `nil` or does not follow RFC 3339 §5.6, or if there is no
    ///   such day or time, the result is `nil`.
    public init?(timestamp: String?) {
        guard let timestamp, let date = Timestamp.date(from: timestamp) else { return nil }
        self = date
    }
}

extension JSONDecoder.DateDecodingStrategy {
    /// Decodes dates from timestamps of RFC 3339, also with a fraction of a second.
    ///
    /// The strategy `iso8601` of Foundation rejects such fractions.
    public static var timestamp: Self {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = Date(timestamp: text) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: Timestamp.problem(with: text)
                )
            }
            return date
        }
    }
}

/// Conversion between `Date` and the timestamps of RFC 3339, such as `2026-08-01T10:00:00Z`.
///
/// Foundation's formatters are 30 to 2,000 times slower, and use the Julian calendar for dates before 1582.
enum Timestamp {
    /// Returns the timestamp in UTC, rounded to milliseconds, or `nil` outside the years 0 to 9999.
    static func string(from date: Date) -> String? {
        let total = (date.timeIntervalSince1970 * 1_000).rounded()
        guard (-62_167_219_200_000...253_402_300_799_999).contains(total) else { return nil }
        // `Int` has 32 bits on some watches, which is too short for milliseconds or seconds since 1970.
        let days = (total / 86_400_000).rounded(.down)
        let (year, month, day) = Gregorian.date(daysSince1970: Int(days))
        let (seconds, milliseconds) = Int(total - days * 86_400_000)
            .quotientAndRemainder(dividingBy: 1_000)
        let date = "\(padded(year, to: 4))-\(padded(month))-\(padded(day))"
        let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0) }
        let fraction = milliseconds == 0 ? "" : ".\(padded(milliseconds, to: 3))"
        return "\(date)T\(clock.joined(separator: ":"))\(fraction)Z"
    }

    /// Parses a timestamp; `nil` if it is not valid.
    ///
    /// A leap second ends a day in UTC (RFC 3339 §5.7). A time outside the years 0 to 9999 in UTC is the next one inside.
    static func date(from string: String) -> Date? {
        var string = string
        // The views of a string take ten times longer to read.
        return string.withUTF8 { bytes in
            var reader = DigitReader(bytes: bytes[...])
            guard let year = reader.number(digits: 4), reader.skip("-"),
                let month = reader.number(digits: 2), reader.skip("-"),
                let day = reader.number(digits: 2),
                reader.skip("T") || reader.skip("t") || reader.skip(" "),
                let hour = reader.number(digits: 2), reader.skip(":"),
                let minute = reader.number(digits: 2), reader.skip(":"),
                let second = reader.number(digits: 2), (1...12).contains(month),
                (1...Gregorian.days(inMonth: month, of: year)).contains(day),
                hour < 24, minute < 60, second <= 60,
                let fraction = reader.fraction(),
                let offset = reader.offset(), reader.bytes.isEmpty
            else { return nil }
            let minuteInUTC = hour * 3_600 + minute * 60 - offset
            guard second < 60 || (minuteInUTC + 60) % 86_400 == 0 else { return nil }
            let days = Gregorian.daysSince1970(year: year, month: month, day: day)
            let time = Double(days) * 86_400 + Double(minuteInUTC + second) + fraction
            return Date(timeIntervalSince1970: min(max(time, -62_167_219_200), 253_402_300_799.999))
        }
    }

    fileprivate static func problem(with text: String) -> String {
        "Expected a time like 2026-08-01T10:00:00Z, found “\(text.prefix(64))”."
    }

    private static func padded(_ number: Int, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: width - digits.count) + digits
    }
}

extension KeyedDecodingContainer {
    /// Decodes a timestamp, or returns `nil` if the member is absent or `null`.
    func decodeTimestamp(forKey key: Key) throws -> Date? {
        guard let string = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let date = Timestamp.date(from: string) else {
            throw invalidValue(forKey: key, Timestamp.problem(with: string))
        }
        return date
    }
}

extension KeyedEncodingContainer {
    /// Encodes a timestamp, or nothing for `nil`; throws for a date outside the years 0 to 9999.
    mutating func encode(timestamp date: Date?, forKey key: Key) throws {
        guard let date else { return }
        guard let string = Timestamp.string(from: date) else {
            // The error holds a number, because Foundation traps when it describes such a date.
            throw EncodingError.invalidValue(
                date.timeIntervalSince1970,
                EncodingError.Context(
                    codingPath: codingPath + [key],
                    debugDescription: "Expected a time in the years 0 to 9999."
                )
            )
        }
        try encode(string, forKey: key)
    }
}

/// A parser for the digits and separators of a timestamp.
private struct DigitReader {
    var bytes: Slice<UnsafeBufferPointer<UInt8>>

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: character) else { return false }
        bytes.removeFirst()
        return true
    }

    private mutating func digit() -> Int? {
        guard let byte = bytes.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
            return nil
        }
        bytes.removeFirst()
        return Int(byte & 0x0F)
    }

    mutating func number(digits: Int) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Parses a fraction of a second: 0 if there is none, and `nil` if there is no digit after the dot.
    mutating func fraction() -> Double? {
        guard skip(".") else { return 0 }
        guard var value = digit().map(Double.init) else { return nil }
        var scale = 10.0
        while let digit = digit() {
            // Further digits exceed the precision of a date, and would overflow.
            guard scale < 1e15 else { continue }
            value = value * 10 + Double(digit)
            scale *= 10
        }
        return value / scale
    }

    /// Parses `Z` or an offset such as `+02:00`, and returns the seconds east of UTC.
    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = number(digits: 2), hours < 24, skip(":"),
            let minutes = number(digits: 2), minutes < 60
        else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}

/// The Gregorian calendar of RFC 3339 and RFC 9110, also for the years before its introduction in 1582.
enum Gregorian {
    static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number of days from January 1, 1970 to a date.
    static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        // A year that begins in March has the leap day at its end.
        let marchYear = month > 2 ? year : year - 1
        let (era, yearOfEra) = marchYear.flooringDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns the date that is a number of days after January 1, 1970.
    static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (days + 719_468).flooringDivision(by: 146_097)
        let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = era * 400 + yearOfEra + (month > 2 ? 0 : 1)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

extension Int {
    /// Divides and rounds the quotient down, so that the remainder is not negative.
    fileprivate func flooringDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
