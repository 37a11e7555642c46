import Foundation
import ProductKit

/// The token that an app stores, and the tokens that its server receives.
struct TokenStore: Sendable {
    let time = ManualClock()
    /// Counts the refreshes that have started.
    let refreshes = Counter()
    @Observed var current: AccessToken?
    /// The tokens of the requests so far; `nil` for one that was not signed.
    @Observed private(set) var sent: [String?] = []

    init(_ token: AccessToken? = "old") {
        _current = Observed(wrappedValue: token)
    }

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
            token: { current },
            refresh: { old in
                refreshes.next()
                let token = try await refresh(old)
                current = token
                return token
            }
        )
    }

    /// The response of a server to which only these tokens are valid.
    func response(to request: URLRequest, accepting tokens: Set<String> = []) -> NetworkResponse {
        _sent.change { $0.append(request.token) }
        return NetworkResponse(to: request, accepting: tokens)
    }
}
