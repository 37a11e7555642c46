import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct PriceFormattingTests {
    @Test(arguments: [
        ("1999.99", "EUR", "1.999,99\u{A0}€"), ("1999", "JPY", "1.999\u{A0}¥"),
        ("1.5", "KWD", "1,500\u{A0}KWD"), ("2.1234", "CLF", "2,1234\u{A0}CLF"),
        ("-5", "EUR", "-5,00\u{A0}€"), ("0", "EUR", "0,00\u{A0}€"),
    ])
    func `a price is formatted for Germany`(amount: String, currency: String, text: String) throws {
        let price = try Price(amount, currency: currency)

        #expect(price.formatted(locale: Locale(identifier: "de_DE")) == text)
    }

    @Test(arguments: [
        ("1999.99", "EUR", "€1,999.99"), ("1999", "JPY", "¥1,999"),
        ("1.5", "KWD", "KWD\u{A0}1.500"), ("2.1234", "CLF", "CLF\u{A0}2.1234"),
        ("-5", "EUR", "-€5.00"), ("0", "EUR", "€0.00"),
    ])
    func `a price is formatted for the USA`(amount: String, currency: String, text: String) throws {
        let price = try Price(amount, currency: currency)

        #expect(price.formatted(locale: Locale(identifier: "en_US")) == text)
    }

    @Test func `a price is formatted for India`() {
        let price = Price(minorUnits: 123_456_789, currency: "INR")

        #expect(price.formatted(locale: Locale(identifier: "hi_IN")) == "₹12,34,567.89")
    }

    @Test(arguments: [
        ("0.005", "EUR", "€0.00"), ("0.015", "EUR", "€0.02"), ("0.025", "EUR", "€0.02"),
        ("0.0251", "EUR", "€0.03"), ("-0.015", "EUR", "-€0.02"), ("2.5", "JPY", "¥2"),
        ("3.5", "JPY", "¥4"), ("1.0005", "KWD", "KWD\u{A0}1.000"),
    ])
    func `excess digits are rounded half to even`(
        amount: String,
        currency: String,
        text: String
    ) throws {
        let price = try Price(amount, currency: currency)

        #expect(price.formatted(locale: Locale(identifier: "en_US")) == text)
        #expect(price.amount.description == amount)
    }

    @Test func `an amount with more digits than a double is formatted exactly`() throws {
        let price = try Price("12345678901234567890.99", currency: "EUR")

        let text = price.formatted(locale: Locale(identifier: "en_US"))

        #expect(text == "€12,345,678,901,234,567,890.99")
    }

    @Test func `an unknown currency is formatted with its code`() throws {
        let price = try Price("5", currency: "XXQ")

        #expect(price.formatted(locale: Locale(identifier: "de_DE")) == "5,00\u{A0}XXQ")
    }
}
