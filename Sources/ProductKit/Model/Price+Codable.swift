import Foundation

extension Price: Codable {
    private enum Member: String, CodingKey {
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
        let container = try decoder.container(keyedBy: Member.self)
        let currency = try Price.currency(in: container)
        if let amount = try Price.amount(in: container) {
            self.init(amount: amount, currency: currency)
        } else {
            self = try Price.minorUnits(in: container, currency: currency)
        }
    }

    /// Writes `amount` as a decimal string, which no reader rounds, and `currency`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Member.self)
        try container.encode(amount.description, forKey: .amount)
        try container.encode(currency, forKey: .currency)
    }

    private static func currency(in container: KeyedDecodingContainer<Member>) throws -> String {
        let member: Member = container.contains(.currency) ? .currency : .currencyCode
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
        guard let amount = try container.decodeIfPresent(Decimal.self, forKey: .amount) else {
            return nil
        }
        guard amount.isFinite, Decimal(strictText: amount.description) != nil else {
            throw invalid(.amount(amount.description), at: .amount, in: container)
        }
        return amount
    }

    private static func minorUnits(
        in container: KeyedDecodingContainer<Member>,
        currency: String
    ) throws -> Price {
        let members: [Member] = [.preciseAmount, .centAmount, .minorUnits]
        guard let member = members.first(where: container.contains) else {
            throw DecodingError.keyNotFound(
                Member.amount,
                DecodingError.Context(
                    codingPath: container.codingPath,
                    debugDescription: "A price needs an amount."
                )
            )
        }
        let digits = try container.decodeIfPresent(Int.self, forKey: .fractionDigits)
        if let digits, !(0...20).contains(digits) {
            throw DecodingError.dataCorruptedError(
                forKey: .fractionDigits,
                in: container,
                debugDescription: "Expected 0 to 20 digits, found \(digits)."
            )
        }
        return Price(
            minorUnits: try container.decode(Int64.self, forKey: member),
            currency: currency,
            fractionDigits: digits
        )
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
