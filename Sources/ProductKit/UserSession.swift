import Foundation
import Synchronization

/// A user's time with a cache, which ends when the user signs out.
final class UserSession: Sendable {
    private let current: Mutex<String?>

    /// Begins a session.
    ///
    /// A user who signs requests but has no identity cannot be told from another, so what is stored is
    /// for this session only.
    init(of user: LocalUser, isSigned: Bool) {
        let name = user.id.map { "user \($0)" }
        current = Mutex(name ?? (isSigned ? "session \(UUID().uuidString)" : "guests"))
    }

    /// Whose answers are stored now; `nil` after the end, when an answer is nobody's.
    var scope: String? { current.withLock(\.self) }

    /// Ends the session for good.
    func end() {
        current.withLock { $0 = nil }
    }
}
