public import Foundation

/// A backend, and what the services of its users share: the transport, the cache, the requests in
/// flight and the retry budgets.
///
/// It implements the contract `Docs/openapi.yaml`, unless you pass a loader and a list manager for another API.
///
/// A server creates one backend when it starts, and a service for each user or each request:
///
/// ```swift
/// let backend = ProductBackend(baseURL: api, cache: ResponseCache())
/// let anna = ServiceUser.signedIn("anna") { token }
/// let service = ProductService(backend: backend, localUser: euros, user: anna)
/// ```
///
/// Services are cheap to create. Users share no response: each one has a partition of the cache,
/// and only requests of the same user are shared. A backend that fails gets no more retries than
/// the budget of ``RetryBehavior`` allows, however many services there are.
public struct ProductBackend: Sendable {
    /// The client without a user, for requests such as a sign-in.
    ///
    /// It does nothing that a service adds: its requests have no token, are not retried, do not use the cache of
    /// this backend, and do not end with a sign-out.
    public let client: NetworkClient
    private let caching: CachingBehavior?
    private let coalescing = CoalescingBehavior { TokenBehavior.partition(of: $0.session) }
    private let retry: any RequestBehavior
    /// Adds keys, if the server recognizes them.
    private let keys: [any RequestBehavior]
    /// The time and the random values of everything that the backend and its services create.
    let effects: SystemEffects
    private let makeHeaders: (@Sendable (NetworkClient) -> [String: String?])?
    private let makeQuery: (@Sendable (NetworkClient) -> [String: String?])?
    private let tokenFormat: (header: String, scheme: String?)
    private let makeRotatingToken: (@Sendable (_ userID: String?) -> RotatingTokenBehavior)?
    private let favoritesList: String?
    private let makeLoader: @Sendable (NetworkClient) -> ProductLoader
    private let makeListManager: @Sendable (NetworkClient) -> ListManager

    /// Creates a backend that implements the contract `Docs/openapi.yaml`.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the API, such as `https://api.example.com/v1`.
    ///   - networking: Sends the requests; the shared ``SystemTransport`` by default.
    ///   - behaviors: Further behaviors, outside of all that a service adds; the first is the outermost.
    ///   - cache: Stores responses; see ``CachingBehavior``. `nil`, the default, stores nothing.
    ///   - retry: Sends requests again after temporary failures, with budgets that all services of this backend share.
    ///   - effects: The time and the random values of the cache, of the retries, and of the services and their view models.
    public init(
        baseURL: URL,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = [],
        cache: ResponseCache? = nil,
        retry: RetryBehavior = RetryBehavior(),
        effects: SystemEffects = SystemEffects()
    ) {
        self.init(
            client: NetworkClient(baseURL: baseURL, networking: networking, behaviors: behaviors),
            cache: cache,
            related: OpenAPIContract.relatedURLs(baseURL: baseURL),
            retry: retry,
            recognizesIdempotencyKeys: true,
            effects: effects,
            loader: { ProductLoader(client: $0) },
            listManager: { ListManager(client: $0) }
        )
    }

