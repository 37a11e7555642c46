import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-08-01T10:00:00Z", 1_785_578_400),
        ("2038-01-19T03:14:08Z", 2_147_483_648), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ("1969-12-31T23:59:59Z", -1), ("1900-02-28T23:59:59Z", -2_203_891_201),
        ("1582-10-04T00:00:00Z", -12_220_243_200), ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("0000-01-01T00:00:00Z", -62_167_219_200),
    ])
    func `a timestamp is converted to seconds since 1970`(text: String, seconds: Int) throws {
        #expect(try date(text) == Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    // Rule: json/timestamps-of-rfc-3339 (15)
    @Test func `a date is created from a timestamp`() {
        #expect(
            Date(timestamp: "2026-08-01T12:00:00.5+02:00")
                == Date(timeIntervalSince1970: 1_785_578_400.5)
        )
        #expect(Date(timestamp: "2026-08-01") == nil)
        #expect(Date(timestamp: "") == nil && Date(timestamp: nil) == nil)
    }

    // Rule: json/timestamps-of-rfc-3339 (15)
    @Test func `a decoder decodes timestamps with fractions, and names a member without one`()
        throws
    {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .timestamp

        let dates = try decoder.decode(
            [Date].self,
            from: Data(#"["1970-01-01T00:00:00.25Z", "1970-01-01T01:00:01+01:00"]"#.utf8)
        )
        let error = #expect(throws: DecodingError.self) {
            try decoder.decode([String: Date].self, from: Data(#"{"from": "soon"}"#.utf8))
        }

        #expect(dates == [0.25, 1].map(Date.init(timeIntervalSince1970:)))
        guard case .dataCorrupted(let context) = error else {
            Issue.record("Another error was thrown.")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["from"])
        #expect(context.debugDescription.contains("found “soon”"))
    }

    @Test(arguments: [
        "2026-08-01T12:00:00+02:00", "2026-08-01T00:30:00-09:30", "2026-08-01T15:30:00+05:30",
        "2026-08-02T09:59:00+23:59", "2026-07-31T10:01:00-23:59", "2026-08-01T10:00:00+00:00",
        "2026-08-01T10:00:00-00:00", "2026-08-01t10:00:00z", "2026-08-01T10:00:00.000Z",
        "2026-08-01 10:00:00Z",
    ])
    func `timestamps with different offsets are the same date`(text: String) throws {
        #expect(try date(text) == Date(timeIntervalSince1970: 1_785_578_400))
    }

    @Test(arguments: [
        ("2026-08-01T10:00:00.5Z", 0.5), ("2026-08-01T10:00:00.05Z", 0.05),
        ("2026-08-01T12:00:00.123+02:00", 0.123), ("2026-08-01T10:00:00.355522Z", 0.355522),
        ("2026-08-01T10:00:00.123456789Z", 0.123456789),
        ("2026-08-01T10:00:00.\(String(repeating: "3", count: 400))Z", 1.0 / 3),
    ])
    func `a fraction can have any number of digits`(text: String, fraction: Double) throws {
        let difference = try date(text).timeIntervalSince1970 - 1_785_578_400 - fraction

        #expect(abs(difference) < 0.000_001)
    }

    @Test func `a fraction before 1970 is added`() throws {
        #expect(try date("1969-12-31T23:59:59.75Z") == Date(timeIntervalSince1970: -0.25))
    }

    @Test(arguments: [
        ("2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z"),
        ("2000-02-29T00:00:00Z", "2000-03-01T00:00:00Z"),
        ("2400-02-29T00:00:00Z", "2400-03-01T00:00:00Z"),
        ("2023-02-28T00:00:00Z", "2023-03-01T00:00:00Z"),
        ("1900-02-28T00:00:00Z", "1900-03-01T00:00:00Z"),
        ("2026-12-31T00:00:00Z", "2027-01-01T00:00:00Z"),
    ])
    func `consecutive days are 24 hours apart`(day: String, next: String) throws {
        #expect(try date(next).timeIntervalSince(date(day)) == 86_400)
    }

    @Test(arguments: [
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ("2016-12-31T15:59:60.5-08:00", "2017-01-01T00:00:00.5Z"),
    ])
    func `a leap second is the first second of the next day`(leap: String, next: String) throws {
        #expect(try date(leap) == date(next))
    }

    @Test(arguments: [
        "2023-02-29", "1900-02-29", "2100-02-29", "2024-02-30", "2026-04-31", "2026-06-31",
        "2026-09-31", "2026-11-31", "2026-01-32", "2026-01-00", "2026-00-01", "2026-13-01",
        "26-08-01", "2026-8-01", "2026-08-1", "+2026-08-01", "-026-08-01", "02026-08-01",
        "2026/08/01", "20260801", "２０２６-08-01", "",
    ])
    func `a day that does not exist is rejected`(day: String) throws {
        #expect(try reason("\(day)T10:00:00Z").hasPrefix("Expected a time"))
    }

    @Test(arguments: [
        "24:00:00", "23:60:00", "23:59:61", "10:00:60", "10:59:60", "-1:00:00", "1:00:00", "10:00",
        "10:0:00",
        "100000",
        "10.00.00", "10:00:00.", "10:00:00.Z", "10:00:00,5", "10:00:00.5.5", "10:00:00 ", "",
    ])
    func `a time that does not exist is rejected`(time: String) throws {
        #expect(try reason("2026-08-01T\(time)Z").hasPrefix("Expected a time"))
    }

    // Rule: json/timestamps-of-rfc-3339 (15)
    @Test(arguments: [
        ("9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31T23:59:59-01:00", "9999-12-31T23:59:59.999Z"),
        ("0000-01-01T00:00:00+01:00", "0000-01-01T00:00:00Z"),
    ])
    func `a time outside the years that can be written is the next one inside`(
        text: String,
        written: String
    ) throws {
        let json = try product(updatedAt: text).encodedJSON()

        #expect(json.contains(written))
    }

    @Test(arguments: [
        "", "+", "+2", "+02", "+0200", "+02:0", "+24:00", "+02:60", "02:00", "ZZ", "Z ", " Z",
        "GMT", "+02:00Z", "Z+02:00", "\u{2212}02:00",
    ])
    func `a missing or invalid offset is rejected`(offset: String) throws {
        #expect(try reason("2026-08-01T10:00:00\(offset)").hasPrefix("Expected a time"))
    }

    @Test(arguments: [" ", "2026-08-01", "2026-08-01  10:00:00Z", " 2026-08-01T10:00:00Z"])
    func `the error for an invalid timestamp contains an example`(text: String) throws {
        let expected = "Expected a time like 2026-08-01T10:00:00Z, found “\(text)”."

        #expect(try reason(text) == expected)
    }
}

private func date(_ text: String) throws -> Date {
    try #require(try product(updatedAt: text).updatedAt)
}

/// The reason why a timestamp is invalid.
private func reason(_ text: String) throws -> String {
    let product = try product(updatedAt: text)
    #expect(product.updatedAt == nil && product.invalidMembers.map(\.path) == ["updatedAt"])
    return product.invalidMembers.first?.reason ?? ""
}

private func product(updatedAt text: String) throws -> Product {
    try Product.decoded(from: #"{"id": "1", "name": "A", "updatedAt": "\#(text)"}"#)
}
