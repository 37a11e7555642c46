public import Foundation

/// The entry point of the library: a loader, a list manager and the view models that use them.
///
/// ```swift
/// let euros = LocalUser(currency: "EUR")
/// let anna = ServiceUser.signedIn("anna") { token }
/// let service = ProductService(baseURL: api, localUser: euros, user: anna)
/// let viewModel = service.viewModel(for: boots)
/// ```
///
/// A service belongs to one ``ServiceUser``, who never changes. Cached responses, requests in flight and saved
/// edits are used for that user only. When the user signs out, call ``signOut(keepsUnsentChanges:)``; when another
/// user signs in, create another service. A server creates one ``ProductBackend``, and a service for each user.
public struct ProductService: Sendable {
    /// Loads products and changes their favorite status.
    public private(set) var loader: ProductLoader
    /// Loads and changes the user's lists.
    public private(set) var listManager: ListManager
    /// The state that all view models of this service share.
    public let store: ProductStore
    /// The user's currency and locale, for new view models.
    ///
    /// A change affects neither existing view models nor requests, whose `Accept-Language` and
    /// ``NetworkClient/currency`` are those that the service was created with.
    public var localUser: LocalUser
    /// The session of the outbox that saves the edits of the user, if there is one.
    public let outbox: Outbox.Session?
    /// The identifier of the user; `nil` for a guest.
    public let userID: String?
    /// Sends further requests as those of the loader and the list manager: signed, retried and stored for
    /// the user, until the service signs out.
    ///
    /// ```swift
    /// let reviews = NetworkRequest<[Review]>.get("products", product.id, "reviews")
    /// let all = try await service.client.send(reviews)
    /// ```
    ///
    /// The ``outbox`` does not save its writes. Each request of a service that was created with a loader and a list
    /// manager throws ``UnimplementedAction``.
    public var client: NetworkClient { connection?.client ?? .unimplemented() }
    let effects: SystemEffects
    /// `nil` for a service that was created with a loader and a list manager.
    private var connection: ProductBackend.Connection?

    /// Creates a service for a backend that implements the contract `Docs/openapi.yaml`.
    ///
    /// Equal loads at the same time share one request, and idempotent requests are retried when the
    /// network or the server fails. See ``CoalescingBehavior`` and ``RetryBehavior``. For behaviors and
    /// retries of your own, for another API, and for several users, create a ``ProductBackend`` first.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the API, such as `https://api.example.com/v1`.
    ///   - localUser: The user's currency and locale, for new view models. Requests carry the
    ///     user's language as `Accept-Language`.
    ///   - user: The user whose requests are sent, with the token that signs them.
    ///   - networking: Sends the requests; the shared ``SystemTransport`` by default.
    ///   - cache: Stores responses, so that screens can open immediately and offline, with a ``FetchPolicy`` that
    ///     permits it; see ``CachingBehavior``. `nil`, the default, stores nothing.
    ///   - outbox: Saves the edits of the user, so that none is lost offline; see ``Outbox``. `nil`, the
    ///     default, sends each edit when it is made.
    public init(
        baseURL: URL,
        localUser: LocalUser,
        user: ServiceUser,
        networking: any Networking = .system,
        cache: ResponseCache? = nil,
        outbox: Outbox? = nil
    ) {
        let backend = ProductBackend(baseURL: baseURL, networking: networking, cache: cache)
        self.init(backend: backend, localUser: localUser, user: user, outbox: outbox)
    }

