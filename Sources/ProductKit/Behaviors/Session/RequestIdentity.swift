import Synchronization

/// The user whom the current task's request of a `ProductService` belongs to.
///
/// It is decided once, when the request starts, and is the same for all of its attempts and for a
/// background revalidation that it starts. The cache and the coalescing of the service use it as
/// their partition.
final class RequestIdentity: Sendable {
    /// The identity of the current task's request, or `nil` outside of a service.
    @TaskLocal static var current: RequestIdentity?

    private struct Tokens {
        /// The token that was read to decide the identity, until an attempt uses it.
        var unused: AccessToken??
        /// The token that signed the latest attempt.
        var latest: AccessToken?
    }

    /// The name of the user's partition.
    let name: String
    /// The users whose tokens signed the request.
    let tokenOwners = TokenOwners()
    /// How often users had signed out when the request started.
    private let signOuts: Int
    private let session: UserSession
    private let tokens: Mutex<Tokens>

    /// Creates an identity of a user.
    ///
    /// - Parameters:
    ///   - name: The name of the user's partition.
    ///   - token: The token that was read to decide the identity; `nil` if none was read.
    ///   - signOuts: How often users had signed out when the request started.
    ///   - session: The session of the service.
    init(_ name: String, token: AccessToken?? = nil, signOuts: Int, session: UserSession) {
        self.name = name
        self.signOuts = signOuts
        self.session = session
        tokens = Mutex(Tokens(unused: token))
    }

    /// The partition of the cache; `nil` after signing out, when nothing is shared or stored.
    var partition: String? {
        session.signOuts == 0 ? name : nil
    }

    /// Whether the user has not signed out since the request started.
    var isCurrent: Bool { session.signOuts == signOuts }

    /// Throws `CancellationError` if the user has signed out since the request started.
    func checkCurrent() throws {
        guard isCurrent else { throw CancellationError() }
    }

    /// The token that signed the latest attempt; `nil` if none was signed.
    var latestToken: AccessToken? {
        get { tokens.withLock(\.latest) }
        set { tokens.withLock { $0.latest = newValue } }
    }

    /// Returns the token that was read to decide the identity, for the first call only.
    func takeUnusedToken() -> AccessToken?? {
        tokens.withLock { tokens in
            defer { tokens.unused = nil }
            return tokens.unused
        }
    }
}
