import Synchronization

/// The users of an operation: one for each service that sends its requests.
///
/// An operation may send any number of requests, and another user may sign in between two of them.
/// The first request of a service decides the user. A later one of another user is refused before it
/// is sent, so an operation neither reads the data of two users nor writes to the account of another
/// one.
///
/// Operations inside of another one, and its child tasks, have the same users. The requests of
/// behaviors do not belong to the operation; see ``ServiceOperation/leaving(_:_:)``.
final class OperationUsers: Sendable {
    private struct Binding {
        let users: OperationUsers
        /// Whether the current task sends a request of the operation.
        let isOfRequest: Bool
    }

    private struct State {
        /// The name of the user, by the session of the service.
        ///
        /// The sessions are retained, so that another one does not get the same identifier.
        var names: [ObjectIdentifier: (session: any AnyObject & Sendable, name: String)] = [:]
        /// The number of operations in flight: this one, and those inside of it.
        var operationsInFlight = 0
    }

    @TaskLocal private static var binding: Binding?

    private let state = Mutex(State())

    /// Creates the users of an operation that has not sent a request.
    init() {}

    /// Those of the current task's operation; `nil` outside of one, and inside of behaviors.
    ///
    /// A task that an operation has started and that continues afterwards does not belong to it.
    private static var current: OperationUsers? {
        guard let binding, !binding.isOfRequest else { return nil }
        return binding.users.state.withLock(\.operationsInFlight) > 0 ? binding.users : nil
    }

    /// Carries out an operation, or a part of the current one.
    static func shared<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await OperationUsers().shared(body)
    }

    /// Carries out an operation of a user whose name is known.
    ///
    /// A request of the session for another user is refused.
    static func shared<Value>(
        by name: String,
        of session: any AnyObject & Sendable,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let users = OperationUsers()
        users.state.withLock { $0.names[ObjectIdentifier(session)] = (session, name) }
        return try await users.shared(body)
    }

    /// Carries out one of several parts of an operation, which may belong to the current one.
    func shared<Value>(_ body: () async throws -> Value) async throws -> Value {
        let users = Self.current ?? self
        users.begin()
        defer { users.end() }
        let binding = Binding(users: users, isOfRequest: false)
        return try await Self.$binding.withValue(binding) { try await body() }
    }

    // The next two methods are not inlined. The optimizer (Swift 6.3, Linux) would otherwise use the
    // thread that locked the mutex before the suspension of `shared` to unlock it afterwards.

    @inline(never) private func begin() {
        state.withLock { $0.operationsInFlight += 1 }
    }

    @inline(never) private func end() {
        state.withLock { $0.operationsInFlight -= 1 }
    }

    /// Sends a request of the current operation, if there is one.
    ///
    /// Further requests that its behaviors send do not belong to the operation.
    static func sending<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard binding != nil else { return try await body() }
        let binding = current.map { Binding(users: $0, isOfRequest: true) }
        return try await $binding.withValue(binding) { try await body() }
    }

    /// Returns whether the current request may be sent for a user.
    ///
    /// It may be, unless an earlier request of its operation was of another user of the session.
    static func accept(_ name: String, of session: any AnyObject & Sendable) -> Bool {
        guard let binding, binding.isOfRequest else { return true }
        return binding.users.state.withLock { state in
            let first = state.names[ObjectIdentifier(session)] ?? (session, name)
            state.names[ObjectIdentifier(session)] = first
            return first.name == name
        }
    }
}
