public import Foundation
public import ProductKit

extension ProductBackend {
    /// Creates a backend for WooCommerce's REST API, version 3.
    ///
    /// The token of a service is the consumer key and secret, separated by a colon, in Base64
    /// (RFC 7617). The API has no favorites and no wish lists, so these operations throw
    /// `UnsupportedOperation`, and a screen can hide its buttons. For a store with a wish list
    /// plug-in, create a list manager from closures that call the plug-in.
    ///
    /// - Parameters:
    ///   - baseURL: The URL of the API, such as `https://shop.example/wp-json/wc/v3`.
    ///   - currency: The currency of the store, which its products do not contain.
    ///   - networking: The transport.
    ///   - behaviors: Further behaviors, outside of all others.
    ///   - cache: Stores responses; `nil`, the default, stores nothing.
    ///   - retry: Sends requests again after temporary failures.
    /// - Returns: The backend.
    public static func wooCommerce(
        at baseURL: URL,
        currency: String,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = [],
        cache: ResponseCache? = nil,
        retry: RetryBehavior = RetryBehavior()
    ) -> ProductBackend {
        ProductBackend(
            client: NetworkClient(
                baseURL: baseURL,
                networking: networking,
                behaviors: behaviors,
                failure: { response in
                    NetworkError(
                        response,
                        message: "message",
                        code: "code",
                        codes: ["rest_no_route": .unexpected]
                    )
                }
            ),
            cache: cache,
            retry: retry,
            tokenScheme: "Basic",
            loader: { ProductLoader(wooCommerce: $0, currency: currency) },
            listManager: { _ in
                ListManager(addProduct: { _, _ in throw UnsupportedOperation("addProduct") })
            }
        )
    }
}

extension ProductLoader {
    fileprivate init(wooCommerce client: NetworkClient, currency: String) {
        self.init(
            load: { id in
                let request = NetworkRequest<WooCommerceProduct>.get("products", id)
                    .map { product, _ in try product.product(in: currency) }
                    .throwing(ProductError.notFound(id), for: .notFound)
                return try await client.send(request)
            },
            search: { query, cursor in
                let limit = query.limit ?? (query.ids.isEmpty ? nil : query.ids.count)
                let ids = query.ids.map(\.rawValue).joined(separator: ",")
                let request = NetworkRequest<Page<WooCommerceProduct>>.get(
                    "products",
                    query: [
                        "search": query.text.nonEmpty,
                        "include": ids.nonEmpty,
                        "per_page": limit?.description,
                    ]
                ).map { products, response in
                    var page = products.map { try $0.product(in: currency) }
                    page.next = response.nextPage
                    page.total = response.headers["X-WP-Total"].flatMap { Int($0) }
                    return page
                }
                return try await client.send(request.following(cursor))
            }
        )
    }
}
