import Foundation
import ProductKit

/// The backend of “Your backend”: what it sends, and how it becomes ours.

nonisolated struct Good: Decodable {
    let sku: Product.ID
    let label: String
    let price: String?
    let currency: String?
    let photos: [URL]?
    let starred: Bool?
}

nonisolated extension Good {
    var product: Product {
        get throws {
            Product(
                id: sku,
                name: label,
                prices: [
                    try MemberPath("price").reading { try Price(price, currency: currency) }
                ],
                images: photos ?? [],
                isFavorite: starred ?? false
            )
        }
    }
}

nonisolated extension ProductBackend {
    static func bazaar(
        at baseURL: URL,
        networking: any Networking = .system,
        cache: ResponseCache? = nil
    ) -> ProductBackend {
        ProductBackend(
            client: NetworkClient(
                baseURL: baseURL,
                networking: networking,
                failure: { response in
                    NetworkError(
                        response,
                        message: "error.text",
                        code: "error.id",
                        codes: ["stale": .conflict]
                    )
                }
            ),
            cache: cache,
            tokenScheme: "Token",
            loader: { client in ProductLoader(bazaar: client) },
            listManager: { client in ListManager(bazaar: client) }
        )
    }
}

nonisolated extension NetworkRequest<Good> {
    func product(_ sku: Product.ID) -> NetworkRequest<Product> {
        inside("good")
            .throwing(ProductError.notFound(sku), for: .notFound)
            .map { good, _ in try good.product }
    }
}

nonisolated extension ProductLoader {
    init(bazaar client: NetworkClient) {
        self.init(
            load: { sku in
                try await client.send(NetworkRequest<Good>.get("goods", sku).product(sku))
            },
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
                return try await client.send(request)
                    .map { good in try good.product.summary(of: [.prices, .isFavorite]) }
            },
            setFavorite: { sku, isFavorite in
                let star: NetworkRequest<Good> =
                    isFavorite ? .put("stars", sku) : .delete("stars", sku)
                return try await client.send(star.product(sku))
            }
        )
    }
}

nonisolated struct Basket: Decodable {
    struct Line: Decodable {
        let number: Identifier<ListLines.Line>
        let sku: Product.ID
    }

    let id: ProductList.ID
    let title: String
    let revision: Int
    let lines: [Line]
}

nonisolated extension Basket {
    var contents: ListLines.Contents {
        ListLines.Contents(
            id: id,
            name: title,
            lines: lines.map { ListLines.Line(id: $0.number, product: $0.sku) },
            version: "\(revision)"
        )
    }
}

nonisolated private struct LineDraft: Encodable {
    let sku: Product.ID
}

nonisolated private struct TitleDraft: Encodable {
    let title: String
}

nonisolated extension ListManager {
    init(bazaar client: NetworkClient) {
        let lines = ListLines(
            read: { id in
                let request = NetworkRequest<Basket>.get("baskets", id).inside("basket")
                return try await client.send(request).contents
            },
            add: { sku, contents in
                let request = NetworkRequest<Void>.post("baskets", contents.id, "lines")
                    .json(LineDraft(sku: sku))
                    .header("If-Match", contents.list.version)
                try await client.send(request)
            },
            removeLine: { line, contents in
                try await client.send(.delete("baskets", contents.id, "lines", line))
            }
        )
        self.init(
            lines: lines,
            lists: { cursor in
                let request = NetworkRequest<Page<Basket>>
                    .get("baskets", query: ["after": cursor?.rawValue])
                    .page(items: "result.baskets", next: "result.more", total: "count")
                return try await client.send(request).map(\.contents)
            },
            create: { id, title in
                let request = NetworkRequest<Basket>.post("baskets")
                    .json(TitleDraft(title: title))
                    .header("Idempotency-Key", id.rawValue)
                    .inside("basket")
                return try await client.send(request).contents.list
            },
            rename: { id, title, version in
                let request = NetworkRequest<Basket>.put("baskets", id)
                    .json(TitleDraft(title: title))
                    .header("If-Match", version)
                    .inside("basket")
                do {
                    return try await client.send(request).contents.list
                } catch let error as NetworkError where error.code == .conflict {
                    throw ListError.changed(current: try await lines.list(id))
                }
            },
            delete: { id in try await client.send(.delete("baskets", id)) }
        )
    }
}
