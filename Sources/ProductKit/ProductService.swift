public import Foundation
import Synchronization

/// The entry point of the library: a loader, a list manager and the view models that use them.
///
/// ```swift
/// let user = LocalUser(currency: "EUR")
/// let service = ProductService(baseURL: api, localUser: user) { token }
/// let viewModel = service.viewModel(for: boots)
/// ```
///
/// A service belongs to one user. When the user signs out, call ``signOut()``; when another user
/// signs in, create another service.
public struct ProductService: Sendable {
    /// Loads products and changes their favorite status.
    public let loader: ProductLoader
    /// Loads and changes the user's lists.
    public let listManager: ListManager
    /// The state that all view models of this service share.
    public let store: ProductStore
    /// The user's currency and locale, for new view models.
    ///
    /// A change affects neither existing view models nor requests: `Accept-Language` and the cache
    /// partition are those of the user that the service was created with.
    public var localUser: LocalUser
    private let cache: ResponseCache?
    private let partition: CachePartition

    /// Creates a service for a backend that implements the contract `Docs/openapi.yaml`.
    ///
    /// Equal loads at the same time share one request, and idempotent requests are retried when the
    /// network or the server fails. See ``CoalescingBehavior`` and ``RetryBehavior``.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the API, such as `https://api.example.com/v1`.
    ///   - localUser: The user's currency and locale, for new view models. Requests carry the
    ///     user's language as `Accept-Language`.
    ///   - networking: Sends the requests; `URLSession` by default.
    ///   - behaviors: Further behaviors, outside of all that the service adds; the first is the
    ///     outermost.
    ///   - cache: Stores responses, so that screens open immediately and work offline; see
    ///     ``CachingBehavior``. `nil`, the default, stores nothing. If requests are signed, set
    ///     ``LocalUser/id``. Without it, a service with a `token` finds only the responses that it
    ///     stored itself. If another behavior or the transport signs requests, the identifier is
    ///     required: all users without one share their stored responses.
    ///   - retry: Sends requests again after temporary failures. The default has retry budgets of
    ///     its own; services that get the same instance share its budgets.
    ///   - token: Returns the token that signs a request, called for each attempt. A request for
    ///     which it returns `nil` is sent unsigned. With `nil`, the default, no request is signed.
    public init(
        baseURL: URL,
        localUser: LocalUser,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = [],
        cache: ResponseCache? = nil,
        retry: RetryBehavior = RetryBehavior(),
        token: (@Sendable () async throws -> String?)? = nil
    ) {
        let partition = CachePartition(for: localUser, isSigned: token != nil)
        var stack = behaviors
        if let language = localUser.languageTag {
            // Outside of the cache, which stores a response for each language (`Vary`).
            stack.append(ClosureBehavior(additionalHeaders: { ["Accept-Language": language] }))
        }
        if let cache {
            // Outside of the retry: serves a stale response only after the last attempt failed.
            let caching = CachingBehavior(
                cache: cache,
                partition: { partition.name },
                related: OpenAPIContract.relatedURLs(baseURL: baseURL)
            )
            stack.append(caching)
        }
        // Outside of the retry: callers that share a request share all of its attempts.
        stack.append(CoalescingBehavior())
        // Outside of the token: each attempt is signed with the token of that moment.
        stack.append(retry)
        if let token {
            // Innermost: neither the cache nor any other behavior sees the token.
            stack.append(TokenBehavior(token: token))
        }
        let client = NetworkClient(baseURL: baseURL, networking: networking, behaviors: stack)
        self.init(
            loader: ProductLoader(client: client),
            listManager: ListManager(client: client),
            localUser: localUser,
            cache: cache,
            partition: partition
        )
    }

    /// Creates a service that sends the requests of the contract `Docs/openapi.yaml` with a client.
    ///
    /// The client's behaviors are the only ones: the service adds no cache, retry or token.
    ///
    /// - Parameters:
    ///   - client: Sends the requests.
    ///   - localUser: The user's currency and locale, for new view models.
    public init(client: NetworkClient, localUser: LocalUser) {
        self.init(
            loader: ProductLoader(client: client),
            listManager: ListManager(client: client),
            localUser: localUser
        )
    }

    /// Creates a service for any backend.
    ///
    /// - Parameters:
    ///   - loader: Loads products and changes their favorite status.
    ///   - listManager: Loads and changes the user's lists.
    ///   - localUser: The user's currency and locale, for new view models.
    public init(loader: ProductLoader, listManager: ListManager, localUser: LocalUser) {
        self.init(
            loader: loader,
            listManager: listManager,
            localUser: localUser,
            cache: nil,
            partition: CachePartition(for: localUser, isSigned: false)
        )
    }

    private init(
        loader: ProductLoader,
        listManager: ListManager,
        localUser: LocalUser,
        cache: ResponseCache?,
        partition: CachePartition
    ) {
        self.loader = loader
        self.listManager = listManager
        self.localUser = localUser
        self.cache = cache
        self.partition = partition
        store = ProductStore()
    }

