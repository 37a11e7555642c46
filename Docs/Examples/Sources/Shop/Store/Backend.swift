import Adapters
import ArgumentParser
import EmbeddedStore
import Foundation
import ProductKit

/// The API of a store.
enum Backend: String, CaseIterable, ExpressibleByArgument {
    case productkit, woocommerce, commercetools, shopify

    /// The token to use if none is passed.
    ///
    /// Only the store of this package has a demo user.
    var defaultToken: String? {
        self == .productkit ? EmbeddedStore.demoToken : nil
    }

    /// Creates a service for a store with this API.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the store.
    ///   - token: The token of the user. Each backend sends it in its own form.
    ///   - networking: The transport.
    ///   - behaviors: The behaviors of each request.
    ///   - localUser: The user, with the currency of prices.
    /// - Returns: The service.
    func service(
        at baseURL: URL,
        token: String?,
        networking: any Networking,
        behaviors: [any RequestBehavior],
        localUser: LocalUser
    ) -> ProductService {
        switch self {
        case .productkit:
            let signed = behaviors + [TokenBehavior { token }]
            let client = NetworkClient(
                baseURL: baseURL,
                networking: networking,
                behaviors: signed
            )
            return ProductService(client: client, localUser: localUser)
        case .woocommerce:
            let client = NetworkClient(
                wooCommerce: baseURL,
                key: token,
                networking: networking,
                behaviors: behaviors
            )
            return ProductService(
                loader: ProductLoader(wooCommerce: client, currency: localUser.currency),
                listManager: .wooCommerce,
                localUser: localUser
            )
        case .commercetools:
            let client = NetworkClient(
                commercetools: baseURL,
                networking: networking,
                behaviors: behaviors
            ) { token }
            return ProductService(
                loader: ProductLoader(commercetools: client),
                listManager: ListManager(commercetools: client),
                localUser: localUser
            )
        case .shopify:
            let client = NetworkClient(
                shopify: baseURL,
                token: token,
                networking: networking,
                behaviors: behaviors
            )
            return ProductService(
                loader: ProductLoader(shopify: client),
                listManager: ListManager(shopify: client),
                localUser: localUser
            )
        }
    }
}
