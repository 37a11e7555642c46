import Foundation
import ProductKit

/// The backend of “Your backend”: what it sends, and how it becomes ours.

struct Good: Decodable {
    let sku: Product.ID
    let label: String
    let price: String?
    let currency: String?
    let photos: [URL]?
    let starred: Bool?
}

extension Good {
    var product: Product {
        get throws {
            var prices: [Price] = []
            if let price, let currency {
                prices = [
                    try MemberPath("price").reading { try Price(price, currency: currency) }
                ]
            }
            return Product(
                id: sku,
                name: label,
                prices: prices,
                images: photos ?? [],
                isFavorite: starred ?? false
            )
        }
    }
}

extension NetworkClient {
    static func bazaar(
        at baseURL: URL,
        token: String?,
        networking: any Networking = .system
    ) -> NetworkClient {
        NetworkClient(
            baseURL: baseURL,
            networking: networking,
            behaviors: [RetryBehavior(), TokenBehavior(scheme: "Token") { token }],
            failure: { response in
                NetworkError(
                    response,
                    message: "error.text",
                    code: "error.id",
                    codes: ["stale": .conflict]
                )
            }
        )
    }
}

extension ProductLoader {
    init(bazaar client: NetworkClient) {
        let send: @Sendable (NetworkRequest<Good>, Product.ID) async throws -> Product = {
            request,
            sku in
            do {
                return try await client.send(
                    request.inside("good").map { good, _ in try good.product }
                )
            } catch let error as NetworkError where error.code == .notFound {
                throw ProductError.notFound(sku)
            }
        }
        self.init(
            load: { sku in try await send(.get("goods", sku), sku) },
            search: { query, cursor in
                guard query.ids.isEmpty else { throw UnsupportedOperation("search by ids") }
                let request = NetworkRequest<Page<Good>>.get(
                    "goods",
                    query: [
                        "find": query.text.isEmpty ? nil : query.text,
                        "size": query.limit?.description,
                        "after": cursor?.rawValue,
                    ]
                )
                .page(items: "result.goods", next: "result.more", total: "count")
                return try await client.send(request).map { good in try good.product }
            },
            setFavorite: { sku, isFavorite in
                try await send(isFavorite ? .put("stars", sku) : .delete("stars", sku), sku)
            }
        )
    }
}

struct Basket: Decodable {
    struct Line: Decodable {
        let number: Identifier<ListLines.Line>
        let sku: Product.ID
    }

    let id: ProductList.ID
    let title: String
    let revision: Int
    let lines: [Line]
}

extension Basket {
    var contents: ListLines.Contents {
        ListLines.Contents(
            id: id,
            name: title,
            lines: lines.map { ListLines.Line(id: $0.number, product: $0.sku) },
            version: "\(revision)"
        )
    }
}

private struct LineDraft: Encodable {
    let sku: Product.ID
}

extension ListManager {
    init(bazaar client: NetworkClient) {
        let lines = ListLines(
            read: { id in
                let request = NetworkRequest<Basket>.get("baskets", id).inside("basket")
                return try await client.send(request).contents
            },
            add: { sku, contents in
                let request = try NetworkRequest<Void>.post("baskets", contents.list.id, "lines")
                    .json(LineDraft(sku: sku))
                    .header("If-Match", contents.list.version)
                try await client.send(request)
            },
            remove: { lines, contents in
                for line in lines {
                    try await client.send(.delete("baskets", contents.list.id, "lines", line))
                }
            }
        )
        self.init(addProduct: lines.add, removeProduct: lines.remove, list: lines.list)
    }
}