    /// Creates a service that shares a backend with the services of other users.
    ///
    /// The other parameters are those of ``init(baseURL:localUser:user:networking:cache:outbox:)``. An outbox has
    /// one user at a time.
    public init(
        backend: ProductBackend,
        localUser: LocalUser,
        user: ServiceUser,
        outbox: Outbox? = nil
    ) {
        let connection = backend.connection(for: user, localUser: localUser)
        let (loader, listManager) = backend.parts(with: connection.client)
        self.init(
            loader: loader,
            listManager: listManager,
            localUser: localUser,
            user: user,
            outbox: outbox,
            effects: backend.effects,
            connection: connection
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
    ///   - user: The user whose edits the outbox saves, required with an outbox. The loader and the list
    ///     manager sign their requests themselves: a token of the user is not used.
    ///   - outbox: Saves the edits of the user; see ``Outbox``. It has one user at a time. `nil`, the
    ///     default, sends each edit when it is made.
    ///   - effects: The time and the random values of the view models.
    public init(
        loader: ProductLoader,
        listManager: ListManager,
        localUser: LocalUser,
        user: ServiceUser? = nil,
        outbox: Outbox? = nil,
        effects: SystemEffects = SystemEffects()
    ) {
        precondition(
            user != nil || outbox == nil,
            "An outbox saves the edits of a user. Pass user: .guest or user: .signedIn(id)."
        )
        self.init(
            loader: loader,
            listManager: listManager,
            localUser: localUser,
            user: user ?? .guest,
            outbox: outbox,
            effects: effects,
            connection: nil
        )
    }

    private init(
        loader: ProductLoader,
        listManager: ListManager,
        localUser: LocalUser,
        user: ServiceUser,
        outbox: Outbox?,
        effects: SystemEffects,
        connection: ProductBackend.Connection?
    ) {
        var listManager = listManager
        listManager.effects = effects
        self.outbox = outbox.map { outbox in
            let send = Outbox.sending(
                loader,
                listManager,
                recognizesIdempotencyKeys: connection?.backend.recognizesIdempotencyKeys ?? false
            )
            return outbox.start(for: user.name, sending: send) {
                [checkName = listManager.checkName] edit in
                if let name = edit.parts.name { try checkName(name) }
            }
        }
        self.loader = self.outbox.map(loader.performingEdits(in:)) ?? loader
        self.listManager = self.outbox.map(listManager.performingEdits(in:)) ?? listManager
        self.localUser = localUser
        userID = user.id
        self.effects = effects
        store = ProductStore(outbox: self.outbox, effects: effects)
        self.connection = connection
    }

    /// Returns a service whose requests have further behaviors, such as one that adds a header field for one screen.
    ///
    /// An edit that the outbox saves is sent without the further behaviors. Edits that it never saves have them,
    /// such as the renaming of a list only if it is unchanged.
    ///
    /// The requests of closures that use no ``NetworkClient`` have no behaviors.
    ///
    /// - Parameter behaviors: The behaviors, the outermost first. They are outside of those that the service has already.
    /// - Returns: A service of the same user, which shares its state, cache and requests with this
    ///   one. Signing out of one signs out of both.
    public func with(behaviors: [any RequestBehavior]) -> ProductService {
        var service = self
        service.loader = loader.with(behaviors: behaviors)
        service.listManager = listManager.with(behaviors: behaviors)
        service.connection?.client = client.with(behaviors: behaviors)
        return service
    }

    /// Ends all requests of the service and removes the user's data.
    ///
    /// Before it suspends, all requests have ended, open screens have dropped their pending edits and list
    /// memberships, and the service stores nothing from then on. Files are removed in the background. When it
    /// returns, nothing is found in the service's cache, in memory or on disk, responses for other users
    /// included. A task that is cancelled signs out nevertheless.
    ///
    /// Requests in flight throw `CancellationError` immediately, also those that wait for a retry or a token, and nothing
    /// more is sent for them. A request that a behavior of the client or of `with(behaviors:)` delays throws later, when
    /// this behavior continues. A write among the requests in flight may have reached the server. A token refresh is
    /// cancelled, unless it replaces a login; do not store the token of one that ends nevertheless. Later requests throw
    /// ``TokenError/sessionEnded``, also those of a guest, and the next one of an operation or a loop that has sent others.
    ///
    /// Other services of the same user continue. But an ``outbox`` that they share has ended for all of them.
    ///
    /// The requests of a service that was created with a loader and a list manager continue, but screens
    /// drop their results. Empty a cache of your own yourself.
    ///
    /// Calling it again empties the cache again, with everything that other services have stored in it since.
    ///
    /// - Parameter keepsUnsentChanges: Whether the changes that wait in the ``outbox`` stay on disk,
    ///   until the same user signs in on this device again. With `false`, the default, they are
    ///   removed. To send them before, call ``Outbox/Session/sendAll(ignoringRetryAfter:)``.
    @MainActor public func signOut(keepsUnsentChanges: Bool = false) async {
        endSession(keepsUnsentChanges: keepsUnsentChanges)
        await removeData()
    }

    /// Ends all requests of the service; ``removeData()`` must follow.
    @MainActor func endSession(keepsUnsentChanges: Bool) {
        // First, so that the outcomes of its attempts in flight do not count any longer.
        outbox?.end(keepsChanges: keepsUnsentChanges)
        connection?.session.end()
        store.reset()
    }

    /// Removes what the service has stored, after the end of its session.
    func removeData() async {
        await connection?.backend.removeStoredResponses()
        _ = await outbox?.closeFile(reportsFailure: true)
    }

    /// Invalidates the cached responses of a path, such as after a push message about a change.
    ///
    /// They are not served again before the server has revalidated them, except as stale responses
    /// when it fails; see ``ResponseCache/invalidate(_:partition:)``. Without a cache and after
    /// ``signOut(keepsUnsentChanges:)``, nothing happens.
    ///
    /// The responses of other users are not affected.
    ///
    /// - Parameter url: The URL of the responses. Its query is ignored, so responses with any query are invalidated.
    public func invalidate(_ url: URL) {
        guard let connection else { return }
        connection.backend.invalidate(url, for: connection.session)
    }
}
