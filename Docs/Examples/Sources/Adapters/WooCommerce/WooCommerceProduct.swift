import Foundation
import ProductKit

/// A product of WooCommerce, with the members that the adapter uses.
struct WooCommerceProduct: Decodable, Sendable {
    struct Image: Decodable {
        let src: String
    }

    let id: Product.ID
    let name: String
    let description: String?
    let price: String?
    let images: [Image]?
    let permalink: String?
    let sku: String?
    let stockStatus: String?
    let modified: String?

    private enum CodingKeys: String, CodingKey {
        case id, name, description, price, images, permalink, sku
        case stockStatus = "stock_status"
        case modified = "date_modified_gmt"
    }

    /// Returns the product with its price in the currency of the store.
    func product(in currency: String) throws -> Product {
        Product(
            id: id,
            name: name,
            description: description.flatMap { String(plainTextFromHTML: $0).nonEmpty },
            prices: try price.flatMap { text in
                try MemberPath("price").reading {
                    // An empty price means that the product is not for sale.
                    text.isEmpty ? nil : [try Price(text, currency: currency)]
                }
            } ?? [],
            images: images?.compactMap { URL(string: $0.src) } ?? [],
            url: permalink.flatMap(URL.init(string:)),
            isAvailable: stockStatus.map { $0 != "outofstock" },
            updatedAt: modified.flatMap { Date(timestamp: "\($0)Z") },
            attributes: sku?.nonEmpty.map { ["sku": $0] } ?? [:]
        )
    }
}
