import Foundation

/// Moments in JSON: RFC 3339 texts, read and written without a formatter.
///
/// A formatter costs 30 to 2,000 times as much, once for every product of a catalog; and before
/// 1582 the system's own follows another calendar.
enum Timestamp {
    /// The moment in UTC, to the millisecond; `nil` outside the years 0 to 9999.
    static func text(from date: Date) -> String? {
        let total = (date.timeIntervalSince1970 * 1_000).rounded()
        guard (-62_167_219_200_000...253_402_300_799_999).contains(total) else { return nil }
        let (days, time) = Int(total).flooringDivision(by: 86_400_000)
        let (year, month, day) = Gregorian.date(daysSince1970: days)
        let (seconds, milliseconds) = time.quotientAndRemainder(dividingBy: 1_000)
        let date = "\(padded(year, to: 4))-\(padded(month))-\(padded(day))"
        let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0) }
        let fraction = milliseconds == 0 ? "" : ".\(padded(milliseconds, to: 3))"
        return "\(date)T\(clock.joined(separator: ":"))\(fraction)Z"
    }

    /// Reads `2026-08-01T10:00:00Z`, with a fraction of any length and with an offset like `+02:00`.
    static func date(from text: String) -> Date? {
        var reader = DigitReader(bytes: text.utf8[...])
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), reader.skip("-"),
            let day = reader.number(digits: 2), reader.skip("T") || reader.skip("t"),
            let hour = reader.number(digits: 2), reader.skip(":"),
            let minute = reader.number(digits: 2), reader.skip(":"),
            let second = reader.number(digits: 2),
            (1...12).contains(month), (1...Gregorian.days(inMonth: month, of: year)).contains(day),
            hour < 24, minute < 60, second <= 60,
            let fraction = reader.fraction(),
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let days = Gregorian.daysSince1970(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    private static func padded(_ number: Int, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: width - digits.count) + digits
    }
}

extension KeyedDecodingContainer {
    func timestamp(forKey key: Key) throws -> Date? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let date = Timestamp.date(from: text) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: self,
                debugDescription:
                    "Expected a time like 2026-08-01T10:00:00Z, found “\(text.prefix(64))”."
            )
        }
        return date
    }
}

extension KeyedEncodingContainer {
    mutating func encode(timestamp date: Date?, forKey key: Key) throws {
        guard let date else { return }
        guard let text = Timestamp.text(from: date) else {
            // Not the date itself: Foundation traps when it describes one so far away.
            throw EncodingError.invalidValue(
                date.timeIntervalSince1970,
                EncodingError.Context(
                    codingPath: codingPath + [key],
                    debugDescription: "Expected a time in the years 0 to 9999."
                )
            )
        }
        try encode(text, forKey: key)
    }
}

private struct DigitReader {
    var bytes: Substring.UTF8View

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: character) else { return false }
        bytes.removeFirst()
        return true
    }

    mutating func digit() -> Int? {
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

    /// Zero when there is none; `nil` when a point has no digit after it.
    mutating func fraction() -> Double? {
        guard skip(".") else { return 0 }
        guard var value = digit().map(Double.init) else { return nil }
        var scale = 10.0
        while let digit = digit() {
            // More digits than a date can hold; all the digits of a long text would overflow.
            guard scale < 1e15 else { continue }
            value = value * 10 + Double(digit)
            scale *= 10
        }
        return value / scale
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = number(digits: 2), hours < 24, skip(":"),
            let minutes = number(digits: 2), minutes < 60
        else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}

/// The calendar of RFC 3339 and RFC 9110, reckoned backwards and forwards without end.
enum Gregorian {
    static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts days of the proleptic Gregorian calendar, with years that begin in March so that the
    /// leap day is the last of its year.
    static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let (era, yearOfEra) = marchYear.flooringDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The inverse of `daysSince1970(year:month:day:)`.
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
    func flooringDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
