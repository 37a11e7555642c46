public import Observation

/// Signs users in and out, and has the service of the present user.
///
/// A ``ProductService`` belongs to one ``ServiceUser``, who never changes. An app has one account, and creates
/// its screens with the ``service`` of it:
///
/// ```swift
/// let account = ProductAccount(load: load, store: store) { login in
///     ProductService(
///         backend: backend,
///         localUser: LocalUser(currency: "EUR"),
///         user: login.map { .bazaar($0, client: backend.client, onChange: store) } ?? .guest,
///         outbox: login == nil ? nil : outbox
///     )
/// }
/// ```
///
/// `Login` is what the app stores for a user; see <doc:SigningIn>.
@MainActor @Observable public final class ProductAccount<Login> {
    /// The service of the user, or of a guest; another one after each ``signIn(with:)`` and
    /// ``signOut(keepsUnsentChanges:)``.
    public private(set) var service: ProductService

    private let load: () -> Login?
    private let store: (Login?) -> Void
    private let makeService: (Login?) -> ProductService

    /// Creates an account with the user whose login is stored, or with a guest.
    ///
    /// - Parameters:
    ///   - load: Returns the login that is stored; `nil` for a guest. It is called now and for each sign-out. If it
    ///     cannot read the login while the device is locked, create the account when it is unlocked.
    ///   - store: Replaces the login that is stored, or removes it with `nil`. Pass it as `onChange`
    ///     to a ``ServiceUser`` who has signed in, too: a refresh creates a new login. Do not pass it to a guest.
    ///   - makeService: Creates the service for a login, or for a guest with `nil`. Create the backend and the
    ///     outbox once, outside of this closure.
    public init(
        load: @escaping () -> Login?,
        store: @escaping (Login?) -> Void,
        makeService: @escaping (Login?) -> ProductService
    ) {
        (self.load, self.store, self.makeService) = (load, store, makeService)
        service = makeService(load())
    }

    /// Stores a login, and replaces the ``service``.
    ///
    /// Call it also when the session of the user has ended. The service of the earlier user signs out, but keeps the edits
    /// that its ``Outbox`` has not sent. The new service of the same user sends them. That of a guest does not sign out.
    ///
    /// Before it suspends, the login is stored and the service is replaced, also if the task is cancelled.
    ///
    /// - Parameter login: The login, from the response to the sign-in.
    public func signIn(with login: Login) async {
        let old = service
        if old.userID != nil { old.endSession(keepsUnsentChanges: true) }
        replaceService(for: login)
        if old.userID != nil { await old.removeData() }
    }

    /// Signs the service out, removes the login, and replaces the ``service`` by that of a guest.
    ///
    /// It does what ``ProductService/signOut(keepsUnsentChanges:)`` does. Before it suspends, the login is removed
    /// and the service is replaced, also if the task is cancelled. A refresh that ends later does not store its
    /// login. For a guest, nothing happens.
    ///
    /// - Parameter keepsUnsentChanges: Whether the changes that wait in the ``Outbox`` stay on disk. By default,
    ///   they are removed.
    /// - Returns: The login that was removed, for a request that lets the server revoke its token; `nil` for a guest.
    @discardableResult
    public func signOut(keepsUnsentChanges: Bool = false) async -> Login? {
        let old = service
        guard old.userID != nil else { return nil }
        old.endSession(keepsUnsentChanges: keepsUnsentChanges)
        let login = load()
        replaceService(for: nil)
        await old.removeData()
        return login
    }

    private func replaceService(for login: Login?) {
        store(login)
        service = makeService(login)
    }
}