    /// Removes the user's data and drops in-flight results.
    ///
    /// When it returns, nothing is found in the service's cache, in memory or on disk, responses for
    /// other users included, and open screens have dropped their pending edits and list memberships.
    /// The service stores nothing from then on.
    ///
    /// The methods of view models that are in flight throw `CancellationError`. So do loads with
    /// ``loader`` and ``listManager`` if the service has a cache. Writes with them are not
    /// affected.
    ///
    /// Calling it again empties the cache again, with everything that other services have stored in
    /// it since. When a user signs in, create another service.
    @MainActor public func signOut() {
        partition.close()
        cache?.removeAll()
        store.reset()
    }

    /// Invalidates the cached responses of a path, such as after a push message about a change.
    ///
    /// They are not served again before the server has revalidated them, except as stale responses
    /// when it fails; see ``ResponseCache/invalidate(_:partition:)``. Without a cache and after
    /// ``signOut()``, nothing happens.
    ///
    /// - Parameter url: The URL of the responses. Its query is ignored, so responses with any query
    ///   are invalidated.
    public func invalidate(_ url: URL) {
        if let name = partition.name { cache?.invalidate(url, partition: name) }
    }

    /// Creates a view model for a product that is already loaded, such as a row of the catalog.
    ///
    /// - Parameters:
    ///   - product: The product to show until a newer one is loaded.
    ///   - source: Where the product came from; ``ProductViewModel/source`` shows it.
    ///   - localUser: The user's currency and locale; the service's ``localUser`` by default.
    /// - Returns: A view model that shares its state with all others of this product.
    @MainActor public func viewModel(
        for product: Product,
        from source: FetchSource = .network,
        localUser: LocalUser? = nil
    ) -> ProductViewModel {
        ProductViewModel(
            product: product,
            from: source,
            localUser: localUser ?? self.localUser,
            actions: actions(forProductWithID: product.id),
            store: store
        )
    }

    /// Loads a product and creates a view model for it, such as for a link into the app.
    ///
    /// - Parameters:
    ///   - id: The product's identifier.
    ///   - localUser: The user's currency and locale; the service's ``localUser`` by default.
    ///   - policy: Whether a cached product may be used. To open immediately, use
    ///     ``FetchPolicy/cacheFirst`` and reload afterwards; to also open offline,
    ///     ``FetchPolicy/networkFirst``. ``ProductViewModel/source`` is where the product came
    ///     from.
    /// - Returns: A view model that shares its state with all others of this product. Its phase is
    ///   ``ProductViewModel/Phase-swift.enum/loaded``.
    /// - Throws: ``ProductError/notFound(_:)`` if the product does not exist, which its open
    ///   screens then show as well; ``ProductError/wrongProduct(expected:received:)`` if the server
    ///   returns another product; `CancellationError` if the task is cancelled or the user signs
    ///   out meanwhile; ``NetworkError`` if no usable response arrives.
    @MainActor public func viewModel(
        forProductWithID id: Product.ID,
        localUser: LocalUser? = nil,
        policy: FetchPolicy = .revalidate
    ) async throws -> ProductViewModel {
        let record = try await store.load(id) {
            try await loader.fetchProduct(withID: id, policy: policy)
        }
        return ProductViewModel(
            loaded: record,
            localUser: localUser ?? self.localUser,
            actions: actions(forProductWithID: id)
        )
    }

    private func actions(forProductWithID id: Product.ID) -> ProductViewModel.Actions {
        ProductViewModel.Actions(productID: id, loader: loader, listManager: listManager)
    }

    /// Creates a view model for the user's lists and the membership of a product in each of them.
    ///
    /// - Parameter product: The product whose membership is shown.
    /// - Returns: A view model that shares its state with all others of this product.
    @MainActor public func membershipViewModel(for product: Product) -> ListMembershipViewModel {
        ListMembershipViewModel(
            product: product,
            actions: ListMembershipViewModel.Actions(
                productID: product.id,
                listManager: listManager
            ),
            store: store
        )
    }

    /// Creates a view model for the catalog, which is empty until its first search.
    ///
    /// - Parameter localUser: The user's currency and locale; the service's ``localUser`` by
    ///   default.
    /// - Returns: A view model whose rows share their state with the screens of their products.
    @MainActor public func catalogViewModel(localUser: LocalUser? = nil) -> CatalogViewModel {
        CatalogViewModel(
            localUser: localUser ?? self.localUser,
            actions: CatalogViewModel.Actions(loader: loader),
            store: store
        )
    }
}

/// The cache partition of a service's user, which can be closed but not changed.
///
/// - A user with an identifier has the same partition in every service and every launch.
/// - If requests are signed for a user without an identifier, the name of the partition is random,
///   so only this service finds the responses that it stored.
/// - All other users share one partition, because the server sends them the same responses.
private final class CachePartition: Sendable {
    private let current: Mutex<String?>

    init(for user: LocalUser, isSigned: Bool) {
        let name = user.id.map { "user \($0)" }
        current = Mutex(name ?? (isSigned ? "session \(UUID().uuidString)" : "guests"))
    }

    /// The partition's name; `nil` after ``close()``, when nothing is read or stored any more.
    var name: String? { current.withLock(\.self) }

    /// Ends the use of the partition for good.
    func close() {
        current.withLock { $0 = nil }
    }
}
