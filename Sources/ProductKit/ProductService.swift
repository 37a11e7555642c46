public import Foundation

/// The entry point of the library: a loader, a list manager and the view models that use them.
///
/// ```swift
/// let user = LocalUser(currency: "EUR")
/// let service = ProductService(baseURL: api, localUser: user) { token }
/// let viewModel = service.viewModel(for: boots)
/// ```
///
/// A service belongs to one user. When the user signs out, call ``signOut(keepsUnsentChanges:)``; when another user
/// signs in, create another service.
///
/// **The user of a request** is decided once, when it starts: the ``AccessToken/user`` of the current
/// token, else the ``LocalUser/id``, else the token itself. Cached responses and requests in flight
/// are used for that user only, and all attempts are signed for that user. All requests of an
/// operation, such as a toggle or a loop over pages, belong to the user of the first one. If the user
/// changes in the meantime, ``TokenError/sessionEnded`` is thrown, and nothing more is sent. A new
/// token without any name counts as another user, unless `refresh` has returned it.
///
/// If the closure `token` returns the tokens of several users, such as from a task-local value, set
/// the ``AccessToken/user`` of each token. Do not set the ``LocalUser/id`` instead: all tokens
/// without a user would belong to it, and the users would share their responses.
public struct ProductService: Sendable {
    /// Loads products and changes their favorite status.
    public private(set) var loader: ProductLoader
    /// Loads and changes the user's lists.
    public private(set) var listManager: ListManager
    /// The state that all view models of this service share.
    public let store: ProductStore
    /// The user's currency and locale, for new view models.
    ///
    /// A change affects neither existing view models nor requests: `Accept-Language` and the cache
    /// partition are those of the user that the service was created with.
    public var localUser: LocalUser
    /// The outbox that saves the edits of the user, if there is one.
    public let outbox: Outbox?
    let effects: SystemEffects
    private let session: UserSession?
    private let responseStores: (any ResponseStoring)?

    /// Creates a service for a backend that implements the contract `Docs/openapi.yaml`.
    ///
    /// Equal loads at the same time share one request, and idempotent requests are retried when the
    /// network or the server fails. See ``CoalescingBehavior`` and ``RetryBehavior``.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the API, such as `https://api.example.com/v1`.
    ///   - localUser: The user's currency and locale, for new view models. Requests carry the
    ///     user's language as `Accept-Language`.
    ///   - networking: Sends the requests; the shared ``SystemTransport`` by default.
    ///   - behaviors: Further behaviors, outside of all that the service adds; the first is the
    ///     outermost.
    ///   - cache: Stores responses, so that screens open immediately and work offline; see
    ///     ``CachingBehavior``. `nil`, the default, stores nothing. If requests are signed, set
    ///     ``LocalUser/id``. Without it, a service with a `token` finds only the responses that it
    ///     stored itself with the same token. If another behavior or the transport signs requests,
    ///     the identifier is required: all users without one share their stored responses.
    ///   - outbox: Saves the edits of the user, so that none is lost offline; see ``Outbox``. `nil`, the
    ///     default, sends each edit when it is made. If requests are signed, set ``LocalUser/id``.
    ///     Without it, a service with a `token` saves no edit. If another behavior or the transport
    ///     signs requests, all users without an identifier share their changes.
    ///   - retry: Sends requests again after temporary failures. The default has retry budgets of
    ///     its own; services that get the same instance share its budgets.
    ///   - effects: The time and the random values of the service and of its view models.
    ///   - token: Returns the token that signs a request, called for each attempt. A request for
    ///     which it returns `nil` is sent unsigned. With `nil`, the default, no request is signed.
    ///     If the user has no ``LocalUser/id``, it is also called for responses of the cache.
    public init(
        baseURL: URL,
        localUser: LocalUser,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = [],
        cache: ResponseCache? = nil,
        outbox: Outbox? = nil,
        retry: RetryBehavior = RetryBehavior(),
        effects: SystemEffects = SystemEffects(),
        token: (@Sendable () async throws -> String?)? = nil
    ) {
        let backend = ProductBackend(
            baseURL: baseURL,
            networking: networking,
            behaviors: behaviors,
            cache: cache,
            retry: retry,
            effects: effects
        )
        self.init(backend: backend, localUser: localUser, outbox: outbox, token: token)
    }

