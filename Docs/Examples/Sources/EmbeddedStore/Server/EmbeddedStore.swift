public import Foundation
import Synchronization

/// An in-memory store that serves ProductKit's default contract over real HTTP.
///
/// A write with an `Idempotency-Key` that the store knows gets the first response, and is not carried
/// out again. The store knows the latest 10,000 keys at least.
///
/// It shares no code with the library, so each can be tested against the other. The products, and
/// the favorites and lists of the users, are kept when the store stops serving. You can stop it,
/// inspect it, and serve again.
///
///     try await withEmbeddedStore { store, baseURL in
///         let loader = ProductLoader(baseURL: baseURL)
///         …
///     }
public final class EmbeddedStore: Sendable {
    /// The bearer token that a store accepts by default.
    public static let demoToken = "demo-token"
    /// The user that ``demoToken`` belongs to.
    public static let demoUser = "demo"

    /// The products and users of a store, and its behavior where the contract allows a choice.
    public struct Configuration: Sendable {
        /// The products, in catalog order.
        public var products = StoreProduct.catalog
        /// The user of each bearer token.
        ///
        /// A user may have several tokens.
        public var tokens = [EmbeddedStore.demoToken: EmbeddedStore.demoUser]
        /// Whether a change of a favorite returns 200 with the product instead of 204.
        public var returnsProductForFavorites = true
        /// The `Cache-Control` field of responses with products.
        public var cacheControl = "private, max-age=60"
        /// The maximum size of a request body in bytes.
        ///
        /// Larger ones are rejected with 413.
        public var maximumBodySize = 65_536
        /// The clock that sets the times of changes.
        public var now: @Sendable () -> Date = { Date() }

        /// Creates the configuration of a demo store.
        public init() {}
    }

    /// A closure that intercepts each request before the store handles it.
    ///
    /// Call `handle` to get the store's response. To delay a request, wait before the call. To
    /// reject it, return another response without the call. To lose a response, return another one
    /// after the call: the store has made the change. When the store stops serving, it cancels the
    /// closure's task and waits for it to end.
    ///
    ///     let store = EmbeddedStore { request, handle in
    ///         request.method == "PUT" ? .problem(503) : await handle()
    ///     }
    public typealias Interceptor =
        @Sendable (
            _ request: StoreRequest,
            _ handle: @Sendable () async -> StoreResponse
        ) async -> StoreResponse

    let configuration: Configuration
    let state: Mutex<StoreState>
    let log = Mutex(RecentExchanges())

    private let router: StoreRouter
    private let intercept: Interceptor

    /// Creates a store, which does not listen on a port until it serves.
    ///
    /// - Parameters:
    ///   - configuration: The products and users.
    ///   - intercept: The closure that intercepts requests. By default, the store handles them all.
    public init(
        configuration: Configuration = Configuration(),
        intercept: @escaping Interceptor = { _, handle in await handle() }
    ) {
        self.configuration = configuration
        self.intercept = intercept
        router = StoreRouter(configuration: configuration)
        state = Mutex(StoreState(products: configuration.products, tokens: configuration.tokens))
    }

    /// Returns the response to a request and records both.
    func response(to request: StoreRequest) async -> StoreResponse {
        let response = await intercept(request) { [self] in
            state.withLock { router.response(to: request, in: &$0) }
        }
        let exchange = StoreExchange(
            method: request.method,
            path: request.path,
            query: request.query,
            status: response.ending == .closed ? nil : response.status
        )
        log.withLock { $0.append(exchange) }
        return response
    }
}
