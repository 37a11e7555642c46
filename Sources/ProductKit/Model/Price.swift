public import Foundation

/// An exact amount of money in one currency.
///
/// The amount is a `Decimal`, never a binary floating-point number: 19.99 stays 19.99.
///
/// ```swift
/// let exact = try Price("19.99", currency: "EUR")
/// let cents = Price(minorUnits: 1999, currency: "EUR")
/// ```
public struct Price: Hashable, Sendable {
    /// The amount in whole units of the currency, as exact as the backend gave it.
    public let amount: Decimal
    /// The ISO 4217 code, in upper case.
    public let currency: String

    /// Creates a price from an exact amount.
    ///
    /// A literal with a fraction goes through `Double` before it becomes a `Decimal`; use
    /// ``init(_:currency:)`` for those.
    ///
    /// - Parameters:
    ///   - amount: The amount in whole units.
    ///   - currency: An ISO 4217 code, in any case.
    public init(amount: Decimal, currency: String) {
        self.amount = amount
        let code = currency.asciiCode
        // Most codes are in upper case already, where this bit of an ASCII letter is not set.
        self.currency = code != 0 && code & 0x20_2020 == 0 ? currency : currency.uppercased()
    }

    /// Creates a price from a decimal text such as `"19.99"` or `"-5"`.
    ///
    /// - Parameters:
    ///   - text: Up to 28 digits, then at most a point and up to 10 more; a minus sign may lead.
    ///     Nothing else is read: no plus, exponent, grouping, comma or white space.
    ///   - currency: An ISO 4217 code, in any case.
    /// - Throws: ``InvalidPrice`` when the text is no such number or the currency no such code.
    public init(_ text: String, currency: String) throws {
        guard Price.isCurrencyCode(currency) else { throw InvalidPrice.currency(currency) }
        guard let amount = Decimal(strictText: text) else { throw InvalidPrice.amount(text) }
        self.init(amount: amount, currency: currency)
    }

    /// Creates a price from a count of the currency's smallest units, such as cents.
    ///
    /// - Parameters:
    ///   - minorUnits: The count; 1999 is €19.99, ¥1999 or KD 1.999.
    ///   - currency: An ISO 4217 code, in any case.
    ///   - fractionDigits: The digits after the point, when the backend tells them; they win over
    ///     those of ISO 4217. Between 0 and 20.
    public init(minorUnits: Int64, currency: String, fractionDigits: Int? = nil) {
        let digits = fractionDigits ?? CurrencyDigits.digits(for: currency)
        precondition((0...20).contains(digits), "fractionDigits is \(digits); use 0 to 20")
        let amount = Decimal(
            sign: minorUnits < 0 ? .minus : .plus,
            exponent: -digits,
            significand: Decimal(minorUnits.magnitude)
        )
        self.init(amount: amount, currency: currency)
    }

    /// The price as a person in that place reads it: `19,99 €` in Germany, `€19.99` in the USA.
    ///
    /// Shows as many digits as ISO 4217 gives the currency, rounded half to even; the amount itself
    /// stays exact.
    ///
    /// - Parameter locale: Whose way of writing numbers and currencies to use.
    /// - Returns: The amount with the currency's sign or code.
    public func formatted(locale: Locale = .autoupdatingCurrent) -> String {
        amount.formatted(
            .currency(code: currency)
                .precision(.fractionLength(CurrencyDigits.digits(for: currency)))
                .locale(locale)
        )
    }

    static func isCurrencyCode(_ text: String) -> Bool {
        text.utf8.count == 3
            && text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    }
}

/// A text or number that is no price.
public enum InvalidPrice: LocalizedError, Hashable {
    /// The text, or the number written out, is no amount of money.
    case amount(String)
    /// The text is no ISO 4217 code.
    case currency(String)

    /// What was wrong, with what, and what to write instead.
    public var errorDescription: String? {
        switch self {
        case .amount(let text):
            "“\(text.prefix(64))” is no amount of money; write digits with at most one point, like “19.99”."
        case .currency(let text):
            "“\(text.prefix(64))” is no currency; write an ISO 4217 code of three letters, like “EUR”."
        }
    }
}

extension Decimal {
    /// Reads digits, with at most a minus sign in front and one point among them; `Decimal(string:)`
    /// stops silently at the first character that it does not understand.
    init?(strictText text: String) {
        var digits = 0
        var fractionDigits: Int?
        var significand: UInt64 = 0
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        for byte in text.utf8.dropFirst(isNegative ? 1 : 0) {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                significand = significand &* 10 &+ UInt64(byte & 0x0F)
                if let count = fractionDigits { fractionDigits = count + 1 } else { digits += 1 }
            case UInt8(ascii: ".") where fractionDigits == nil:
                fractionDigits = 0
            default:
                return nil
            }
        }
        guard (1...28).contains(digits), fractionDigits.map((1...10).contains) ?? true else {
            return nil
        }
        let scale = fractionDigits ?? 0
        // Any 19 digits fit into 64 bits; more take the slow way.
        if digits + scale <= 19 {
            self.init(
                sign: isNegative ? .minus : .plus,
                exponent: -scale,
                significand: Decimal(significand)
            )
        } else {
            self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
        }
    }
}

/// How many digits a currency has after the decimal point, as ISO 4217 says.
///
/// The system's own tables differ from ISO 4217 for several currencies and from platform to
/// platform, so the exceptions are written out here; every other currency has two digits.
private enum CurrencyDigits {
    /// The digits of a currency's minor unit: 2 for `EUR`, 0 for `JPY`, 3 for `KWD`.
    ///
    /// - Parameter currency: An ISO 4217 code, in any case. A code not listed there has 2.
    /// - Returns: A number between 0 and 4.
    static func digits(for currency: String) -> Int {
        // In ASCII, upper and lower case differ in this one bit.
        let code = currency.asciiCode & ~0x20_2020
        var (first, end) = (0, exceptions.count)
        while first < end {
            let middle = (first + end) / 2
            if exceptions[middle].code < code { first = middle + 1 } else { end = middle }
        }
        return first < exceptions.count && exceptions[first].code == code
            ? exceptions[first].digits : 2
    }

    /// In the order of their codes, for a search that needs no hashing of texts.
    private static let exceptions: [(code: UInt32, digits: Int)] = [
        0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
        3: "BHD IQD JOD KWD LYD OMR TND",
        4: "CLF UYW",
    ].flatMap { digits, codes in
        codes.split(separator: " ").map { (code: String($0).asciiCode, digits: digits) }
    }.sorted { $0.code < $1.code }
}

extension String {
    /// Three ASCII characters as one number, the first of them highest; zero for any other text.
    fileprivate var asciiCode: UInt32 {
        var text = self
        return text.withUTF8 { bytes in
            guard bytes.count == 3 else { return 0 }
            let code = UInt32(bytes[0]) << 16 | UInt32(bytes[1]) << 8 | UInt32(bytes[2])
            return code & 0x80_8080 == 0 ? code : 0
        }
    }
}
