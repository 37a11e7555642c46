import Foundation
import ProductKit

/// A product of a shop made with Django REST framework, with the members that the adapter uses.
///
/// The names are those of the JSON in camel case, because the client converts them.
struct DjangoProduct: Decodable, Sendable {
    struct Image: Decodable {
        let original: URL
    }

    let id: Product.ID
    let title: String
    let description: String?
    let images: [Image]?
    let dateUpdated: Date?

    func product(_ price: DjangoPrice, _ availability: DjangoAvailability) throws -> Product {
        Product(
            id: id,
            name: title,
            description: description.flatMap(String.init(plainTextOfHTML:)),
            prices: try price.inclTax.map { amount in
                try MemberPath("incl_tax").reading { [try Price(amount, currency: price.currency)] }
            } ?? [],
            images: images?.map(\.original) ?? [],
            isAvailable: availability.isAvailableToBuy,
            updatedAt: dateUpdated
        )
    }
}

/// The price of a product, which has a URL of its own.
struct DjangoPrice: Decodable, Sendable {
    let currency: String
    let inclTax: String?
}

/// The availability of a product, which has a URL of its own.
struct DjangoAvailability: Decodable, Sendable {
    let isAvailableToBuy: Bool
}

/// A wish list.
struct DjangoWishList: Decodable, Sendable {
    struct Line: Decodable {
        let id: Identifier<ListLines.Line>
        let product: Product.ID
    }

    let id: ProductList.ID
    let name: String
    let lines: [Line]

    var contents: ListLines.Contents {
        ListLines.Contents(
            id: id,
            name: name,
            lines: lines.map { ListLines.Line(id: $0.id, product: $0.product) }
        )
    }
}
