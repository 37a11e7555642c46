import Foundation

extension Price: Codable {
    enum Member: CodingKey {
        case amount, minorUnits, centAmount, preciseAmount, fractionDigits
        case currency, currencyCode
    }

    /// Reads money in the shapes that backends use.
    ///
    /// The currency is `currency` or `currencyCode`. The amount is `amount`, a decimal string or a
    /// number in whole units; or one of `preciseAmount`, `centAmount` and `minorUnits`, an integer
    /// in minor units whose digits are `fractionDigits` or else those of ISO 4217.
    ///
    /// - Throws: `DecodingError`, which names the member, for an amount that is no exact number and
    ///   for a currency that is no ISO 4217 code.
    public init(from decoder: any Decoder) throws {
        try self.init(in: decoder.container(keyedBy: Member.self))
    }

    init(in container: KeyedDecodingContainer<Member>) throws {
        let currency = try Price.currency(in: container)
        if let amount = try Price.amount(in: container) {
            self.init(amount: amount, currency: currency)
        } else {
            self = try Price.minorUnits(in: container, currency: currency)
        }
    }

    /// Writes `amount` as a decimal string, which no reader rounds, and `currency`.
    ///
    /// - Throws: `EncodingError` for an amount that could not be read again: not a number, or more
    ///   than 28 digits before the point or 10 after it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Member.self)
        let text = amount.description
        guard Decimal(strictText: text) != nil else {
            throw EncodingError.invalidValue(
                amount,
                EncodingError.Context(
                    codingPath: container.codingPath + [Member.amount],
                    debugDescription: InvalidPrice.amount(text).localizedDescription
                )
            )
        }
        try container.encode(text, forKey: .amount)
        try container.encode(currency, forKey: .currency)
    }

    private static func currency(in container: KeyedDecodingContainer<Member>) throws -> String {
        let member: Member = container.holds(.currencyCode) ? .currencyCode : .currency
        let currency = try container.decode(String.self, forKey: member)
        guard isCurrencyCode(currency) else {
            throw invalid(.currency(currency), at: member, in: container)
        }
        return currency
    }

    private static func amount(in container: KeyedDecodingContainer<Member>) throws -> Decimal? {
        if let text = try? container.decodeIfPresent(String.self, forKey: .amount) {
            guard let amount = Decimal(strictText: text) else {
                throw invalid(.amount(text), at: .amount, in: container)
            }
            return amount
        }
        guard container.holds(.amount) else { return nil }
        // `JSONDecoder` does not tell where a number stood that is too large for it.
        guard let amount = try? container.decode(Decimal.self, forKey: .amount) else {
            throw DecodingError.dataCorruptedError(
                forKey: .amount,
                in: container,
                debugDescription: "Expected a decimal text like “19.99” or a number."
            )
        }
        guard Decimal(strictText: amount.description) != nil else {
            throw invalid(.amount(amount.description), at: .amount, in: container)
        }
        return amount
    }

    private static func minorUnits(
        in container: KeyedDecodingContainer<Member>,
        currency: String
    ) throws -> Price {
        let members: [Member] = [.preciseAmount, .centAmount, .minorUnits]
        guard let member = members.first(where: container.holds),
            let count = try container.integer(Int64.self, forKey: member)
        else {
            throw DecodingError.keyNotFound(
                Member.amount,
                DecodingError.Context(
                    codingPath: container.codingPath,
                    debugDescription: "A price needs an amount."
                )
            )
        }
        let digits = try container.integer(Int.self, forKey: .fractionDigits)
        if let digits, !(0...20).contains(digits) {
            throw DecodingError.dataCorruptedError(
                forKey: .fractionDigits,
                in: container,
                debugDescription: "Expected 0 to 20 digits, found \(digits)."
            )
        }
        return Price(minorUnits: count, currency: currency, fractionDigits: digits)
    }

    private static func invalid(
        _ reason: InvalidPrice,
        at member: Member,
        in container: KeyedDecodingContainer<Member>
    ) -> DecodingError {
        DecodingError.dataCorruptedError(
            forKey: member,
            in: container,
            debugDescription: reason.localizedDescription
        )
    }
}
