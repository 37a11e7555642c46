import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct CurrencyDigitsTests {
    @Test(arguments: [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
        "VUV", "XAF", "XOF", "XPF",
    ])
    func `a currency without minor units has no digits`(currency: String) {
        #expect(CurrencyDigits.digits(for: currency) == 0)
    }

    @Test(arguments: ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"])
    func `a currency of a thousand minor units has three digits`(currency: String) {
        #expect(CurrencyDigits.digits(for: currency) == 3)
    }

    @Test(arguments: ["CLF", "UYW"])
    func `a unit of account of ten thousandths has four digits`(currency: String) {
        #expect(CurrencyDigits.digits(for: currency) == 4)
    }

    /// The system's tables give some of these other digits than ISO 4217 does.
    @Test(arguments: ["EUR", "USD", "INR", "IDR", "COP", "AFN", "HUF", "CHF", "ALL", "LBP"])
    func `every other currency has two digits`(currency: String) {
        #expect(CurrencyDigits.digits(for: currency) == 2)
    }

    @Test(arguments: ["", "X", "XXQ", "EURO", "¥"])
    func `an unknown currency has two digits`(currency: String) {
        #expect(CurrencyDigits.digits(for: currency) == 2)
    }

    @Test(arguments: [("jpy", 0), ("Kwd", 3), ("clf", 4), ("eur", 2)])
    func `the case of the code does not matter`(currency: String, digits: Int) {
        #expect(CurrencyDigits.digits(for: currency) == digits)
    }
}
