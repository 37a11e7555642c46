import ProductKit

/// A cart as the Storefront API sends it, as far as we ask for it.
struct ShopifyCart: Decodable, Sendable {
    struct Name: Decodable {
        let value: String?
    }

    struct Line: Decodable {
        let id: Identifier<ListLines.Line>
        let merchandise: Variant
    }

    struct Variant: Decodable {
        let product: Owner
    }

    struct Owner: Decodable {
        let id: Product.ID
    }

    struct Lines: Decodable {
        let nodes: [Line]
    }

    /// What a product is bought as; nothing when it cannot be bought.
    struct Offer: Decodable {
        let selectedOrFirstAvailableVariant: Choice?
    }

    struct Choice: Decodable {
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
            updatedAt: updatedAt?.timestamp
        )
    }
}
