import Foundation

extension Price: Codable {
    enum Member: CodingKey {
        case amount, minorUnits, centAmount, preciseAmount, fractionDigits
        case currency, currencyCode
    }

    /// Decodes a price from any of the formats that common backends use.
    ///
    /// - The currency is the member `currencyCode` or `currency`.
    /// - The amount is `amount`: a decimal string, or a number, in units of the currency. Digits of a
    ///   number after the 38th are not seen: the system's decoder drops them.
    /// - Without `amount`, it is `preciseAmount`, `centAmount` or `minorUnits`: an integer in minor
    ///   units, with `fractionDigits` or else the digits of ISO 4217.
    ///
    /// - Throws: A `DecodingError` with the path of the member if the amount is not an exact number
    ///   or the currency is not an ISO 4217 code.
    public init(from decoder: any Decoder) throws {
        try self.init(in: decoder.container(keyedBy: Member.self))
    }

    /// Decodes a price from a container that is open already.
    init(in container: KeyedDecodingContainer<Member>) throws {
        let currency = try Price.currency(in: container)
        if let amount = try Price.amount(in: container) {
            self.init(amount: amount, currency: currency)
        } else {
            self = try Price.minorUnits(in: container, currency: currency)
        }
    }

    /// Encodes `amount` as a decimal string, which no decoder rounds, and `currency`.
    ///
    /// - Throws: `EncodingError` for an amount that cannot be decoded again: not a number, or more than 28 digits before
    ///   or 10 digits after the decimal point; and for a currency that is not an ISO 4217 code.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Member.self)
        let text = amount.description
        func invalid(_ problem: InvalidPrice, at member: Member) -> EncodingError {
            EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: container.codingPath + [member],
                    debugDescription: problem.debugDescription
                )
            )
        }
        guard Decimal(strictText: text) != nil else { throw invalid(.amount(text), at: .amount) }
        guard Price.isCurrencyCode(currency) else {
            throw invalid(.currency(currency), at: .currency)
        }
        try container.encode(text, forKey: .amount)
        try container.encode(currency, forKey: .currency)
    }

    private static func currency(in container: KeyedDecodingContainer<Member>) throws -> String {
        let member: Member = container.hasValue(forKey: .currencyCode) ? .currencyCode : .currency
        let currency = try container.decode(String.self, forKey: member)
        guard isCurrencyCode(currency) else {
            let problem = InvalidPrice.currency(currency).debugDescription
            throw container.invalidValue(forKey: member, problem)
        }
        return currency
    }

    private static func amount(in container: KeyedDecodingContainer<Member>) throws -> Decimal? {
        var text = try? container.decodeIfPresent(String.self, forKey: .amount)
        if text == nil {
            guard container.hasValue(forKey: .amount) else { return nil }
            text = try? container.decode(Decimal.self, forKey: .amount).description
        }
        // The error of `JSONDecoder` for a number that is too large does not contain the coding path.
        guard let text else {
            let problem = "Expected a decimal string like “19.99” or a number."
            throw container.invalidValue(forKey: .amount, problem)
        }
        guard let amount = Decimal(strictText: text) else {
            let problem = InvalidPrice.amount(text).debugDescription
            throw container.invalidValue(forKey: .amount, problem)
        }
        return amount
    }

    private static func minorUnits(
        in container: KeyedDecodingContainer<Member>,
        currency: String
    ) throws -> Price {
        let members: [Member] = [.preciseAmount, .centAmount, .minorUnits]
        guard let member = members.first(where: container.hasValue),
            let count = try integer(forKey: member, in: container)
        else {
            let problem = "The price has no amount."
            throw DecodingError.keyNotFound(
                Member.amount,
                .init(codingPath: container.codingPath, debugDescription: problem)
            )
        }
        let digits = try integer(forKey: .fractionDigits, in: container)
        if let digits, !(0...20).contains(digits) {
            let problem = "Expected 0 to 20 digits, found \(digits)."
            throw container.invalidValue(forKey: .fractionDigits, problem)
        }
        return Price(minorUnits: count, currency: currency, fractionDigits: digits.map(Int.init))
    }

    /// Decodes an integer, or returns `nil` if the member is absent or `null`.
    private static func integer(
        forKey member: Member,
        in container: KeyedDecodingContainer<Member>
    ) throws -> Int64? {
        guard container.hasValue(forKey: member) else { return nil }
        // The error of `JSONDecoder` for a fraction, or for a number that is too large, does not contain the path.
        guard let number = try? container.decode(Int64.self, forKey: member) else {
            throw container.invalidValue(forKey: member, "Expected an integer of at most 64 bits.")
        }
        return number
    }
}
