import Foundation

/// An operation of a loader or a manager, which the current task carries out.
///
/// ``NetworkClient`` sends each safe request of its closure with the policy of the operation, and records the source of
/// the response. So the policy holds however the closure is written, and a result has the source of all responses.
final class ServiceOperation: Sendable {
    /// The operation of the current task; `nil` outside of one, and inside of behaviors.
    ///
    /// A task that an operation has started and that continues afterwards does not belong to it.
    static var current: ServiceOperation? { inherited.flatMap { $0.hasEnded ? nil : $0 } }

    @TaskLocal private static var inherited: ServiceOperation?

    private struct State {
        var source: FetchSource?
        /// The number of responses.
        var count = 0
        /// The first request and its response, for error messages.
        var first: (request: OutgoingRequest, response: NetworkResponse)?
        /// The first copies of the responses in caches.
        var stored: [any StoredCopy] = []
        /// Whether a request that writes has succeeded, also one of an outer operation.
        var hasWritten = false
        var session: UserSession?
        var leavesFavoriteUnknown = false
        /// Whether the server has reported to an inner operation that something does not exist.
        var isAbsenceConfirmed = false
        var hasEnded = false

        /// Combines a source with that of all responses so far.
        mutating func combine(_ other: FetchSource) {
            source = source.map { other.combined(with: $0) } ?? other
        }
    }

    /// The maximum count of `stored`, so that an operation with many requests does not fill the memory.
    private static let maximumStoredCount = 1_000

    /// The policy of all safe requests; with `standard`, that of each, and with `nil`, also that of inner operations.
    let policy: FetchPolicy?
    /// The behaviors of all requests, outside of those of the client.
    let behaviors: [any RequestBehavior]
    /// The saved change that the operation sends; `nil` outside of an outbox.
    let attempt: ChangeAttempt?
    /// As in its requests; see ``OutgoingRequest/ignoresKeys``.
    let ignoresKeys: Bool
    /// As in its requests; see ``OutgoingRequest/isAfterFailure``.
    let isAfterFailure: Bool
    private let state: Locked<State>

    private init(
        _ policy: FetchPolicy?,
        behaviors: [any RequestBehavior] = [],
        attempt: ChangeAttempt? = nil,
        ignoresKeys: Bool = false,
        isAfterFailure: Bool = false
    ) {
        let outer = Self.current
        // What an earlier operation has found does not count for a later one.
        outer?.state.withLock { $0.isAbsenceConfirmed = false }
        self.policy = policy
        self.behaviors = (outer?.behaviors ?? []) + behaviors
        self.attempt = attempt ?? outer?.attempt
        self.ignoresKeys = ignoresKeys || outer?.ignoresKeys == true
        self.isAfterFailure = isAfterFailure || outer?.isAfterFailure == true
        state = Locked(State(hasWritten: outer?.state.withLock(\.hasWritten) == true))
    }

    /// Records a response, whatever its status code.
    func record(_ response: NetworkResponse, to request: OutgoingRequest) {
        state.withLock { state in
            state.combine(response.source)
            state.count += 1
            // What was absent before is not what this request loads.
            state.isAbsenceConfirmed = false
            if state.first == nil { state.first = (request, response) }
            if !request.isSafe, response.isSuccess { state.hasWritten = true }
            if let stored = response.stored, state.stored.count < Self.maximumStoredCount {
                state.stored.append(stored)
            }
        }
    }

    /// Records the session of a request before it is sent.
    func record(_ session: UserSession?) {
        guard let session else { return }
        state.withLock { $0.session = session }
    }

    /// The source of all responses together; `nil` if there was none.
    var source: FetchSource? { state.withLock(\.source) }

    /// The session of the service that sends the requests; `nil` if there was none, or outside of a service.
    var session: UserSession? { state.withLock(\.session) }

    /// Whether the favorite status of the loaded product is not known.
    var leavesFavoriteUnknown: Bool {
        get { state.withLock(\.leavesFavoriteUnknown) }
        set { state.withLock { $0.leavesFavoriteUnknown = newValue } }
    }

    private var hasEnded: Bool { state.withLock(\.hasEnded) }

    /// Records the source of a value, such as one from a store, and returns that of all responses and this value.
    func record(_ source: FetchSource) -> FetchSource {
        state.withLock { state in
            state.combine(source)
            return state.source ?? source
        }
    }
}

extension ServiceOperation {
    /// Carries out an operation that only reads.
    ///
    /// Inside of another operation, the policy of that one takes precedence.
    ///
    /// A stored response cannot prove that something is missing, and an earlier version of the program may have
    /// stored one that this version cannot decode. After such an error, the operation is repeated with
    /// ``FetchPolicy/reload``. If the response was served in place of an error, that is thrown instead; if the
    /// policy permits no request, ``NetworkError/Code-swift.struct/notCached``.
    static func read<Value: Sendable>(
        _ policy: FetchPolicy,
        behaviors: [any RequestBehavior],
        isAfterFailure: Bool = false,
        _ body: (ServiceOperation) async throws -> Value
    ) async throws -> Value {
        let operation = ServiceOperation(
            current?.policy ?? policy,
            behaviors: behaviors,
            isAfterFailure: isAfterFailure
        )
        do {
            return try await operation.run(body)
        } catch let error where operation.mayBeOutdated(error) {
            if let failure = operation.source?.failure { throw failure }
            guard operation.policy?.allowsNetwork != false else { throw NetworkError(.notCached) }
            return try await ServiceOperation(.reload, behaviors: behaviors).run(body)
        }
    }

