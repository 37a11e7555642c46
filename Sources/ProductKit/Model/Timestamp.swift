import Foundation

/// A moment in JSON: an RFC 3339 text, read and written without a formatter.
///
/// A formatter costs 30 to 2,000 times as much, once for every product of a catalogue.
struct Timestamp: Codable {
    let date: Date

    init(_ date: Date) {
        self.date = date
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = Timestamp.date(from: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "Expected a time like 2026-08-01T10:00:00Z, found “\(text)”."
            )
        }
        self.date = date
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The moment in UTC, to the millisecond; the system's own style cuts what it should round.
    private var text: String {
        let total = Int((date.timeIntervalSince1970 * 1_000).rounded())
        let milliseconds = (total % 1_000 + 1_000) % 1_000
        let whole = Date(timeIntervalSince1970: Double(total - milliseconds) / 1_000).formatted(
            .iso8601
        )
        guard milliseconds != 0 else { return whole }
        return whole.dropLast() + "." + String(milliseconds + 1_000).suffix(3) + "Z"
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
            (1...12).contains(month), (1...days(inMonth: month, of: year)).contains(day),
            hour < 24, minute < 60, second <= 60,
            let fraction = reader.fraction(),
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts days of the proleptic Gregorian calendar, with years that begin in March so that the
    /// leap day is the last of its year.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
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

    /// Zero when there is none; `nil` when a point has no digit behind it.
    mutating func fraction() -> Double? {
        guard skip(".") else { return 0 }
        guard var value = digit().map(Double.init) else { return nil }
        var scale = 10.0
        while let digit = digit() {
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
