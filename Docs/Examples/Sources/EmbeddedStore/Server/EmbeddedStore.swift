public import Foundation
import Synchronization

/// A complete shop in memory that speaks ProductKit's default contract over real HTTP.
///
/// It shares no code with the library, so that both can be checked against each other. What it
/// sells and what its shoppers keep belongs to the store and outlives its serving: stop it, look
/// inside, serve again, and everything is as it was.
///
///     try await withEmbeddedStore { store, baseURL in
///         let loader = ProductLoader(baseURL: baseURL)
///         …
///     }
public final class EmbeddedStore: Sendable {
    /// The token that a store accepts when nothing else is said.
    public static let demoToken = "demo-token"
    /// The shopper who holds ``demoToken``.
    public static let demoUser = "demo"

    /// What a store sells, to whom, and how it behaves where the contract leaves a choice.
    public struct Configuration: Sendable {
        /// What the store sells, in catalog order.
        public var products = StoreProduct.catalog
        /// The shopper behind each bearer token; several tokens may belong to one.
        public var tokens = [EmbeddedStore.demoToken: EmbeddedStore.demoUser]
        /// Whether making or unmaking a favorite answers 200 with the product, not 204.
        public var answersFavoritesWithProduct = true
        /// The `Cache-Control` field of product reads.
        public var cacheControl = "private, max-age=60"
        /// The largest body in bytes that is not refused with 413.
        public var maximumBodySize = 65_536
        /// The store's clock, which dates the changes.
        public var now: @Sendable () -> Date = { Date() }

        /// Makes the configuration of a demo store; change what you need.
        public init() {}
    }

    /// Stands between the wire and the store, and may do anything to an exchange.
    ///
    /// Call `handle` for what the store would answer. Wait before it to be slow; do not call it to
    /// refuse; answer something else after it and the change is made but its answer lost. When
    /// the store stops serving, the closure's task is cancelled: heed that, or stopping waits.
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

    /// Opens a store that nobody can reach until it serves.
    ///
    /// - Parameters:
    ///   - configuration: What it sells and to whom.
    ///   - intercept: What happens between the wire and the store; nothing by default.
    public init(
        configuration: Configuration = Configuration(),
        intercept: @escaping Interceptor = { _, handle in await handle() }
    ) {
        self.configuration = configuration
        self.intercept = intercept
        router = StoreRouter(configuration: configuration)
        state = Mutex(StoreState(products: configuration.products, tokens: configuration.tokens))
    }

    /// Answers one request and remembers that it came.
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
