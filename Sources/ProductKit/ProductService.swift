public import Foundation
import Synchronization

/// Everything wired: a loader, a list manager, and the view models that use them.
///
/// ```swift
/// let user = LocalUser(currency: "EUR")
/// let service = ProductService(baseURL: api, localUser: user) { token }
/// let viewModel = service.viewModel(for: boots)
/// ```
public struct ProductService: Sendable {
    /// Loads products and marks favorites.
    public let loader: ProductLoader
    /// Reads and changes lists.
    public let listManager: ListManager
    /// Lets all screens of one product agree; reset it when the user signs out.
    public let store: ProductStore
    /// What keeps answers; `nil` for nothing.
    public let cache: ResponseCache?
    /// Whose currency and locale screens use.
    public var localUser: LocalUser
    private let session: CachePartition

    /// Wires a service over an API that speaks `Docs/openapi.yaml`.
    ///
    /// Equal loads at the same time share one request, and what may be repeated is repeated when the
    /// network or the server fails; see ``CoalescingBehavior`` and ``RetryBehavior``. One service
    /// belongs to one user: make another one when somebody else signs in.
    ///
    /// - Parameters:
    ///   - baseURL: Where the API lives, such as `https://api.example.com/v1`.
    ///   - localUser: Whose currency and locale screens use; the API is told the language.
    ///   - networking: What carries the requests.
    ///   - behaviors: What happens around every request, the outermost first, outside of all that is
    ///     named here.
    ///   - cache: What keeps answers, so that screens open at once and work offline; see
    ///     ``CachingBehavior``. `nil` keeps nothing. Give the user an ``LocalUser/id`` when requests are
    ///     signed: without one, what is stored is found again by this service only.
    ///   - token: The token that signs requests, asked for at each of them; `nil` sends a request
    ///     unsigned.
    public init(
        baseURL: URL,
        localUser: LocalUser,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = [],
        cache: ResponseCache? = nil,
        token: (@Sendable () async throws -> String?)? = nil
    ) {
        let language: NetworkHeaders =
            localUser.languageTag.map { ["Accept-Language": $0] } ?? [:]
        let session = CachePartition(of: localUser, isSigned: token != nil)
        let caching = cache.map { cache in
            CachingBehavior(
                cache: cache,
                partition: { session.partition },
                related: OpenAPIContract.relatedURLs(baseURL: baseURL)
            )
        }
        let own: [(any RequestBehavior)?] = [
            ClosureBehavior(additionalHeaders: { language }), caching,
            CoalescingBehavior(), RetryBehavior(), token.map { TokenBehavior(token: $0) },
        ]
        let client = NetworkClient(
            baseURL: baseURL,
            networking: networking,
            behaviors: behaviors + own.compactMap(\.self)
        )
        self.init(
            loader: ProductLoader(client: client),
            listManager: ListManager(client: client),
            localUser: localUser,
            cache: cache,
            session: session
        )
    }

    /// Wires a service over a client that speaks `Docs/openapi.yaml`, with the client's behaviors
    /// alone.
    ///
    /// - Parameters:
    ///   - client: What sends the requests.
    ///   - localUser: Whose currency and locale screens use.
    public init(client: NetworkClient, localUser: LocalUser) {
        self.init(
            loader: ProductLoader(client: client),
            listManager: ListManager(client: client),
            localUser: localUser
        )
    }

    /// Wires a service over any backend.
    ///
    /// - Parameters:
    ///   - loader: Loads products and marks favorites.
    ///   - listManager: Reads and changes lists.
    ///   - localUser: Whose currency and locale screens use.
    public init(loader: ProductLoader, listManager: ListManager, localUser: LocalUser) {
        self.init(
            loader: loader,
            listManager: listManager,
            localUser: localUser,
            cache: nil,
            session: CachePartition(of: localUser, isSigned: false)
        )
    }

    private init(
        loader: ProductLoader,
        listManager: ListManager,
        localUser: LocalUser,
        cache: ResponseCache?,
        session: CachePartition
    ) {
        self.loader = loader
        self.listManager = listManager
        self.localUser = localUser
        self.cache = cache
        self.session = session
        store = ProductStore()
    }

