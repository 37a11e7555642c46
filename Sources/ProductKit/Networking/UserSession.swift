/// The session of a service, which lasts until its user signs out.
///
/// A client adds it to each request of the service, so every behavior knows whose request it is.
final class UserSession: RequestBehavior {
    /// The identifier of the user; `nil` for a guest.
    let user: Identifier<UserSession>?
    /// The name of the user, which no other user has, and which is the same in the next run of the program.
    let name: String
    /// The ISO 4217 code of the user's currency.
    let currency: String
    /// The language tag of the user (RFC 5646); `nil` if the locale has no language.
    let language: String?
    /// The backend that the services of all users share, and in which the name is unique.
    let backend: ObjectIdentifier
    private let hasEnded = Locked(false)
    /// Held while a closure of ``ifOpen(_:)`` runs.
    private let changes = Locked(())
    /// Called when the session ends, before the requests in flight throw.
    private let onEnd: @Sendable (UserSession) -> Void
    private let exchanges = SingleFlight<Never, NetworkResponse>(cancelsWhenAbandoned: true)

    init(
        user: String?,
        name: String,
        localUser: LocalUser,
        backend: AnyObject,
        onEnd: @escaping @Sendable (UserSession) -> Void
    ) {
        self.user = user.map { Identifier($0) }
        self.name = name
        currency = localUser.currency
        language = localUser.languageTag
        self.backend = ObjectIdentifier(backend)
        self.onEnd = onEnd
    }

    /// Whether the user has not signed out.
    var isOpen: Bool { hasEnded.withLock { !$0 } }

    /// Calls a closure unless the user has signed out; the end of the session waits for the closure.
    ///
    /// - Returns: Whether it was called.
    func ifOpen(_ body: () -> Void) -> Bool {
        changes.withLock { _ in
            guard isOpen else { return false }
            body()
            return true
        }
    }

    /// The partition of the responses; `nil` after signing out, when nothing is shared or stored.
    var partition: String? { isOpen ? name : nil }

    /// Ends all requests: they throw `CancellationError` immediately and send nothing more.
    func end() {
        hasEnded.withLock { $0 = true }
        changes.withLock { _ in }
        onEnd(self)
        exchanges.cancelAll()
    }

    /// Sends a request until it ends or the user signs out.
    func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        try await exchanges.value(for: nil) { [self] in
            guard isOpen else { throw CancellationError() }
            return try await next(request)
        }
    }
}

/// The error of a request that was not sent, or not to its end, because its service has signed out.
///
/// Other services of the user that wait for the request send it again. A client throws `CancellationError`
/// instead.
struct ServiceSignedOut: Error {}
