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
    ///   - retry: Sends requests again after temporary failures.
    /// - Returns: The backend.
    public static func django(
        at baseURL: URL,
        networking: any Networking = .system,
        cache: ResponseCache? = nil,
        retry: RetryBehavior = RetryBehavior()
    ) -> ProductBackend {
        ProductBackend(
            client: NetworkClient(
                baseURL: baseURL,
                networking: networking,
                appendsSlash: true,
                decoder: { .django },
                failure: { NetworkError($0, message: "detail", "name[0]", "product[0]") }
            ),
            cache: cache,
            retry: retry,
            tokenScheme: "Token",
            loader: { client in
                ProductLoader(django: client)
                    .storingFavorites(inListNamed: favorites, of: ListManager(django: client))
            },
            listManager: { ListManager(django: $0).hidingLists(named: favorites) }
        )
    }
}

/// The name of the wish list with the favorites.
private let favorites = "Favorites"

extension ProductLoader {
    fileprivate init(django client: NetworkClient) {
        self.init(
            load: { id in
                try await client.send(.product(id)).completed(by: client)
            },
            search: { query, cursor in
                guard query.ids.isEmpty else { throw UnsupportedOperation("search by ids") }
                let items = ["search": query.text, "page_size": query.limit?.description]
                let request = NetworkRequest<Page<DjangoProduct>>.get("products", query: items)
                return try await client.send(request.page(.django, following: cursor))
                    .concurrentMap { row in try await row.completed(by: client) }
                    .map { $0.summary(of: [.prices, .isAvailable]) }
            }
        )
    }
}

extension ListManager {
    fileprivate init(django client: NetworkClient) {
        let lines = ListLines(
            read: { id in try await client.send(.wishList(id)).contents },
            add: { product, contents in
                let lines = NetworkRequest<Void>.post("wishlists", contents.list.id, "lines")
                try await client.send(lines.json(["product": product]))
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
                return try await client.send(request.page(.django, following: cursor))
                    .map(\.contents.list)
            },
            list: lines.list,
            create: { _, name in
                try await client.send(NetworkRequest.post("wishlists").named(name))
            },
            rename: { id, name, _ in
                try await client.send(NetworkRequest.put("wishlists", id).named(name))
            },
            delete: { id in try await client.send(.delete("wishlists", id)) }
        )
    }
}