    /// Creates a service for a backend that implements the contract `Docs/openapi.yaml`, and whose
    /// tokens name their user or are refreshed.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the API, such as `https://api.example.com/v1`.
    ///   - localUser: The user's currency and locale, for new view models. Requests carry the
    ///     user's language as `Accept-Language`.
    ///   - networking: Sends the requests; the shared ``SystemTransport`` by default.
    ///   - behaviors: Further behaviors, outside of all that the service adds; the first is the
    ///     outermost.
    ///   - cache: Stores responses; see ``CachingBehavior``. `nil`, the default, stores nothing.
    ///   - outbox: Saves the edits of the user, so that none is lost offline; see ``Outbox``. `nil`, the
    ///     default, sends each edit when it is made. If requests are signed, set ``LocalUser/id``.
    ///     Without it, a service with a `token` saves no edit. If another behavior or the transport
    ///     signs requests, all users without an identifier share their changes.
    ///   - retry: Sends requests again after temporary failures. The default has retry budgets of
    ///     its own; services that get the same instance share its budgets.
    ///   - effects: The time and the random values of the service and of its view models.
    ///   - token: Returns the token that signs a request, called for each attempt and for each
    ///     response of the cache, whose partition is the ``AccessToken/user``. A request for which
    ///     it returns `nil` is sent unsigned.
    ///   - refresh: Exchanges a rejected or expired token for a new one of the same user; see
    ///     ``TokenBehavior``. With `nil`, the default, no token is refreshed.
    public init(
        baseURL: URL,
        localUser: LocalUser,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = [],
        cache: ResponseCache? = nil,
        outbox: Outbox? = nil,
        retry: RetryBehavior = RetryBehavior(),
        effects: SystemEffects = SystemEffects(),
        token: @escaping @Sendable () async throws -> AccessToken?,
        refresh: (@Sendable (AccessToken) async throws -> AccessToken)? = nil
    ) {
        let backend = ProductBackend(
            baseURL: baseURL,
            networking: networking,
            behaviors: behaviors,
            cache: cache,
            retry: retry,
            effects: effects
        )
        self.init(
            backend: backend,
            localUser: localUser,
            outbox: outbox,
            token: token,
            refresh: refresh
        )
    }

    /// Creates a service that shares a backend with the services of other users.
    ///
    /// - Parameters:
    ///   - backend: The backend.
    ///   - localUser: The user's currency and locale, for new view models. Requests carry the
    ///     user's language as `Accept-Language`.
    ///   - outbox: Saves the edits of the user; see ``Outbox``. It has one user at a time, and requires a
    ///     ``LocalUser/id`` if requests are signed.
    ///   - token: Returns the token that signs a request, called for each attempt. A request for
    ///     which it returns `nil` is sent unsigned. With `nil`, the default, no request is signed.
    ///     If the user has no ``LocalUser/id``, it is also called for responses of the cache.
    public init(
        backend: ProductBackend,
        localUser: LocalUser,
        outbox: Outbox? = nil,
        token: (@Sendable () async throws -> String?)? = nil
    ) {
        let tokens = token.map { token in
            TokenSource(
                token: { try await token().map { AccessToken($0) } },
                nameUsers: false,
                refresh: nil
            )
        }
        self.init(backend: backend, localUser: localUser, outbox: outbox, tokens: tokens)
    }

