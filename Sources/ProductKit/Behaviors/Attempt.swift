import Foundation
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

/// How an attempt ended, and what is told of the attempts before it.
extension Result<NetworkResponse, any Error> {
    /// Whether it shows that the host is well.
    var isSuccess: Bool {
        guard case .success(let response) = self else { return false }
        return (200..<400).contains(response.statusCode)
    }

    /// The attempt as it is told, with the delay that followed it.
    func attempt(delay: Duration? = nil) -> NetworkAttempt {
        switch self {
        case .success(let response):
            NetworkAttempt(statusCode: response.statusCode, delay: delay)
        case .failure(let error):
            NetworkAttempt(failure: (error as? NetworkError)?.code, delay: delay)
        }
    }

    /// The outcome, with all attempts when there were several.
    func telling(_ history: [NetworkAttempt]) throws -> NetworkResponse {
        guard !history.isEmpty else { return try get() }
        let attempts = history + [attempt()]
        switch self {
        case .success(var response):
            response.attempts = attempts
            return response
        case .failure(var error as NetworkError):
            error.attempts = attempts
            throw error
        case .failure(let error):
            throw error
        }
    }

    /// The outcome, with all attempts, when too little time is left for another one.
    ///
    /// - Throws: An error that says so when it is the server that asked for the wait.
    func telling(
        _ history: [NetworkAttempt],
        toWait asked: Duration?,
        left: Duration
    ) throws -> NetworkResponse {
        let response = try telling(history)
        guard let asked, asked >= left else { return response }
        throw NetworkError(
            NetworkError(response).code,
            response: response,
            reason: "The server asks to wait for \(asked.text(in: .seconds(1))) s, and only "
                + "\(max(left, .zero).text(in: .seconds(1))) s are left; try again later."
        )
    }
}
