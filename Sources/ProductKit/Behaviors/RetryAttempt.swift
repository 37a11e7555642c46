import Synchronization

/// The attempt that the current task is sending, set by ``RetryBehavior`` for the behaviors inside
/// of it.
///
/// ``TokenBehavior`` uses its token owners to sign all attempts of one request for the same user.
struct RetryAttempt: Sendable {
    /// The attempt of the current task, or `nil` outside of ``RetryBehavior``.
    @TaskLocal static var current: RetryAttempt?

    /// The users whose tokens signed the request; shared by all of its attempts.
    ///
    /// A request of a service has one for all of its sends, see ``RequestIdentity/tokenOwners``.
    let tokenOwners: TokenOwners
}

/// The user whose token signed the first attempt of a request, for each ``TokenBehavior``.
///
/// Another user may sign in between two attempts. The request belongs to the first user, so it must
/// not be sent again with the token of the second one.
final class TokenOwners: Sendable {
    private let users = Mutex<[ObjectIdentifier: Identifier<AccessToken>?]>([:])

    /// Returns whether a behavior may send the request unsigned, because it has not signed it yet.
    func allowsUnsigned(for behavior: TokenBehavior) -> Bool {
        users.withLock { $0[ObjectIdentifier(behavior)] == nil }
    }

    /// Returns whether a behavior may sign the request with a token of this user.
    ///
    /// The first call of each behavior stores its user and returns `true`.
    func allows(_ user: Identifier<AccessToken>?, for behavior: TokenBehavior) -> Bool {
        users.withLock { users in
            let first = users[ObjectIdentifier(behavior), default: user]
            users.updateValue(first, forKey: ObjectIdentifier(behavior))
            return first == user
        }
    }
}