    /// Loads a page from the network, or from a cache if that fails.
    static func page<Element: Sendable>(
        behaviors: [any RequestBehavior],
        _ load: () async throws -> Page<Element>
    ) async throws -> Page<Element> {
        try await read(.networkFirst, behaviors: behaviors) { operation in
            var page = try await load()
            page.source = operation.record(page.source)
            return page
        }
    }

    /// Carries out an operation that changes something on the server.
    ///
    /// Its safe requests precede or follow a write, so they use ``FetchPolicy/revalidate``, also in another operation.
    static func write<Value: Sendable>(
        behaviors: [any RequestBehavior] = [],
        ignoringKeys ignoresKeys: Bool = false,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let operation = ServiceOperation(
            .revalidate,
            behaviors: behaviors,
            ignoresKeys: ignoresKeys
        )
        return try await operation.run { _ in try await body() }
    }

    /// Sends a saved change, with a closure of the app.
    static func carryOut<Value: Sendable>(
        _ attempt: ChangeAttempt,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let operation = ServiceOperation(nil, attempt: attempt)
        defer { operation.end() }
        do {
            return try await $inherited.withValue(operation) { try await body() }
        } catch {
            throw operation.attributed(error)
        }
    }

    private func end() { state.withLock { $0.hasEnded = true } }

    private func run<Value: Sendable>(
        _ body: (ServiceOperation) async throws -> Value
    ) async throws -> Value {
        let outer = Self.current
        defer { end() }
        do {
            let value = try await Self.$inherited.withValue(self) { try await body(self) }
            outer?.record(self)
            return value
        } catch {
            let error = discardUnreadableResponses(after: error)
            if !mayBeOutdated(error) { outer?.record(self, reportingAbsence: error.isNotFound) }
            throw error
        }
    }

    /// Records the responses of an inner operation.
    private func record(_ inner: ServiceOperation, reportingAbsence: Bool = false) {
        let recorded = inner.state.withLock(\.self)
        state.withLock { state in
            if let source = recorded.source { state.combine(source) }
            state.count += recorded.count
            state.first = state.first ?? recorded.first
            state.session = recorded.session ?? state.session
            if recorded.leavesFavoriteUnknown { state.leavesFavoriteUnknown = true }
            if recorded.hasWritten { state.hasWritten = true }
            if reportingAbsence { state.isAbsenceConfirmed = true }
            let free = Self.maximumStoredCount - state.stored.count
            state.stored += recorded.stored.prefix(free)
        }
    }

    /// Returns an error that names the member, and the request if there was only one, in place of a `DecodingError`.
    ///
    /// The responses of the operation are removed from caches, so that they are not served again.
    private func discardUnreadableResponses(after error: any Error) -> any Error {
        // An error of the library itself has no response, such as one for a list that was read but rejected.
        let hasResponse = (error as? NetworkError)?.statusCode != nil
        guard error is DecodingError || hasResponse && error.isOfUnknownResponse else {
            return attributed(error)
        }
        let recorded = state.withLock(\.self)
        for copy in recorded.stored { copy.remove() }
        guard let error = error as? DecodingError else { return attributed(error) }
        let exchange = recorded.count == 1 ? recorded.first : nil
        let networkError = NetworkError(error, in: exchange?.response)
        return exchange.map { networkError.attributed(to: $0.request) } ?? networkError
    }

    /// Notes in the error of a closure that a request of it has written, or else that the unreadable response is to a read.
    private func attributed(_ error: any Error) -> any Error {
        guard var networkError = error as? NetworkError else { return error }
        let (count, hasWritten) = state.withLock { ($0.count, $0.hasWritten) }
        if hasWritten { networkError.followsWrite = true }
        if error.isOfUnknownResponse, count > 0, !hasWritten { networkError.isOfRead = true }
        return networkError
    }

    /// Whether an error may be due to a stored response that is out of date.
    private func mayBeOutdated(_ error: any Error) -> Bool {
        guard let source, !source.isFromServer else { return false }
        guard !error.isNotFound else { return !state.withLock(\.isAbsenceConfirmed) }
        guard let error = error as? NetworkError else { return false }
        return [.unexpected, .unreadable].contains(error.code)
            || error.underlying is DecodingError
    }

    /// Runs a closure outside of an operation, such as the behaviors and hooks of a request: a further
    /// request that they send, for example for a token, does not belong to the operation.
    static func outside<Value: Sendable>(
        of operation: ServiceOperation?,
        _ body: () async throws -> Value
    ) async throws -> Value {
        guard operation != nil else { return try await body() }
        return try await $inherited.withValue(nil, operation: body)
    }
}

/// An attempt to send a saved change, which an operation makes for an outbox.
struct ChangeAttempt: Sendable {
    /// Whether an earlier attempt may have changed what the change sets.
    let mayBeCarriedOut: Bool
    /// Whether a server that recognizes keys knows the change, because all attempts so far had its key.
    let isKnownByKey: Bool
    /// Returns the `Idempotency-Key` of an unsafe request.
    let key: @Sendable (OutgoingRequest) -> String
}

extension Error {
    /// Whether the error is that something does not exist.
    var isNotFound: Bool {
        switch self as any Error {
        case ProductError.notFound, ListError.notFound: true
        case let error as NetworkError: error.code == .notFound
        default: false
        }
    }

    /// Whether a closure could not read a response that a client has returned; errors of a client name the request.
    fileprivate var isOfUnknownResponse: Bool {
        guard let error = self as? NetworkError else { return false }
        return error.code == .unreadable && error.method == nil
    }
}

extension NetworkError {
    /// Whether the server responded to a write that its target does not exist.
    ///
    /// A 404 to a read before the write, and a missing output, do not show that.
    var reportsMissingTarget: Bool {
        code == .notFound && !isOfRead && !(underlying is MissingOutput)
    }
}
