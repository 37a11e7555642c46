/// The users whose tokens signed the first attempt of a request, one for each behavior that signs requests.
///
/// Another user may sign in between two attempts. The request belongs to the first user, so it must
/// not be sent again with the token of the second one.
final class RequestSigners: Sendable {
    private let users = Locked<[ObjectIdentifier: Identifier<UserSession>?]>([:])

    /// Whether no behavior has signed the request.
    var isEmpty: Bool { users.withLock(\.isEmpty) }

    /// Returns whether a behavior may send the request unsigned, because it has not signed it yet.
    func allowsUnsigned(for behavior: AnyObject) -> Bool {
        users.withLock { $0[ObjectIdentifier(behavior)] == nil }
    }

    /// Claims the request for a user, and returns whether a behavior may sign it with a token of that user.
    ///
    /// The first call of each behavior stores its user and returns `true`.
    func claim(_ user: Identifier<UserSession>?, for behavior: AnyObject) -> Bool {
        users.withLock { users in
            let first = users[ObjectIdentifier(behavior), default: user]
            users.updateValue(first, forKey: ObjectIdentifier(behavior))
            return first == user
        }
    }
}
