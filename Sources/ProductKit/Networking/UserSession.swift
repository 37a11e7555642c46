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
    private let state = Locked(State())
    /// Held while a closure of ``ifOpen(_:)`` runs.
    private let changes = Locked(())
    /// Called when the session ends, before the requests in flight throw.
    private let onEnd: @Sendable (UserSession) -> Void

    private struct State {
        var hasEnded = false
        /// The requests in flight, by the number of the call.
        var exchanges: [Int: Exchange] = [:]
        var lastNumber = 0
    }

    /// A request in flight, in a task of its own, so that its caller can throw before it ends.
    private struct Exchange {
        let caller: CheckedContinuation<NetworkResponse, any Error>
        /// `nil` until the task was started.
        var task: Task<Void, Never>?
    }

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
    var isOpen: Bool { state.withLock { !$0.hasEnded } }

    /// Calls a closure unless the user has signed out, and returns whether it did; the end of the session waits for it.
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
        state.withLock { $0.hasEnded = true }
        changes.withLock { _ in }
        onEnd(self)
        let exchanges = state.withLock { state in
            defer { state.exchanges = [:] }
            return state.exchanges.sorted { $0.key < $1.key }.map(\.value)
        }
        for exchange in exchanges { exchange.caller.resume(throwing: CancellationError()) }
        for exchange in exchanges { exchange.task?.cancel() }
    }

    /// Sends a request until it ends or the user signs out.
    ///
    /// If the caller is cancelled, so is the request, and the caller waits for its outcome.
    func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        try Task.checkCancellation()
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in
                state.withLock { $0.exchanges[number] = Exchange(caller: caller) }
                let task = Task.startingAtOnce { [self] in
                    let result: Result<NetworkResponse, any Error>
                    do {
                        guard isOpen else { throw CancellationError() }
                        result = .success(try await next(request))
                    } catch {
                        result = .failure(error)
                    }
                    let exchange = state.withLock { $0.exchanges.removeValue(forKey: number) }
                    exchange?.caller.resume(with: result)
                }
                state.withLock { $0.exchanges[number]?.task = task }
                // Before that, neither the caller nor the end of the session could cancel the task.
                if Task.isCancelled || !isOpen { task.cancel() }
            }
        } onCancel: {
            state.withLock { $0.exchanges[number]?.task }?.cancel()
        }
    }
}

/// The error of a request that was not sent, or not to its end, because its service has signed out.
///
/// Other services of the user that wait for the request send it again; a client throws `CancellationError`.
struct ServiceSignedOut: Error {}