    /// Creates a backend with any API.
    ///
    /// ```swift
    /// let backend = ProductBackend(
    ///     client: NetworkClient(baseURL: api),
    ///     cache: ResponseCache(directory: folder),
    ///     loader: { client in ProductLoader(bazaar: client) },
    ///     listManager: { client in ListManager(bazaar: client) }
    /// )
    /// ```
    ///
    /// Only `client`, `loader` and `listManager` are required. See <doc:YourBackend>. The closures are called for each
    /// service, with a client that sends the requests of its user, and ends them when the user signs out. By default,
    /// it retries idempotent requests up to twice, shares equal reads in flight, and sends a token as
    /// `Authorization: Bearer`, and the user's language as `Accept-Language`.
    ///
    /// - Parameters:
    ///   - client: Sends the requests. Its behaviors are outside of all that a service adds: leave
    ///     out tokens, retries and caches.
    ///   - cache: Stores responses; see ``CachingBehavior``. `nil`, the default, stores nothing.
    ///   - related: Returns further URLs whose stored responses an unsafe request to a URL invalidates, such as the
    ///     product whose favorite status it changes. Their queries are ignored. With `nil`, the default, it invalidates
    ///     all responses of the user: each is revalidated before it is used again, and can be shown offline. With a
    ///     cache on disk, this takes longer the more files there are; see ``ResponseCache/invalidateAll(partition:)``.
    ///   - retry: Sends requests again after temporary failures, with budgets that all services of this backend share.
    ///   - recognizesIdempotencyKeys: Whether the server carries out requests with the same `Idempotency-Key`
    ///     once. Then those that are not idempotent, such as `POST`, are retried like all others. With `false`,
    ///     the default, they have no key. An ``IdempotencyKeyBehavior`` of the client states this as well.
    ///   - effects: The time and the random values of the cache, of the retries, and of the services and their view models.
    ///   - headers: Creates, once for each service, the header fields of its requests that depend on its user, such
    ///     as `{ client in ["X-Currency": client.currency] }`. One whose value is `nil`, or that the closure of a
    ///     loader or a list manager has set, is left out. An `Accept-Language` takes the place of the default
    ///     one. The stored responses of different values, and of none, stay apart, as if each `Vary` named these
    ///     fields (RFC 9110 §12.5.5); there are at most eight for each URL and user. So a name that suggests a secret,
    ///     such as `Cookie`, keeps all responses off the disk. Always return the same names, with `nil` for a
    ///     field that is not sent. If a new version of your app adds a field, choose another directory for the cache:
    ///     the stored responses match all values of a field that they do not name.
    ///   - query: Creates, once for each service, the query items of all its requests that depend on its user, such
    ///     as `{ client in ["currency": client.currency] }`. One whose value is `nil`, or that a request has
    ///     already, is left out. An item of the base URL does not count as one of a request. The next page that
    ///     ``NetworkRequest/following(_:keepingQuery:)`` loads with `false` has the items of its link only.
    ///   - tokenHeader: The header field that carries the token of a service. If a response has it, too, the
    ///     `cache` stores the response without it.
    ///   - tokenScheme: The authentication scheme in front of the token (RFC 9110 §11.4), or `nil` to send the token alone.
    ///   - rotatingToken: Creates, for the identifier of each user, the behavior for a nonce, a CSRF token or
    ///     a context token, which each response may renew and each request sends back. Return a new
    ///     ``RotatingTokenBehavior`` each time. `nil`, the default, for a backend without such a token.
    ///   - favoritesList: For a shop with wish lists and no favorites, the name of the list whose products
    ///     are the favorites; see ``ProductLoader/storingFavorites(inListNamed:of:)``. It is hidden from the
    ///     user's lists, and its name is reserved; see ``ListManager/hidingLists(named:)``. With `nil`, the
    ///     default, the favorites are those of the loader.
    ///   - loader: Creates the loader of a service.
    ///   - listManager: Creates the list manager of a service.
    public init(
        client: NetworkClient,
        cache: ResponseCache? = nil,
        related: (@Sendable (URL) -> [URL])? = nil,
        retry: RetryBehavior = RetryBehavior(),
        recognizesIdempotencyKeys: Bool = false,
        effects: SystemEffects = SystemEffects(),
        headers: (@Sendable (NetworkClient) -> [String: String?])? = nil,
        query: (@Sendable (NetworkClient) -> [String: String?])? = nil,
        tokenHeader: String = "Authorization",
        tokenScheme: String? = "Bearer",
        rotatingToken: (@Sendable (_ userID: String?) -> RotatingTokenBehavior)? = nil,
        favoritesList: String? = nil,
        loader: @escaping @Sendable (NetworkClient) -> ProductLoader,
        listManager: @escaping @Sendable (NetworkClient) -> ListManager
    ) {
        self.client = client
        self.retry = retry.using(effects)
        let hasKeys =
            recognizesIdempotencyKeys || client.behaviors.contains { $0 is IdempotencyKeyBehavior }
        // Existentials that all services share, so that creating one allocates less.
        keys = hasKeys ? [IdempotencyKeyBehavior(effects: effects)] : []
        self.effects = effects
        (makeHeaders, makeQuery) = (headers, query)
        tokenFormat = (tokenHeader, tokenScheme)
        makeRotatingToken = rotatingToken
        self.favoritesList = favoritesList
        makeLoader = loader
        makeListManager = listManager
        @Sendable func spelledRelated(_ url: URL) -> [URL] {
            (related?(url) ?? []).flatMap(client.spellings(of:))
        }
        caching = cache.map { cache in
            CachingBehavior(
                cache: cache,
                policy: CachePolicy(tokenHeader: tokenHeader),
                sessionPartition: TokenBehavior.partition,
                writePartition: { $0?.partition },
                related: related == nil ? nil : spelledRelated,
                effects: effects
            )
        }
    }