    /// Creates a service that shares a backend with the services of other users, and whose tokens
    /// name their user or are refreshed.
    ///
    /// - Parameters:
    ///   - backend: The backend.
    ///   - localUser: The user's currency and locale, for new view models. Requests carry the
    ///     user's language as `Accept-Language`.
    ///   - outbox: Saves the edits of the user; see ``Outbox``. It has one user at a time, and requires a
    ///     ``LocalUser/id`` if requests are signed.
    ///   - token: Returns the token that signs a request, called for each attempt and for each
    ///     response of the cache, whose partition is the ``AccessToken/user``. A request for which
    ///     it returns `nil` is sent unsigned.
    ///   - refresh: Exchanges a rejected or expired token for a new one of the same user; see
    ///     ``TokenBehavior``. Each service refreshes its own tokens. With `nil`, the default, no
    ///     token is refreshed.
    public init(
        backend: ProductBackend,
        localUser: LocalUser,
        outbox: Outbox? = nil,
        token: @escaping @Sendable () async throws -> AccessToken?,
        refresh: (@Sendable (AccessToken) async throws -> AccessToken)? = nil
    ) {
        let tokens = TokenSource(token: token, nameUsers: true, refresh: refresh)
        self.init(backend: backend, localUser: localUser, outbox: outbox, tokens: tokens)
    }

    private init(
        backend: ProductBackend,
        localUser: LocalUser,
        outbox: Outbox?,
        tokens: TokenSource?
    ) {
        let session = UserSession(for: localUser, tokens: tokens)
        let parts = backend.parts(for: session, language: localUser.languageTag)
        self.init(
            loader: parts.loader,
            listManager: parts.listManager,
            localUser: localUser,
            outbox: outbox,
            recognizesIdempotencyKeys: backend.recognizesIdempotencyKeys,
            effects: backend.effects,
            session: session,
            client: parts.client
        )
    }

    /// Creates a service whose loader and list manager send their requests with a client.
    ///
    /// The client's behaviors are the only ones: the service adds no cache, retry or token, as a
    /// service with a ``ProductBackend`` does. If a ``CachingBehavior`` is among them,
    /// ``signOut(keepsUnsentChanges:)`` empties its cache and ``invalidate(_:)`` uses it.
    ///
    /// - Parameters:
    ///   - client: Sends the requests.
    ///   - localUser: The user's currency and locale, for new view models.
    ///   - outbox: Saves the edits of the user; see ``Outbox``. It has one user at a time, and requires a
    ///     ``LocalUser/id`` if requests are signed.
    ///   - effects: The time and the random values of the view models.
    ///   - loader: Creates the loader over a client whose requests end when the user signs out; by
    ///     default that of the contract `Docs/openapi.yaml`.
    ///   - listManager: Creates the list manager over the same client.
    public init(
        client: NetworkClient,
        localUser: LocalUser,
        outbox: Outbox? = nil,
        effects: SystemEffects = SystemEffects(),
        loader: (NetworkClient) -> ProductLoader = { ProductLoader(client: $0) },
        listManager: (NetworkClient) -> ListManager = { ListManager(client: $0) }
    ) {
        let session = UserSession(for: localUser, tokens: nil)
        let behaviors = [session.identify, session.send].map { ClosureBehavior(intercept: $0) }
        let recognizesKeys = client.hasBehavior(IdempotencyKeyBehavior.self)
        // The server may ignore the key. Then it is inside of a retry of the client.
        let keys: [any RequestBehavior] = [OutboxKeyBehavior()]
        let client =
            recognizesKeys
            ? client.inside(of: behaviors + keys) : client.inside(of: behaviors).outside(of: keys)
        self.init(
            loader: loader(client),
            listManager: listManager(client),
            localUser: localUser,
            outbox: outbox,
            recognizesIdempotencyKeys: recognizesKeys,
            effects: effects,
            session: session,
            client: client
        )
    }

    /// Creates a service from a loader and a list manager, such as for a test or a preview.
    ///
    /// The service does not know how they send requests. For a backend, use a ``ProductBackend``:
    /// only then requests end and caches are emptied when the user signs out.
    ///
    /// - Parameters:
    ///   - loader: Loads products and changes their favorite status.
    ///   - listManager: Loads and changes the user's lists.
    ///   - localUser: The user's currency and locale, for new view models.
    ///   - outbox: Saves the edits of the user; see ``Outbox``. It has one user at a time, and requires a
    ///     ``LocalUser/id`` if requests are signed.
    ///   - effects: The time and the random values of the view models.
    public init(
        loader: ProductLoader,
        listManager: ListManager,
        localUser: LocalUser,
        outbox: Outbox? = nil,
        effects: SystemEffects = SystemEffects()
    ) {
        self.init(
            loader: loader,
            listManager: listManager,
            localUser: localUser,
            outbox: outbox,
            effects: effects,
            session: nil,
            client: nil
        )
    }

