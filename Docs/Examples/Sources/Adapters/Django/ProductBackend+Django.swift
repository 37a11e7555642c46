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
                usesSnakeCase: true,
                decoder: { .django },
                failure: { NetworkError($0, message: "detail", fieldMessages: []) }
            ),
            cache: cache,
            retry: retry,
            tokenScheme: "Token",
            favoritesList: "Favorites",
            loader: { ProductLoader(django: $0) },
            listManager: { client in
                ListManager(
                    client: client,
                    path: ["wishlists"],
                    lines: "lines",
                    pages: .django,
                    contents: { (list: DjangoWishList, _) in list.contents },
                    newList: { name in ["name": name] },
                    newName: { _, name in ["name": name] },
                    newLine: { product in ["product": product] }
                )
            }
        )
    }
}

extension ProductLoader {
    fileprivate init(django client: NetworkClient) {
        self.init(
            load: { id in
                try await client.send(.product(id)).completed(by: client)
            },
            search: { query, cursor in
                guard query.ids.isEmpty else { throw UnsupportedOperation("search by ids") }
                let request = NetworkRequest<Page<DjangoProduct>>.get(
                    "products",
                    query: ["search": query.text, "page_size": query.limit?.description]
                )
                return try await client.send(request.page(.django, following: cursor))
                    .concurrentMap { row in try await row.completed(by: client) }
                    .map { $0.summary(of: [.prices, .isAvailable]) }
            }
        )
    }
}
