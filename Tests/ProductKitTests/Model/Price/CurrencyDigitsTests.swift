import Foundation
import ProductKit
import Testing

/// The number of minor-unit digits that `Price` uses for each currency.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CurrencyDigitsTests {
    @Test(arguments: [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
        "VUV", "XAF", "XOF", "XPF",
    ])
    func `a currency without minor units has no fraction digits`(currency: String) {
        #expect(digits(of: currency) == 0)
    }

    @Test(arguments: ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"])
    func `a currency with 1000 minor units per unit has three digits`(currency: String) {
        #expect(digits(of: currency) == 3)
    }

    @Test(arguments: ["CLF", "UYW"])
    func `a unit of account with 10000 minor units per unit has four digits`(currency: String) {
        #expect(digits(of: currency) == 4)
    }

    /// Foundation's tables differ from ISO 4217 for some of these currencies.
    @Test(arguments: ["EUR", "USD", "INR", "IDR", "COP", "AFN", "HUF", "CHF", "ALL", "LBP"])
    func `every other currency has two digits`(currency: String) {
        #expect(digits(of: currency) == 2)
    }

    @Test(arguments: ["", "X", "XXQ", "EURO", "¥"])
    func `an unknown currency has two digits`(currency: String) {
        #expect(digits(of: currency) == 2)
    }

    @Test(arguments: [("jpy", 0), ("Kwd", 3), ("clf", 4), ("eur", 2)])
    func `the letter case of a currency code does not matter`(currency: String, digits: Int) {
        #expect(self.digits(of: currency) == digits)
    }

    private func digits(of currency: String) -> Int {
        -Price(minorUnits: 1, currency: currency).amount.exponent
    }
}