    private init(
        loader: ProductLoader,
        listManager: ListManager,
        localUser: LocalUser,
        outbox: Outbox?,
        recognizesIdempotencyKeys: Bool = false,
        effects: SystemEffects,
        session: UserSession?,
        client: NetworkClient?
    ) {
        var listManager = listManager
        listManager.effects = effects
        let user = (session ?? UserSession(for: localUser, tokens: nil)).persistentName
        if let outbox, let user {
            let send = Outbox.sending(
                loader,
                listManager,
                recognizesIdempotencyKeys: recognizesIdempotencyKeys
            )
            let outbox = outbox.started(for: user) { change in
                guard let session else { return try await send(change) }
                return try await OperationUsers.shared(by: user, of: session) {
                    try await send(change)
                }
            } checking: { [checkName = listManager.checkName] edit in
                if let name = edit.listName { try checkName(name) }
            }
            self.outbox = outbox
            self.loader = loader.offline(outbox)
            self.listManager = listManager.offline(outbox)
        } else {
            self.outbox = nil
            self.loader = loader
            self.listManager = listManager
        }
        self.localUser = localUser
        self.effects = effects
        store = ProductStore(outbox: self.outbox, effects: effects)
        self.session = session
        responseStores = client?.responseStores
    }

    /// Returns a service whose requests have further behaviors, such as one that adds a header field
    /// for one screen.
    ///
    /// With an outbox, edits are sent without the further behaviors.
    ///
    /// - Parameter behaviors: The behaviors, the outermost first. They are outside of those that the
    ///   service has already.
    /// - Returns: A service of the same user, which shares its state, cache and requests with this
    ///   one. Signing out of one signs out of both.
    public func with(behaviors: [any RequestBehavior]) -> ProductService {
        var service = self
        service.loader = loader.with(behaviors: behaviors)
        service.listManager = listManager.with(behaviors: behaviors)
        return service
    }

    /// Ends all requests of the service and removes the user's data.
    ///
    /// When it returns, nothing is found in the service's cache, in memory or on disk, responses for
    /// other users included, and open screens have dropped their pending edits and list memberships.
    /// The service stores nothing from then on.
    ///
    /// Requests in flight throw `CancellationError` immediately, also those that wait for a retry
    /// or a token, and nothing more is sent for them. A write among them may have reached the
    /// server. A token refresh is cancelled; if it ends nevertheless, do not store its token. Later
    /// requests throw ``TokenError/sessionEnded`` if the service was created with a `token`, and are
    /// sent otherwise, with `Cache-Control: no-store`.
    ///
    /// The requests of a service that was created without a ``ProductBackend`` or a
    /// ``NetworkClient`` continue, but screens drop their results. Empty a cache of your own
    /// yourself.
    ///
    /// Calling it again empties the cache again, with everything that other services have stored in
    /// it since. When a user signs in, create another service.
    ///
    /// - Parameter keepsUnsentChanges: Whether the changes that wait in the ``outbox`` stay on disk,
    ///   until the same user signs in on this device again. With `false`, the default, they are
    ///   removed. To send them before, call ``Outbox/sendAll(ignoringRetryAfter:)``.
    @MainActor public func signOut(keepsUnsentChanges: Bool = false) {
        session?.signOut()
        outbox?.end(keepsChanges: keepsUnsentChanges)
        responseStores?.removeAll()
        store.reset()
    }

    /// Invalidates the cached responses of a path, such as after a push message about a change.
    ///
    /// They are not served again before the server has revalidated them, except as stale responses
    /// when it fails; see ``ResponseCache/invalidate(_:partition:)``. Without a cache and after
    /// ``signOut(keepsUnsentChanges:)``, nothing happens.
    ///
    /// The responses of the ``LocalUser/id`` are affected, and those of every other user whose
    /// requests this service has sent.
    ///
    /// - Parameter url: The URL of the responses. Its query is ignored, so responses with any query
    ///   are invalidated.
    public func invalidate(_ url: URL) {
        responseStores?.invalidate(url)
    }
}
