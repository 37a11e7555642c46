import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct PriceDecodingTests {
    // Rule: json/text-amounts-are-exact (3); json/number-amounts-are-exact (4)
    @Test(arguments: [
        (#""19.99""#, "19.99"), (#""-5""#, "-5"), (#""0.00""#, "0"), (#""-0""#, "0"),
        (
            #""9999999999999999999999999999.9999999999""#,
            "9999999999999999999999999999.9999999999"
        ),
        ("19.99", "19.99"), ("25", "25"), ("-0.1", "-0.1"), ("-0", "0"), ("1.5e1", "15"),
        ("1e27", "1000000000000000000000000000"), ("1e-10", "0.0000000001"),
        (
            "1234567890123456789012345678.0123456789",
            "1234567890123456789012345678.0123456789"
        ),
        // The system's decoder does not show the last digit.
        ("0.300000000000000000000000000000000000000000001", "0.3"),
    ])
    func `an amount is a decimal string or a number`(json: String, digits: String) throws {
        let price = try Price.decoded(from: #"{"amount": \#(json), "currency": "EUR"}"#)

        #expect(price.amount.description == digits)
        #expect(price.currency == "EUR")
    }

    @Test(arguments: ["minorUnits", "centAmount", "preciseAmount"])
    func `minor units have the digits of the currency`(member: String) throws {
        let euros = try Price.decoded(from: #"{"\#(member)": 4200, "currency": "EUR"}"#)
        let yen = try Price.decoded(from: #"{"\#(member)": 4200, "currencyCode": "JPY"}"#)
        let dinars = try Price.decoded(from: #"{"\#(member)": -4200, "currency": "kwd"}"#)

        #expect(euros == Price(amount: 42, currency: "EUR"))
        #expect(yen == Price(amount: 4200, currency: "JPY"))
        #expect(dinars == Price(minorUnits: -4200, currency: "KWD"))
    }

    @Test(arguments: ["minorUnits", "centAmount", "preciseAmount"])
    func `digits in the JSON replace those of the currency`(member: String) throws {
        let price = try Price.decoded(
            from: #"{"\#(member)": 98765, "fractionDigits": 4, "currency": "JPY"}"#
        )

        #expect(price.amount.description == "9.8765")
    }

    @Test func `the precise amount is preferred to the rounded amount`() throws {
        let price = try Price.decoded(
            from: """
                {"type": "highPrecision", "currencyCode": "EUR", "centAmount": 2,
                 "preciseAmount": 198765, "fractionDigits": 7}
                """
        )

        #expect(price.amount.description == "0.0198765")
    }

    @Test func `an amount in currency units is preferred to minor units`() throws {
        let price = try Price.decoded(
            from: #"{"amount": 7.5, "minorUnits": 1, "fractionDigits": 2, "currency": "CHF"}"#
        )

        #expect(price == Price(minorUnits: 750, currency: "CHF"))
    }

    @Test func `the smallest amount of minor units is exact`() throws {
        let json = #"{"minorUnits": \#(Int64.min), "fractionDigits": 20, "currency": "EUR"}"#

        #expect(try Price.decoded(from: json).amount.description == "-0.09223372036854775808")
    }

    @Test(arguments: [
        #"{"amount": null, "centAmount": 4200, "currency": "EUR"}"#,
        #"{"preciseAmount": null, "centAmount": 4200, "currency": "EUR"}"#,
        #"{"centAmount": null, "minorUnits": 4200, "currency": "EUR"}"#,
        #"{"amount": "42", "preciseAmount": null, "fractionDigits": null, "currency": "EUR"}"#,
        #"{"minorUnits": 4200, "fractionDigits": null, "currency": "EUR"}"#,
        #"{"amount": "42", "currency": null, "currencyCode": "EUR"}"#,
        #"{"amount": "42", "currency": "EUR", "currencyCode": null}"#,
        #"{"amount": "42", "currency": "eur", "tax": {"rate": [1]}, "type": "x"}"#,
    ])
    func `null is the same as an absent member, and unknown members are ignored`(
        json: String
    ) throws {
        #expect(try Price.decoded(from: json) == Price(amount: 42, currency: "EUR"))
    }

    // Rule: json/text-amounts-are-exact (3)
    @Test(arguments: [
        "9,99", "9.99abc", "-", "+1", "1e3", " 1", "1 000", "٩", "NaN", "", ".5", "1.",
        "12345678901234567890123456789", "0.12345678901",
    ])
    func `an amount that is not a plain decimal string is rejected with its path`(
        text: String
    ) throws {
        let page = try Page<Price>.decoded(
            from: #"{"items": [{"amount": "\#(text)", "currency": "EUR"}]}"#
        )

        let reason = InvalidPrice.amount(text).debugDescription
        #expect(page.rejected == [RejectedElement(index: 0, member: "amount", reason: reason)])
    }

    // Rule: json/number-amounts-are-exact (4)
    @Test(arguments: [
        "1e28", "-1e28", "1e127", "1e400", "1e-11", "19.990000000000002",
        "12345678901234567890123456789", "12345678901234567890123456789.0123456789",
        "123456789012345678901234567890123456789012", "0.30000000000000004",
    ])
    func `a number that is not an exact amount is rejected with its path`(number: String) throws {
        let page = try Page<Price>.decoded(
            from: #"{"items": [{"amount": \#(number), "currency": "EUR"}]}"#
        )

        #expect(page.items == [])
        #expect(page.rejected.map(\.member) == ["amount"])
    }

    @Test(arguments: [
        (#""amount": true, "currency": "EUR""#, "amount"),
        (#""amount": [1], "currency": "EUR""#, "amount"),
        (#""amount": {"value": "1"}, "currency": "EUR""#, "amount"),
        (#""currency": "EUR""#, "amount"),
        (#""amount": null, "centAmount": null, "currency": "EUR""#, "amount"),
        (#""centAmount": "4200", "currency": "EUR""#, "centAmount"),
        (#""centAmount": 42.5, "currency": "EUR""#, "centAmount"),
        (#""minorUnits": 9223372036854775808, "currency": "EUR""#, "minorUnits"),
        (#""preciseAmount": true, "currency": "EUR""#, "preciseAmount"),
        (#""minorUnits": 1, "fractionDigits": -1, "currency": "EUR""#, "fractionDigits"),
        (#""minorUnits": 1, "fractionDigits": 21, "currency": "EUR""#, "fractionDigits"),
        (#""minorUnits": 1, "fractionDigits": 1.5, "currency": "EUR""#, "fractionDigits"),
        (#""minorUnits": 1, "fractionDigits": "2", "currency": "EUR""#, "fractionDigits"),
        (#""amount": "1""#, "currency"),
        (#""amount": "1", "currency": null"#, "currency"),
        (#""amount": "1", "currency": 978"#, "currency"),
        (#""amount": "1", "currency": """#, "currency"),
        (#""amount": "1", "currency": "EURO""#, "currency"),
        (#""amount": "1", "currencyCode": "€""#, "currencyCode"),
    ])
    func `an invalid price is rejected with the path of the member`(
        members: String,
        name: String
    ) throws {
        let page = try Page<Price>.decoded(from: #"{"items": [{\#(members)}]}"#)

        #expect(page.items == [])
        #expect(page.rejected.map(\.member) == [name])
    }

    @Test(arguments: [
        "0", "-5", "19.99", "0.0000000001", "-0.0000000001", "100",
        "9999999999999999999999999999.9999999999", "-1234567890123456789012345678.0123456789",
    ])
    func `a price is encoded with its amount as a string and decoded equal`(
        amount: String
    ) throws {
        let price = try Price(amount, currency: "EUR")

        let json = try price.encodedJSON()

        #expect(json == #"{"amount":"\#(amount)","currency":"EUR"}"#)
        #expect(try Price.decoded(from: json) == price)
    }

    @Test(arguments: [
        Price(amount: .nan, currency: "EUR"),
        Price(amount: .greatestFiniteMagnitude, currency: "EUR"),
        Price(minorUnits: 1, currency: "EUR", fractionDigits: 11),
        Price(amount: 5, currency: "USDT"), Price(amount: 5, currency: ""),
    ])
    func `a price that cannot be decoded is not encoded`(price: Price) {
        #expect(throws: EncodingError.self) {
            try price.encodedJSON()
        }
    }
}
