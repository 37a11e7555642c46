import Synchronization

/// Which attempt of which send a task is at: told by the one who repeats to those further in.
struct Attempt: Sendable {
    /// The attempt that the task is at; `nil` when nobody repeats.
    @TaskLocal static var current: Attempt?

    /// Counted from 1.
    let number: Int
    /// Who has signed the send so far.
    let signers: Signers
}

/// Whose tokens signed a send: the same user's in all of its attempts, whoever signs in meanwhile.
final class Signers: Sendable {
    private let users = Mutex<[ObjectIdentifier: String?]>([:])

    /// Whether a user may sign; the first one decides.
    func admit(_ user: String?, by behavior: TokenBehavior) -> Bool {
        users.withLock { users in
            let first = users[ObjectIdentifier(behavior), default: user]
            users.updateValue(first, forKey: ObjectIdentifier(behavior))
            return first == user
        }
    }
}
