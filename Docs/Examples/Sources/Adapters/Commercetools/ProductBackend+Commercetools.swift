public import Foundation
public import ProductKit

extension ProductBackend {
    /// Creates a backend for the HTTP API of commercetools.
    ///
    /// The token of a service is an access token (OAuth 2.0) of a customer or of an anonymous
    /// session, to which the shopping lists belong. commercetools assigns the identifier of a new list, so a
    /// list whose creation lost its response is found by its name.
    ///
    /// - Parameters:
    ///   - baseURL: The URL of the region with the project key, such as
    ///     `https://api.europe-west1.gcp.commercetools.com/my-project`.
    ///   - language: The language of texts and searches, such as `en` or `de-AT`.
    ///   - favorites: The name of the shopping list that stores the favorites, which is hidden from
    ///     the user's lists.
    ///   - networking: The transport.
    ///   - behaviors: Further behaviors, outside of all others.
    ///   - cache: Stores responses; `nil`, the default, stores nothing.
    ///   - retry: Sends requests again after temporary failures.
    /// - Returns: The backend.
    public static func commercetools(
        at baseURL: URL,
        language: String = "en",
        favorites: String = "Favorites",
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = [],
        cache: ResponseCache? = nil,
        retry: RetryBehavior = RetryBehavior()
    ) -> ProductBackend {
        let lists = baseURL.appending(components: "me", "shopping-lists")
        return ProductBackend(
            client: NetworkClient(
                baseURL: baseURL,
                networking: networking,
                behaviors: behaviors,
                failure: { response in
                    NetworkError(
                        response,
                        message: "message",
                        code: "errors[0].code",
                        codes: ["ReferencedResourceNotFound": .notFound]
                    )
                }
            ),
            cache: cache,
            // All writes change a list, which is part of the pages of lists. Products stay fresh.
            related: { _ in [lists] },
            retry: retry,
            favoritesList: favorites,
            loader: { ProductLoader(commercetools: $0, language: language) },
            listManager: { ListManager(commercetools: $0, language: language) }
        )
    }
}
