import Foundation
import ProductKit
import Synchronization

/// The token that an app stores, and the tokens that its server receives.
final class TokenStore: Sendable {
    private struct State {
        var current: AccessToken?
        var sent: [String?] = []
    }

    let time = ManualClock()
    /// Counts the refreshes that have started.
    let refreshes = Counter()
    private let state: Mutex<State>

    init(_ token: AccessToken? = "old") {
        state = Mutex(State(current: token))
    }

    var current: AccessToken? {
        get { state.withLock(\.current) }
        set { state.withLock { $0.current = newValue } }
    }

    /// The tokens of the requests so far; `nil` for one that was not signed.
    var sent: [String?] { state.withLock(\.sent) }

    /// A token that expires some seconds after the current time.
    func token(_ text: String, expiringIn seconds: Double, user: String? = nil) -> AccessToken {
        AccessToken(text, expiry: time.date + seconds, user: user)
    }

    /// Creates a behavior that sends the current token, and stores each one that a refresh returns.
    func behavior(
        effects: SystemEffects? = nil,
        refresh: @escaping @Sendable (AccessToken) async throws -> AccessToken
    ) -> TokenBehavior {
        TokenBehavior(
            effects: effects ?? time.effects(),
            token: { self.current },
            refresh: { [self] old in
                refreshes.next()
                let token = try await refresh(old)
                current = token
                return token
            }
        )
    }

    /// The response of a server to which only these tokens are valid.
    func response(to request: URLRequest, accepting tokens: Set<String> = []) -> NetworkResponse {
        state.withLock { $0.sent.append(request.token) }
        return NetworkResponse(to: request, accepting: tokens)
    }
}