    /// Forgets the user, who signs out.
    ///
    /// Before it returns, nothing of the user's is stored in memory or on disk any longer, nor shown as
    /// known. Loads on their way throw `CancellationError` and keep nothing; a change that the server
    /// has confirmed is still told to its caller. Make another service when somebody signs in.
    @MainActor public func signOut() {
        session.end()
        cache?.removeAll()
        store.reset()
    }

    /// Makes stored answers of one path old, whatever their query, as when the server tells that
    /// something has changed.
    ///
    /// They are not used without asking any more; see ``ResponseCache/invalidate(_:partition:)``.
    ///
    /// - Parameter url: The address; its query does not count.
    public func invalidate(_ url: URL) {
        if let partition = session.partition { cache?.invalidate(url, partition: partition) }
    }

    /// Makes a view model for a product that is known already, such as a row of a list.
    ///
    /// - Parameters:
    ///   - product: What to show until something newer is known.
    ///   - source: Where that came from.
    ///   - localUser: Whose currency and locale to use; the service's own by default.
    /// - Returns: A view model that agrees with every other one of this product.
    @MainActor public func viewModel(
        for product: Product,
        from source: FetchSource = .network,
        localUser: LocalUser? = nil
    ) -> ProductViewModel {
        ProductViewModel(
            product: product,
            from: source,
            localUser: localUser ?? self.localUser,
            actions: ProductViewModel.Actions(
                productID: product.id,
                loader: loader,
                listManager: listManager
            ),
            store: store
        )
    }

    /// Loads a product and makes a view model for it, as for a link into the app.
    ///
    /// - Parameters:
    ///   - id: The product's identity.
    ///   - localUser: Whose currency and locale to use; the service's own by default.
    ///   - policy: Whether the product may come from a cache. To open at once with what is stored, use
    ///     ``FetchPolicy/cacheFirst`` and then reload; to open offline, too, with what is stored,
    ///     ``FetchPolicy/networkFirst``. ``ProductViewModel/source`` tells what it was.
    /// - Returns: A view model that agrees with every other one of this product.
    /// - Throws: ``ProductError/notFound(_:)`` when there is no such product, `CancellationError`
    ///   when you stopped waiting or the store was reset, ``NetworkError`` when no usable answer came.
    @MainActor public func viewModel(
        forProductWithID id: Product.ID,
        localUser: LocalUser? = nil,
        policy: FetchPolicy = .revalidate
    ) async throws -> ProductViewModel {
        let question = store.ask()
        let fetched = try await loader.fetchProduct(withID: id, policy: policy)
        guard store.isCurrent(question) else { throw CancellationError() }
        // What the server has confirmed is news to other screens, too.
        let record = store.learn(fetched.value, from: fetched.source, answering: question)
        store.keep(record)
        return withExtendedLifetime(record) {
            viewModel(for: fetched.value, from: fetched.source, localUser: localUser)
        }
    }

    /// Makes a view model for the user's lists and whether they hold a product.
    ///
    /// - Parameter product: The product whose places in lists are shown.
    /// - Returns: A view model that agrees with every other one of this product.
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

    /// Makes a view model for the catalog, which shows nothing until it is told to search.
    ///
    /// - Parameter localUser: Whose currency and locale to use; the service's own by default.
    /// - Returns: A view model whose rows agree with the screens of their products.
    @MainActor public func catalogViewModel(localUser: LocalUser? = nil) -> CatalogViewModel {
        CatalogViewModel(
            localUser: localUser ?? self.localUser,
            actions: CatalogViewModel.Actions(loader: loader),
            store: store
        )
    }
}

/// A user's time with a cache, which ends when the user signs out.
final class CachePartition: Sendable {
    private let current: Mutex<String?>

    /// Begins a session.
    ///
    /// A user who signs requests but has no identity cannot be told from another, so what is stored is
    /// for this session only.
    init(of user: LocalUser, isSigned: Bool) {
        let name = user.id.map { "user \($0)" }
        current = Mutex(name ?? (isSigned ? "session \(UUID().uuidString)" : "guests"))
    }

    /// Whose answers are stored now; `nil` after the end, when an answer is nobody's.
    var partition: String? { current.withLock(\.self) }

    /// Ends the session for good.
    func end() {
        current.withLock { $0 = nil }
    }
}
