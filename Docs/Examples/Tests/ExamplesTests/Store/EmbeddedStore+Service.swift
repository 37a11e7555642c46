import EmbeddedStore
import Foundation
import ProductKit

extension EmbeddedStore {
    /// Opens a store, and passes it to the body with a service that uses it over HTTP.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the store.
    ///   - token: The token that the service sends.
    ///   - intercept: Changes the store's responses.
    ///   - body: Uses the store and the service.
    /// - Throws: Any error of the body, or `PortError` if the store cannot open a port.
    static func withService(
        _ configuration: Configuration = Configuration(),
        token: String = EmbeddedStore.demoToken,
        intercept: @escaping Interceptor = { _, handle in await handle() },
        _ body: (EmbeddedStore, ProductService) async throws -> Void
    ) async throws {
        try await withEmbeddedStore(configuration, intercept: intercept) { store, baseURL in
            let service = ProductService(
                baseURL: baseURL,
                localUser: LocalUser(currency: "EUR", locale: Locale(identifier: "en_US")),
                user: .signedIn(EmbeddedStore.demoUser) { token }
            )
            try await body(store, service)
        }
    }
}
