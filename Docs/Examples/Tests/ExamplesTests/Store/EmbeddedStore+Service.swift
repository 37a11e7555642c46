import EmbeddedStore
import Foundation
import ProductKit

/// Runs a body with a service for a store that is open meanwhile, over real HTTP.
func withShop(
    _ configuration: EmbeddedStore.Configuration = EmbeddedStore.Configuration(),
    token: String = EmbeddedStore.demoToken,
    networking: any Networking = .system,
    intercept: @escaping EmbeddedStore.Interceptor = { _, handle in await handle() },
    _ body: (EmbeddedStore, ProductService) async throws -> Void
) async throws {
    try await withEmbeddedStore(configuration, intercept: intercept) { store, baseURL in
        let service = ProductService(
            baseURL: baseURL,
            localUser: LocalUser(currency: "EUR", locale: Locale(identifier: "en_US")),
            networking: networking
        ) { token }
        try await body(store, service)
    }
}
