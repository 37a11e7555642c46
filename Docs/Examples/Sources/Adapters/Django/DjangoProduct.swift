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

    /// Loads the price and the availability, and returns the product with them.
    func completed(by client: NetworkClient) async throws -> Product {
        async let price = client.send(NetworkRequest<DjangoPrice>.get("products", id, "price"))
        async let availability = client.send(
            NetworkRequest<DjangoAvailability>.get("products", id, "availability")
        )
        return Product(
            id: id,
            name: title,
            description: description.map(String.init(plainTextFromHTML:)),
            prices: try await price.prices,
            images: images?.map(\.original) ?? [],
            isAvailable: try await availability.isAvailableToBuy,
            updatedAt: dateUpdated
        )
    }
}

/// The price of a product, which has a URL of its own.
struct DjangoPrice: Decodable, Sendable {
    let currency: String
    let inclTax: String?

    /// The price, which a product that cannot be bought does not have.
    var prices: [Price] {
        get throws {
            guard let inclTax else { return [] }
            return [
                try MemberPath("incl_tax").reading { try Price(inclTax, currency: currency) }
            ]
        }
    }
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

extension JSONDecoder {
    /// A decoder for the dates of the framework.
    static var django: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .timestamp
        return decoder
    }
}

extension NetworkRequest<DjangoProduct> {
    /// Creates a request for a product without its price and availability.
    static func product(_ id: Product.ID) -> NetworkRequest {
        get("products", id).throwing(ProductError.notFound(id), for: .notFound)
    }
}

extension PageFormat {
    /// The format of all pages of the framework.
    static let django = PageFormat(items: "results", next: "next", total: "count")
}
