import Foundation
import ProductKit

/// A cart of the Storefront API, with the fields that the adapter requests.
struct ShopifyCart: Decodable, Sendable {
    struct Name: Decodable {
        let value: String?
    }

    struct Line: Decodable {
        let id: Identifier<ListLines.Line>
        let merchandise: Variant
    }

    struct Variant: Decodable {
        let product: ProductReference
    }

    struct ProductReference: Decodable {
        let id: Product.ID
    }

    struct Lines: Decodable {
        let nodes: [Line]
    }

    /// The variant that is added to a cart, or `nil` if the product cannot be bought.
    struct Offer: Decodable {
        let selectedOrFirstAvailableVariant: VariantReference?
    }

    struct VariantReference: Decodable {
        let id: String
    }

    let id: ProductList.ID
    let updatedAt: String?
    let attribute: Name?
    let lines: Lines

    var contents: ListLines.Contents {
        ListLines.Contents(
            id: id,
            name: attribute?.value ?? "Cart",
            lines: lines.nodes.map { line in
                ListLines.Line(id: line.id, product: line.merchandise.product.id)
            },
            updatedAt: Date(timestamp: updatedAt)
        )
    }
}
