public import Foundation

/// An exact amount of money in one currency.
///
/// The amount is a `Decimal` and not a binary floating-point number, so 19.99 is exactly 19.99.
///
/// ```swift
/// let exact = try Price("19.99", currency: "EUR")
/// let cents = Price(minorUnits: 1999, currency: "EUR")
/// ```
public struct Price: Hashable, Sendable {
    /// The amount in units of the currency, such as euros, exactly as the backend sent it.
    public let amount: Decimal
    /// The ISO 4217 code, in upper case.
    public let currency: String

    /// Creates a price from an exact amount.
    ///
    /// Use ``init(_:currency:)-(String,_)`` for a literal with a fraction: Swift converts such a literal to
    /// `Double` before it becomes a `Decimal`.
    ///
    /// - Parameters:
    ///   - amount: The amount in units of the currency.
    ///   - currency: An ISO 4217 code in upper or lower case, which is not checked here. A price with another
    ///     text cannot be encoded.
    public init(amount: Decimal, currency: String) {
        self.amount = amount
        self.currency = currency.uppercased()
    }

    /// Creates a price from a decimal string such as `"19.99"` or `"-5"`.
    ///
    /// - Parameters:
    ///   - text: An optional minus sign, 1 to 28 digits, and optionally a decimal point with 1 to 10 digits and any
    ///     number of zeros after them. A plus sign, exponent, grouping separator, comma or whitespace is not accepted.
    ///   - currency: An ISO 4217 code in upper or lower case.
    /// - Throws: ``InvalidPrice`` if the text or the currency does not have this format.
    public init(_ text: String, currency: String) throws {
        guard Price.isCurrencyCode(currency) else { throw InvalidPrice.currency(currency) }
        guard let amount = Decimal(strictText: text) else { throw InvalidPrice.amount(text) }
        self.init(amount: amount, currency: currency)
    }

    /// Creates a price, or `nil` if a server has left out the amount or the currency.
    ///
    /// Apart from that, it is the same as ``init(amount:currency:)-(Decimal,_)``.
    public init?(amount: Decimal?, currency: String?) {
        guard let amount, let currency else { return nil }
        self.init(amount: amount, currency: currency)
    }

    /// Creates a price from a decimal string, or `nil` if a server has left out the string or the currency.
    ///
    /// Apart from that, it is the same as ``init(_:currency:)-(String,_)``.
    public init?(_ text: String?, currency: String?) throws {
        guard let text, let currency else { return nil }
        try self.init(text, currency: currency)
    }

    /// Creates a price from an amount in minor units and a currency that a server sent.
    ///
    /// Apart from the checks, it is the same as ``init(minorUnits:currency:fractionDigits:)``.
    ///
    /// - Throws: ``InvalidPrice`` if the currency is not a code of three letters, or the number of
    ///   digits is not between 0 and 20.
    public init(minorUnits: Int64, validating currency: String, fractionDigits: Int? = nil) throws {
        guard Price.isCurrencyCode(currency) else { throw InvalidPrice.currency(currency) }
        if let fractionDigits, !(0...20).contains(fractionDigits) {
            throw InvalidPrice.amount("\(minorUnits)e-\(fractionDigits)")
        }
        self.init(minorUnits: minorUnits, currency: currency, fractionDigits: fractionDigits)
    }

    /// Creates a price from an amount in minor units, or `nil` if a server has left out the amount or the currency.
    ///
    /// Apart from that, it is the same as ``init(minorUnits:validating:fractionDigits:)-(Int64,_,_)``.
    public init?(
        minorUnits: Int64?,
        validating currency: String?,
        fractionDigits: Int? = nil
    ) throws {
        guard let minorUnits, let currency else { return nil }
        try self.init(minorUnits: minorUnits, validating: currency, fractionDigits: fractionDigits)
    }

    /// Creates a price from an amount in minor units that a server sent as text, such as `"1999"`.
    ///
    /// The text is an optional minus sign and digits, of at most 64 bits. Apart from that, it is the same as
    /// ``init(minorUnits:validating:fractionDigits:)-(Int64,_,_)``.
    ///
    /// - Throws: ``InvalidPrice`` if the text, the currency or the number of digits is not valid.
    public init(minorUnitText text: String, currency: String, fractionDigits: Int? = nil) throws {
        guard let amount = Int64(text), !text.hasPrefix("+") else {
            throw InvalidPrice.amount(text)
        }
        try self.init(minorUnits: amount, validating: currency, fractionDigits: fractionDigits)
    }

    /// Creates a price from minor units as text, or `nil` if a server has left out the text or the currency.
    ///
    /// Apart from that, it is the same as ``init(minorUnitText:currency:fractionDigits:)-(String,_,_)``.
    public init?(
        minorUnitText text: String?,
        currency: String?,
        fractionDigits: Int? = nil
    ) throws {
        guard let text, let currency else { return nil }
        try self.init(minorUnitText: text, currency: currency, fractionDigits: fractionDigits)
    }