    /// A backend, with the session and the client of a user in it.
    struct Connection {
        let backend: ProductBackend
        let session: UserSession
        var client: NetworkClient
    }

    /// Creates the session and the client of a service.
    func connection(for user: ServiceUser, localUser: LocalUser) -> Connection {
        let tokens = user.tokens.map { source in
            TokenBehavior(
                header: tokenFormat.header,
                scheme: tokenFormat.scheme,
                refreshDeadline: .seconds(30),
                effects: effects,
                source: source
            )
        }
        let session = UserSession(
            user: user.id,
            name: user.name,
            localUser: localUser,
            backend: coalescing
        ) { [coalescing] session in
            coalescing.end(session)
            tokens?.cancelRefreshes()
        }
        let client = client(for: session, tokens: tokens)
        return Connection(backend: self, session: session, client: client)
    }

    /// Creates the loader and the list manager of a service, which send requests with its client.
    func parts(with client: NetworkClient) -> (loader: ProductLoader, listManager: ListManager) {
        let (loader, lists) = (makeLoader(client), makeListManager(client))
        guard let favoritesList else { return (loader, lists) }
        return (
            loader.storingFavorites(inListNamed: favoritesList, of: lists),
            lists.hidingLists(named: favoritesList)
        )
    }

    /// Returns a client that shares this backend with other clients.
    private func client(for session: UserSession, tokens: TokenBehavior?) -> NetworkClient {
        var stack: [any RequestBehavior] = []
        stack.reserveCapacity(9)
        let user = client.adding([], for: session)
        let fields = makeHeaders?(user) ?? [:]
        let headers = NetworkHeaders(
            fields.compactMap { name, value in value.map { (name: name, value: $0) } }
        )
        // Outside of the retry: all attempts have the same key.
        stack += keys
        // Outside of the cache, which stores a response for each language (`Vary`).
        stack.append(SessionBehavior(session: session, headers: headers))
        // Outside of the retry: serves a stale response only after the last attempt failed.
        if let caching { stack.append(caching) }
        if !fields.isEmpty {
            stack.append(VaryBehavior(names: fields.keys.sorted().joined(separator: ", ")))
        }
        // Inside of the cache, so that background revalidations end with the session, too.
        stack.append(session)
        // Outside of the retry: callers that share a request share all of its attempts.
        stack.append(coalescing)
        // Outside of the token: each attempt is signed with the token of that moment.
        stack.append(retry)
        // Inside of all that store or describe requests: none of them sees the token.
        if let tokens { stack.append(tokens) }
        // Inside of the token: a refusal because of the nonce must not refresh it.
        if let makeRotatingToken { stack.append(makeRotatingToken(session.user?.rawValue)) }
        return client.adding(stack, query: makeQuery?(user) ?? [:], for: session)
    }

    /// Whether the server recognizes a request that it has carried out by its `Idempotency-Key`.
    var recognizesIdempotencyKeys: Bool { !keys.isEmpty }

    /// The cache of the backend, and those of the client.
    private var caches: [CachingBehavior] {
        client.behaviors.compactMap { $0 as? CachingBehavior } + [caching].compactMap(\.self)
    }

    /// Removes all stored responses of all users.
    @concurrent func removeStoredResponses() async {
        for cache in caches { cache.removeAll() }
    }

    /// Invalidates the stored responses of a URL for the user of a session; its query is ignored.
    ///
    /// After the end of the session, nothing happens: a cache of the client may have another user now.
    func invalidate(_ url: URL, for session: UserSession) {
        guard session.isOpen else { return }
        for cache in caches {
            for url in client.spellings(of: url) { cache.invalidate(url, for: session) }
        }
    }
}

extension ProductBackend: CustomStringConvertible, RedactedInDumps {
    /// The base URL without secrets.
    public var description: String {
        "ProductBackend(\(client.baseURL.withoutSecrets?.absoluteString ?? ""))"
    }
}
