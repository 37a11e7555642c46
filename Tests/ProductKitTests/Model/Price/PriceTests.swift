import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct PriceTests {
    @Test(arguments: [
        ("0", "0"), ("-5", "-5"), ("19.99", "19.99"), ("007.50", "7.5"), ("1.10", "1.1"),
        ("0.0000000001", "0.0000000001"), ("-0.05", "-0.05"),
        ("9999999999999999999", "9999999999999999999"),
        ("99999999999999999999", "99999999999999999999"),
        ("-9999999999.9999999999", "-9999999999.9999999999"),
        ("18446744073709551616.5", "18446744073709551616.5"),
        (
            "9999999999999999999999999999.9999999999", "9999999999999999999999999999.9999999999"
        ),
        (
            "-1234567890123456789012345678.0123456789",
            "-1234567890123456789012345678.0123456789"
        ),
        ("111.930000000000000000000000000000", "111.93"), ("5.00000000000", "5"),
        ("-0.0000000001000", "-0.0000000001"),
        ("1." + String(repeating: "0", count: 1_000), "1"),
        ("9999999999999999999999999999.999999999900", "9999999999999999999999999999.9999999999"),
    ])
    func `a decimal string is parsed exactly`(text: String, digits: String) throws {
        let price = try Price(text, currency: "EUR")

        #expect(price.amount.description == digits)
    }

    @Test(arguments: [
        "9,99", "9.99abc", "-", "+1", "1e3", "1E3", " 1", "1 ", "", ".5", "1.", "-.5", "--1", "1-",
        "1.2.3", "1.000,00", "1'000", "0x10", "NaN", "inf", "٣", "€1", "1\n", "1\0",
        "12345678901234567890123456789", "0.12345678901", "0.123456789010", "1.00000000000x",
        "1..00000000000", "12345678901234567890123456789.000000000000", "1.0000000000 ",
        ".00000000000",
    ])
    func `a string that is not a plain decimal number is rejected`(text: String) {
        #expect(throws: InvalidPrice.amount(text)) {
            try Price(text, currency: "EUR")
        }
    }

    @Test(arguments: ["", "EU", "EURO", "E1R", "€", "\n"])
    func `a currency of minor units is checked if it is to be validated`(currency: String) {
        #expect(throws: InvalidPrice.currency(currency)) {
            try Price(minorUnits: 1999, validating: currency)
        }
    }

    @Test func `minor units with a valid currency are exact`() throws {
        let price = try Price(minorUnits: 1999, validating: "kwd")

        #expect(price == Price(minorUnits: 1999, currency: "KWD"))
        #expect(try Price(minorUnits: 5, validating: "EUR", fractionDigits: 20).amount > 0)
        #expect(throws: InvalidPrice.amount("5e-21")) {
            try Price(minorUnits: 5, validating: "EUR", fractionDigits: 21)
        }
        #expect(throws: InvalidPrice.self) {
            try Price(minorUnits: 5, validating: "EUR", fractionDigits: -1)
        }
    }

    @Test func `minor units may be a text`() throws {
        #expect(
            try Price(minorUnitText: "1105", currency: "eur") == Price("11.05", currency: "EUR")
        )
        #expect(
            try Price(minorUnitText: "-5", currency: "KWD", fractionDigits: 2).amount == -5 / 100
        )
        #expect(try Price(minorUnitText: "0", currency: "JPY").amount == 0)
        let missing: String? = nil
        #expect(try Price(minorUnitText: missing, currency: "EUR") == nil)
        #expect(try Price(minorUnitText: "1105", currency: missing) == nil)
        let text: String? = "5"
        #expect(try Price(minorUnitText: text, currency: "JPY") == Price("5", currency: "JPY"))
    }

    @Test(arguments: [
        "", "-", "--5", "+5", "5.0", " 5", "5 ", "1e3", "٣", String(repeating: "9", count: 19),
    ])
    func `a text that is not a number of minor units is rejected`(text: String) {
        #expect(throws: InvalidPrice.amount(text)) {
            try Price(minorUnitText: text, currency: "EUR")
        }
        #expect(throws: InvalidPrice.currency("€")) { try Price(minorUnitText: "5", currency: "€") }
    }

    @Test(arguments: ["", "EU", "EURO", "E1R", "€", "EÜ", "E R", "@@@", "[[["])
    func `a currency that is not a code of three letters is rejected`(currency: String) {
        #expect(throws: InvalidPrice.currency(currency)) {
            try Price("1", currency: currency)
        }
    }

    @Test(arguments: ["0", "0.00", "-0", "-0.00"])
    func `all spellings of zero are the same price`(text: String) throws {
        let price = try Price(text, currency: "EUR")

        #expect(price == Price(minorUnits: 0, currency: "EUR"))
        #expect(try price.encodedJSON() == #"{"amount":"0","currency":"EUR"}"#)
    }

    @Test func `prices with and without trailing zeros are equal`() throws {
        let prices: Set = [
            try Price("1.10", currency: "EUR"), try Price("1.1", currency: "EUR"),
            Price(minorUnits: 110, currency: "EUR"),
            Price(minorUnits: 1100, currency: "EUR", fractionDigits: 3),
        ]

        #expect(prices.count == 1)
    }

    @Test func `prices in different currencies are not equal`() {
        #expect(Price(amount: 1, currency: "EUR") != Price(amount: 1, currency: "USD"))
    }

    @Test func `currency codes are stored in upper case`() throws {
        #expect(try Price("1", currency: "eur").currency == "EUR")
        #expect(Price(amount: 1, currency: "eUr").currency == "EUR")
        #expect(Price(minorUnits: 1, currency: "eur").currency == "EUR")
    }

    @Test(arguments: [
        (1999, "EUR", "19.99"), (1999, "JPY", "1999"), (1999, "KWD", "1.999"),
        (1999, "CLF", "0.1999"), (1999, "kwd", "1.999"), (-5, "EUR", "-0.05"), (0, "EUR", "0"),
        (Int64.max, "EUR", "92233720368547758.07"), (Int64.min, "EUR", "-92233720368547758.08"),
    ])
    func `minor units have the digits of the currency`(
        units: Int64,
        currency: String,
        amount: String
    ) {
        #expect(Price(minorUnits: units, currency: currency).amount.description == amount)
    }

    @Test(arguments: [
        (123_456, 7, "0.0123456"), (1999, 0, "1999"), (1, 20, "0.00000000000000000001"),
        (Int64.max, 20, "0.09223372036854775807"),
    ])
    func `the fractionDigits argument replaces the digits of the currency`(
        units: Int64,
        digits: Int,
        amount: String
    ) {
        let price = Price(minorUnits: units, currency: "JPY", fractionDigits: digits)

        #expect(price.amount.description == amount)
    }

    @Test func `fractionDigits outside of 0 to 20 violates a precondition`() async {
        await #expect(processExitsWith: .failure) {
            _ = Price(minorUnits: 1, currency: "EUR", fractionDigits: -1)
        }
        await #expect(processExitsWith: .failure) {
            _ = Price(minorUnits: 1, currency: "EUR", fractionDigits: 21)
        }
    }
}
