public import Foundation
public import ProductKit

extension ProductBackend {
    /// Creates a backend for a shop made with Django REST framework.
    ///
    /// Prices and availability have URLs of their own, favorites are stored in a wish list, and
    /// paths end in a slash.
    ///
    /// - Parameters:
    ///   - baseURL: The URL of the API, such as `https://shop.example/api`.
    ///   - networking: The transport.
    ///   - cache: Stores responses; `nil`, the default, stores nothing.
    public static func django(
        at baseURL: URL,
        networking: any Networking = .system,
        cache: ResponseCache? = nil
    ) -> ProductBackend {
        ProductBackend(
            client: NetworkClient(
                baseURL: baseURL,
                networking: networking,
                appendsSlash: true,
                decoder: {
                    let decoder = JSONDecoder()
                    decoder.keyDecodingStrategy = .convertFromSnakeCase
                    decoder.dateDecodingStrategy = .timestamp
                    return decoder
                },
                failure: { NetworkError($0, message: "detail", "non_field_errors[0]", "name[0]") }
            ),
            cache: cache,
            related: { url in
                // A line is part of its wish list, and a wish list of the page of all.
                let parts = url.pathComponents.drop { $0 != "wishlists" }.prefix(2)
                return (1..<max(1, parts.count + 1)).map { count in
                    baseURL.appending(path: parts.prefix(count).joined(separator: "/") + "/")
                }
            },
            tokenScheme: "Token",
            loader: { client in
                ProductLoader(django: client)
                    .storingFavorites(inListNamed: favorites, of: ListManager(django: client))
            },
            listManager: { ListManager(django: $0).hidingLists(named: favorites) }
        )
    }
}

private let favorites = "Favorites"

extension ProductLoader {
    fileprivate init(django client: NetworkClient) {
        let completed: @Sendable (DjangoProduct) async throws -> Product = { product in
            async let price = client.send(
                NetworkRequest<DjangoPrice>.get("products", product.id, "price")
            )
            async let availability = client.send(
                NetworkRequest<DjangoAvailability>.get("products", product.id, "availability")
            )
            return try await product.product(price, availability)
        }
        self.init(
            load: { id in
                let request = NetworkRequest<DjangoProduct>.get("products", id)
                    .throwing(ProductError.notFound(id), for: .notFound)
                return try await completed(client.send(request))
            },
            search: { query, cursor in
                guard query.ids.isEmpty else { throw UnsupportedOperation("search by ids") }
                let request = NetworkRequest<Page<DjangoProduct>>.get(
                    "products",
                    query: [
                        "search": query.text.isEmpty ? nil : query.text,
                        "page_size": query.limit?.description,
                    ]
                )
                .page(items: "results", next: "next", total: "count")
                return try await client.send(request.following(cursor, from: client.baseURL))
                    .concurrentMap(completed)
                    .map { $0.summary(of: [.prices, .isAvailable]) }
            }
        )
    }
}

extension ListManager {
    fileprivate init(django client: NetworkClient) {
        let lines = ListLines(
            read: { id in
                try await client.send(NetworkRequest<DjangoWishList>.get("wishlists", id)).contents
            },
            add: { product, contents in
                let line = NetworkRequest<Void>.post("wishlists", contents.list.id, "lines")
                try await client.send(line.json(["product": product]))
            },
            remove: { lines, contents in
                for line in lines {
                    try await client.send(.delete("wishlists", contents.list.id, "lines", line))
                }
            }
        )
        self.init(
            addProduct: lines.add,
            removeProduct: lines.remove,
            lists: { cursor in
                let request = NetworkRequest<Page<DjangoWishList>>.get("wishlists")
                    .page(items: "results", next: "next", total: "count")
                    .following(cursor, from: client.baseURL)
                return try await client.send(request).map(\.contents.list)
            },
            list: lines.list,
            create: { _, name in
                let request = NetworkRequest<DjangoWishList>.post("wishlists").json(["name": name])
                return try await client.send(request).contents.list
            },
            rename: { id, name, _ in
                let request = NetworkRequest<DjangoWishList>.put("wishlists", id)
                    .json(["name": name])
                    .throwing(ListError.notFound(id), for: .notFound)
                return try await client.send(request).contents.list
            },
            delete: { id in
                do { try await client.send(.delete("wishlists", id)) } catch let error
                    as NetworkError where error.code == .notFound
                {}
            }
        )
    }
}
