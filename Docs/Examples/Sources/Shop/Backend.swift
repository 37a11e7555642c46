import Adapters
import ArgumentParser
import EmbeddedStore
import Foundation
import ProductKit

/// What a store speaks.
enum Backend: String, CaseIterable, ExpressibleByArgument {
    case productkit, woocommerce, commercetools, shopify

    /// The token of somebody who gives none; only our own store has a user for everybody.
    var defaultToken: String? {
        self == .productkit ? EmbeddedStore.demoToken : nil
    }

    /// Wires a service for a store that speaks this.
    ///
    /// - Parameters:
    ///   - baseURL: Where the store is.
    ///   - token: What the store knows the user by, which each backend is told in its own way.
    ///   - networking: What carries the requests.
    ///   - behaviors: What happens around every request.
    ///   - localUser: Whose currency is shown.
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
