/// The users whose tokens signed the first attempt of a request, one for each behavior that signs requests.
///
/// Another user may sign in between two attempts. The request must not be sent with the token of that user.
final class RequestSigners: Sendable {
    private let users = Locked<[ObjectIdentifier: Identifier<UserSession>?]>([:])

    /// Whether no behavior has signed the request.
    var isEmpty: Bool { users.withLock(\.isEmpty) }

    /// Returns whether a behavior may send the request unsigned, because it has not signed it yet.
    func allowsUnsigned(for behavior: AnyObject) -> Bool {
        users.withLock { $0[ObjectIdentifier(behavior)] == nil }
    }

    /// Stores the user of the first call of a behavior, and returns whether it may sign with a token of `user`.
    func claim(_ user: Identifier<UserSession>?, for behavior: AnyObject) -> Bool {
        users.withLock { users in
            let first = users[ObjectIdentifier(behavior), default: user]
            users.updateValue(first, forKey: ObjectIdentifier(behavior))
            return first == user
        }
    }
}
