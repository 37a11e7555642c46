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

    /// Creates a backend for a store with this API.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the store.
    ///   - networking: The transport.
    ///   - behaviors: The behaviors of each request, outside of the cache.
    ///   - cache: The cache, or `nil` for none.
    ///   - retry: Sends requests again after temporary failures.
    /// - Returns: The backend.
    func productBackend(
        at baseURL: URL,
        networking: any Networking,
        behaviors: [any RequestBehavior],
        cache: ResponseCache?,
        retry: RetryBehavior
    ) -> ProductBackend {
        switch self {
        case .productkit:
            ProductBackend(
                baseURL: baseURL,
                networking: networking,
                behaviors: behaviors,
                cache: cache,
                retry: retry
            )
        case .woocommerce:
            .wooCommerce(
                at: baseURL,
                networking: networking,
                behaviors: behaviors,
                cache: cache,
                retry: retry
            )
        case .commercetools:
            .commercetools(
                at: baseURL,
                networking: networking,
                behaviors: behaviors,
                cache: cache,
                retry: retry
            )
        case .shopify:
            .shopify(
                at: baseURL,
                networking: networking,
                behaviors: behaviors,
                cache: cache,
                retry: retry
            )
        }
    }
}
