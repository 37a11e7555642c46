public import Foundation
public import ProductKit

extension ProductBackend {
    /// Creates a backend for the Store API of WooCommerce, version 1.
    ///
    /// Guests search and open products. A user signs in with a token of WordPress, such as a JSON Web Token. If
    /// the plugin “JWT Authentication for WP REST API” rejects it, with a 403, it is refreshed as after a 401.
    ///
    /// The favorites are the products of a list that the store creates for each user who has signed in. This
    /// needs the shopper lists of WooCommerce, which a store must enable. Lists can be neither created nor
    /// renamed, so pass `savesNewLists: false` to an ``Outbox``.
    ///
    /// - Parameters:
    ///   - baseURL: The URL of the API, such as `https://shop.example/wp-json/wc/store/v1`.
    ///   - favoritesList: The list of the favorites, such as `wishlist`; `nil`, the default, for a store
    ///     without shopper lists.
    ///   - networking: The transport.
    ///   - behaviors: Further behaviors, outside of all others.
    ///   - cache: Stores responses; `nil`, the default, stores nothing.
    ///   - retry: Sends requests again after temporary failures.
    /// - Returns: The backend.
    public static func wooCommerce(
        at baseURL: URL,
        favoritesList: String? = nil,
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
                statusCode: { response in
                    guard response.statusCode == 403 else { return nil }
                    let code = try? response.json(String.self, at: "code")
                    return code == "jwt_auth_invalid_token" ? 401 : nil
                },
                failure: { response in
                    NetworkError(
                        response,
                        code: "code",
                        codes: ["rest_no_route": .unexpected],
                        message: \.messageOfWooCommerce
                    )
                }
            )
            // WordPress forbids to store any response of a user who has signed in.
            .overridingCacheControl("private, max-age=0"),
            cache: cache,
            retry: retry,
            rotatingToken: { _ in RotatingTokenBehavior(header: "Nonce") },
            favoritesList: favoritesList,
            loader: { ProductLoader(wooCommerce: $0) },
            listManager: { ListManager(wooCommerce: $0) }
        )
    }
}

extension NetworkResponse {
    /// The message of a failure for users, which WordPress sends as HTML.
    fileprivate var messageOfWooCommerce: String? {
        let code = try? json(String.self, at: "code")
        // Users know neither nonces nor tokens.
        let hiddenCodes = [
            "woocommerce_rest_missing_nonce", "woocommerce_rest_invalid_nonce",
            "jwt_auth_invalid_token",
        ]
        if hiddenCodes.contains(code ?? "") { return "" }
        let message = try? json(String.self, at: "message")
        return message.map { String(plainTextFromHTML: $0) }
    }
}

extension PageFormat {
    fileprivate static let wooCommerce = PageFormat(
        pageNumber: "page",
        pageCount: .header("X-WP-TotalPages"),
        total: .header("X-WP-Total")
    )
}

extension ProductLoader {
    fileprivate init(wooCommerce client: NetworkClient) {
        self.init(
            client: client,
            path: ["products"],
            pages: .wooCommerce,
            searchQuery: { query in
                [
                    "search": query.text,
                    "include": query.ids.map(\.rawValue).joined(separator: ","),
                    "per_page": query.limit?.description,
                ]
            },
            findsIDs: true,
            product: { (product: WooCommerceProduct, _) in try product.product }
        )
    }
}

extension ListManager {
    fileprivate init(wooCommerce client: NetworkClient) {
        let lines = ListLines(
            read: { slug in
                let items: [WooCommerceList.Item] = try await client.send(
                    .get("shopper-lists", slug, "items")
                )
                return WooCommerceList(slug: slug, items: items).contents
            },
            add: { product, contents in
                let request = NetworkRequest<Void>.post("shopper-lists", contents.id, "items")
                try await client.send(request.json(["product_id": try product.integer]))
            },
            removeLine: { line, contents in
                try await client.send(.delete("shopper-lists", contents.id, "items", line))
            }
        )
        self.init(
            lines: lines,
            lists: { _ in
                let page: Page<WooCommerceList> = try await client.send(.get("shopper-lists"))
                return page.map(\.contents)
            }
        )
    }
}
