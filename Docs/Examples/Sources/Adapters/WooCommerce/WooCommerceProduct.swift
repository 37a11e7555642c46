import Foundation
import ProductKit

/// A product of the Store API, with the members that the adapter uses.
struct WooCommerceProduct: Decodable, Sendable {
    struct Image: Decodable {
        let src: String
    }

    struct Prices: Decodable {
        let price: String
        let currency: String
        let fractionDigits: Int

        private enum CodingKeys: String, CodingKey {
            case price
            case currency = "currency_code"
            case fractionDigits = "currency_minor_unit"
        }
    }

    let id: Product.ID
    let name: String
    let description: String?
    let prices: Prices?
    let images: [Image]?
    let permalink: String?
    let sku: String?
    let isInStock: Bool?

    private enum CodingKeys: String, CodingKey {
        case id, name, description, prices, images, permalink, sku
        case isInStock = "is_in_stock"
    }

    /// The product, whose texts have no markup and whose price is in units of the currency.
    var product: Product {
        get throws {
            Product(
                id: id,
                name: String(plainTextFromHTML: name),
                description: description.map { String(plainTextFromHTML: $0) },
                prices: [try MemberPath("prices.price").reading { try price }],
                images: images?.map { URL(string: $0.src) } ?? [],
                url: permalink.flatMap(URL.init(string:)),
                isAvailable: isInStock,
                attributes: ["sku": sku?.nonEmpty]
            )
        }
    }

    private var price: Price? {
        get throws {
            // An empty price means that the product is not for sale.
            guard let prices, !prices.price.isEmpty else { return nil }
            return try Price(
                minorUnitText: prices.price,
                currency: prices.currency,
                fractionDigits: prices.fractionDigits
            )
        }
    }
}

/// A list of saved products; its slug is its identifier and its name.
struct WooCommerceList: Decodable, Sendable {
    struct Item: Decodable, Sendable {
        let key: Identifier<ListLines.Line>
        /// The product, also if the user has saved a variation of it.
        let product: Product.ID

        private enum CodingKeys: String, CodingKey {
            case key
            case product = "product_id"
        }
    }

    let slug: ProductList.ID
    let items: [Item]

    var contents: ListLines.Contents {
        ListLines.Contents(
            id: slug,
            name: slug.rawValue,
            lines: items.map { ListLines.Line(id: $0.key, product: $0.product) }
        )
    }
}
