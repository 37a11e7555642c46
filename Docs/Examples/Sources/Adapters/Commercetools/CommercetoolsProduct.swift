import Foundation
import ProductKit

/// A product projection of commercetools, with the members that the adapter uses.
struct CommercetoolsProduct: Decodable, Sendable {
    struct Variant: Decodable {
        let sku: String?
        let prices: [OfferedPrice]?
        let images: [Image]?
        let availability: Availability?
    }

    struct OfferedPrice: Decodable {
        struct Reference: Decodable {}

        let value: Price
        let country: String?
        let customerGroup: Reference?
        let channel: Reference?
        let validFrom: String?
        let validUntil: String?

        /// Whether the price is that of all customers, everywhere and at any time.
        var isGeneral: Bool {
            country == nil && customerGroup == nil && channel == nil && validFrom == nil
                && validUntil == nil
        }
    }

    struct Image: Decodable {
        let url: String
    }

    struct Availability: Decodable {
        let isOnStock: Bool?
    }

    let id: Product.ID
    let name: LocalizedText
    let description: LocalizedText?
    let masterVariant: Variant
    let lastModifiedAt: String?

    /// The product, with the general price of each currency.
    ///
    /// Prices of a country, customer group, channel or period are left out, so a product that has only such
    /// prices has none.
    func product(in language: String) -> Product {
        let prices = masterVariant.prices?.filter(\.isGeneral).map(\.value) ?? []
        return Product(
            id: id,
            name: name.text(in: language),
            description: description?.text(in: language),
            prices: prices,
            images: masterVariant.images?.map { URL(string: $0.url) } ?? [],
            isAvailable: masterVariant.availability?.isOnStock,
            updatedAt: Date(timestamp: lastModifiedAt),
            attributes: ["sku": masterVariant.sku]
        )
    }
}

extension PageFormat {
    /// The format of a result that is paged by offset.
    static let commercetools = PageFormat(items: "results", offset: "offset", total: "total")
}

/// A text in several languages.
struct LocalizedText: Codable, Hashable, Sendable {
    var texts: [String: String]

    init(from decoder: any Decoder) throws {
        texts = try [String: String](from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        try texts.encode(to: encoder)
    }

    init(_ text: String, in language: String) {
        texts = [language: text]
    }

    /// Returns the text in a language, or else in English or in the first language.
    func text(in language: String) -> String {
        texts[language] ?? texts["en"] ?? texts.min { $0.key < $1.key }?.value ?? ""
    }
}
