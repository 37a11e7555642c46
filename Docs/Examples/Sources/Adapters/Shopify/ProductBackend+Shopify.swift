public import Foundation
public import ProductKit

extension ProductBackend {
    /// Creates a backend for Shopify's Storefront API.
    ///
    /// The token of a service is the public access token of the storefront. The lists are carts,
    /// because the API has no wish lists. A cart contains variants, so adding a product adds its
    /// first available variant. The API cannot list all carts or delete one, so these operations
    /// throw `UnsupportedOperation`. Shopify assigns the identifier of a new cart, and a repeated
    /// creation makes a second cart. So an outbox must not save new lists: create it with
    /// `savesNewLists: false`. Carts have no versions. Only the first 250 lines of a cart are loaded.
    ///
    /// - Parameters:
    ///   - baseURL: The URL of a version of the API, such as
    ///     `https://my-shop.myshopify.com/api/2025-07/graphql.json`.
    ///   - cart: The cart that stores the favorites, because the API cannot find it. Create it once
    ///     for each user, with `createList(named:)`, and store its identifier in the app. Shopify
    ///     deletes carts that are not used: then there are no favorites until the app creates
    ///     another one. With `nil`, the default, favorites are not supported.
    ///   - networking: The transport.
    ///   - behaviors: Further behaviors, outside of all others.
    ///   - cache: Stores responses; `nil`, the default, stores nothing.
    ///   - retry: Sends requests again after temporary failures.
    /// - Returns: The backend.
    public static func shopify(
        at baseURL: URL,
        favoritesIn cart: ProductList.ID? = nil,
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
                failure: { NetworkError($0, message: "errors") }
            )
            .failing(
                at: "errors",
                code: "extensions.code",
                codes: ["THROTTLED": .throttled, "ACCESS_DENIED": .forbidden]
            ),
            cache: cache,
            retry: retry,
            tokenHeader: "X-Shopify-Storefront-Access-Token",
            tokenScheme: nil,
            loader: { client in
                let loader = ProductLoader(shopify: client)
                guard let cart else { return loader }
                let name = "Favorites"
                return loader.storingFavorites(
                    inListNamed: name,
                    of: ListManager(shopify: client, cart: cart, named: name)
                )
            },
            listManager: { ListManager(shopify: $0) }
        )
    }
}
