import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct TimestampEncodingTests {
    /// Dates after 1582, where Foundation uses the same calendar.
    private static let dates = stride(
        from: -12_212_500_000.0,
        through: 253_402_300_799,
        by: 597_654_321
    ).map(Date.init(timeIntervalSince1970:))

    @Test(arguments: dates)
    func `timestamps are decoded and encoded as Foundation does`(date: Date) throws {
        let text = date.formatted(.iso8601)

        #expect(try encoded(date) == text)
        #expect(try decoded(text) == date)
    }

    @Test(arguments: dates)
    func `timestamps with an offset are decoded as Foundation formats them`(date: Date) throws {
        let zone = try #require(TimeZone(secondsFromGMT: -34_200))
        let style = Date.ISO8601FormatStyle(timeZoneSeparator: .colon, timeZone: zone)

        #expect(try decoded(date.formatted(style)) == date)
    }

    @Test(
        arguments: Array(
            stride(from: -62_167_219_199.877, through: 253_402_300_799, by: 1_097_654_321)
        )
    )
    func `an encoded date is decoded to the millisecond`(seconds: TimeInterval) throws {
        let date = Date(timeIntervalSince1970: seconds)

        let difference = try decoded(encoded(date)).timeIntervalSince(date)

        #expect(abs(difference) <= 0.000_51)
    }

    @Test(arguments: [
        "0000-01-01T00:00:00Z", "0001-01-01T00:00:00.001Z", "0004-02-29T12:00:00Z",
        "1500-02-28T23:59:59.999Z", "1582-10-05T00:00:00Z", "1969-12-31T23:59:59.999Z",
        "1970-01-01T00:00:00Z", "2000-02-29T23:59:59Z", "2026-08-01T10:00:00.007Z",
        "2026-12-31T23:59:59.120Z", "9999-12-31T23:59:59.999Z",
    ])
    func `a decoded timestamp is encoded unchanged`(text: String) throws {
        #expect(try encoded(decoded(text)) == text)
    }

    @Test(arguments: [
        (1_785_578_400.0004, "2026-08-01T10:00:00Z"),
        (1_785_578_400.0006, "2026-08-01T10:00:00.001Z"),
        (1_785_578_399.9996, "2026-08-01T10:00:00Z"), (-0.0004, "1970-01-01T00:00:00Z"),
        (-0.0006, "1969-12-31T23:59:59.999Z"),
    ])
    func `a date is rounded to the nearest millisecond`(
        seconds: TimeInterval,
        text: String
    ) throws {
        #expect(try encoded(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(arguments: [
        253_402_300_799.9996, -62_167_219_200.001, 1e300, -1e300, .infinity, -.infinity, .nan,
    ])
    func `a date outside the years 0 to 9999 is not encoded`(seconds: TimeInterval) {
        #expect(throws: EncodingError.self) {
            try encoded(Date(timeIntervalSince1970: seconds))
        }
    }
}

private func decoded(_ text: String) throws -> Date {
    let list = try ProductList.decoded(from: #"{"id": "1", "name": "A", "updatedAt": "\#(text)"}"#)
    return try #require(list.updatedAt)
}

private func encoded(_ date: Date) throws -> String {
    let json = try ProductList(id: "1", name: "A", updatedAt: date).encodedJSON()
    let text = try #require(json.firstMatch(of: /"updatedAt":"([^"]*)"/))
    return String(text.1)
}
