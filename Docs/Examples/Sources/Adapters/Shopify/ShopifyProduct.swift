import Foundation
import ProductKit

/// A product of the Storefront API, with the fields that the adapter requests.
struct ShopifyProduct: Decodable, Sendable {
    struct Image: Decodable {
        let url: String
    }

    struct PriceRange: Decodable {
        let minVariantPrice: Price
    }

    /// A GraphQL connection with the images.
    struct Images: Decodable {
        let nodes: [Image]
    }

    /// The requested fields, as a GraphQL fragment.
    static let fields = """
        fragment Fields on Product {
          id title description vendor onlineStoreUrl availableForSale updatedAt
          images(first: 10) { nodes { url } }
          priceRange { minVariantPrice { amount currencyCode } }
        }
        """

    let id: Product.ID
    let title: String
    let description: String?
    let vendor: String?
    let onlineStoreUrl: String?
    let availableForSale: Bool?
    let updatedAt: String?
    let images: Images?
    let priceRange: PriceRange?

    var product: Product {
        Product(
            id: id,
            name: title,
            description: description,
            prices: [priceRange?.minVariantPrice],
            images: images?.nodes.map { URL(string: $0.url) } ?? [],
            url: onlineStoreUrl.flatMap(URL.init(string:)),
            isAvailable: availableForSale,
            updatedAt: Date(timestamp: updatedAt),
            attributes: ["vendor": vendor]
        )
    }
}