    /// Creates a price from an amount in minor units, such as cents.
    ///
    /// For a currency that a server sends, use ``init(minorUnits:validating:fractionDigits:)-(Int64,_,_)``.
    ///
    /// - Parameters:
    ///   - minorUnits: The amount in minor units; 1999 is €19.99, ¥1999 or KD 1.999.
    ///   - currency: An ISO 4217 code in upper or lower case, which is not checked.
    ///   - fractionDigits: The number of digits after the decimal point, between 0 and 20; by
    ///     default that of ISO 4217. Provide it if the backend sends it.
    /// - Precondition: `fractionDigits` is between 0 and 20.
    public init(minorUnits: Int64, currency: String, fractionDigits: Int? = nil) {
        let digits = fractionDigits ?? CurrencyDigits.digits(for: currency)
        precondition((0...20).contains(digits), "fractionDigits is \(digits); use 0 to 20.")
        let amount = Decimal(
            sign: minorUnits < 0 ? .minus : .plus,
            exponent: -digits,
            significand: Decimal(minorUnits.magnitude)
        )
        self.init(amount: amount, currency: currency)
    }

    /// Formats the price for a locale: `19,99 €` in Germany, `€19.99` in the USA.
    ///
    /// The text has the number of fraction digits that ISO 4217 defines for the currency, and is
    /// rounded half to even. ``amount`` is not rounded.
    ///
    /// - Parameter locale: The locale that formats the number and the currency.
    /// - Returns: The amount with the currency's symbol or code.
    public func formatted(locale: Locale = .autoupdatingCurrent) -> String {
        amount.formatted(
            .currency(code: currency)
                .precision(.fractionLength(CurrencyDigits.digits(for: currency)))
                .locale(locale)
        )
    }

    /// Whether a text is three ASCII letters, the format of ISO 4217.
    static func isCurrencyCode(_ text: String) -> Bool {
        text.utf8.count == 3
            && text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    }
}

/// An error for an invalid amount of money or currency code.
public enum InvalidPrice: LocalizedError, Hashable {
    /// The text or number is not an exact amount of money.
    case amount(String)
    /// The text does not have the format of an ISO 4217 code.
    case currency(String)

    /// The problem in two sentences that can be shown to the user.
    public var errorDescription: String? { "The price cannot be read. Try again later." }
}

extension InvalidPrice: CustomDebugStringConvertible, DeveloperTextProviding {
    /// The case with the invalid text, and the expected format.
    public var debugDescription: String {
        switch self {
        case .amount(let text):
            "InvalidPrice.amount: “\(text.prefix(64))” is not an amount of money. "
                + "Write digits with at most one decimal point, like “19.99”, or only digits for minor units, "
                + "and fractionDigits between 0 and 20."
        case .currency(let text):
            "InvalidPrice.currency: “\(text.prefix(64))” is not a currency code. "
                + "Write three letters as in ISO 4217, like “EUR”."
        }
    }
}

extension Decimal {
    /// Parses a decimal string in the format of ``Price/init(_:currency:)-(String,_)``.
    ///
    /// `Decimal(string:)` is not strict: it ignores everything after the first invalid character.
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
            // Zeros at the end of a fraction carry no value.
            guard let fractionDigits, fractionDigits > 10, text.utf8.last == UInt8(ascii: "0"),
                let end = text.utf8.lastIndex(where: { $0 != UInt8(ascii: "0") })
            else { return nil }
            let digit = text.utf8[end] == UInt8(ascii: ".") ? text.utf8.index(after: end) : end
            self.init(strictText: String(text[...digit]))
            return
        }
        let scale = fractionDigits ?? 0
        // Any 19 digits fit into 64 bits. Foundation's parser is slower.
        if digits + scale <= 19 {
            let sign: FloatingPointSign = isNegative ? .minus : .plus
            self.init(sign: sign, exponent: -scale, significand: Decimal(significand))
        } else {
            self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
        }
    }
}

/// The digits of ISO 4217: Foundation's tables differ from it for several currencies, and between platforms.
private enum CurrencyDigits {
    /// Returns the number of digits: 2 for `EUR`, 0 for `JPY`, 3 for `KWD`, 2 for an unknown code.
    static func digits(for currency: String) -> Int {
        exceptions[currency.uppercased()] ?? 2
    }

    /// The currencies that do not have two digits.
    private static let exceptions: [String: Int] = [
        0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
        3: "BHD IQD JOD KWD LYD OMR TND",
        4: "CLF UYW",
    ]
    .reduce(into: [:]) { exceptions, group in
        for code in group.value.split(separator: " ") { exceptions[String(code)] = group.key }
    }
}
