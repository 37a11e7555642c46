import Foundation

/// A behavior that sends back the token that the last response contained, such as a nonce, a CSRF token or a context token.
///
/// The server creates such a token, each response may renew it, and the server refuses a write without it,
/// or with an old one. Each request carries the latest token in the header field in which the responses have
/// it. If the server refuses a request with status code 403, or with 401 because there was no token yet, and
/// the refusal contains a new token, the request is sent once more with that. Without a new token, the refusal is
/// returned, so the server must send the first token with another response.
///
/// A ``ProductBackend`` creates one for each service, with its parameter `rotatingToken`. In a
/// ``NetworkClient`` of your own, place it inside of all other behaviors, also of ``TokenBehavior``: that
/// would refresh its token after a 401 that is about the nonce. It has one user.
///
/// The token is removed from the responses, so no cache stores it. That of another server, to which a
/// request was redirected, is ignored. If two responses renew the token at the same time, the one that
/// arrives last counts. After a sign-out, the token of a late response is ignored.
public final class RotatingTokenBehavior: RequestBehavior {
    private let header: String
    private let onChange: (@Sendable (String) -> Void)?
    private let latest: Locked<String?>

    /// Creates a behavior.
    ///
    /// A nonce needs only the header field: it is in memory, and the first response provides it. A token that
    /// stands for a cart or a session must survive a restart. Store it in `onChange` for each user, and pass it the
    /// next time. Remove it before the service of the next user is created; <doc:SigningIn#The-account> shows where,
    /// and how to keep the cart of a guest.
    ///
    /// - Parameters:
    ///   - header: The header field of requests and responses that carries the token.
    ///   - token: The first token; `nil`, the default, if the first response provides it.
    ///   - onChange: Receives each new token. It is called before the response is returned, and not after a sign-out
    ///     has returned. Other requests and a sign-out wait for it: return quickly, and do not wait for the main actor.
    public init(
        header: String,
        token: String? = nil,
        onChange: (@Sendable (String) -> Void)? = nil
    ) {
        self.header = header
        self.onChange = onChange
        latest = Locked(token)
    }

    /// Adds the latest token to a request, and sends the request once more if it is refused with a new one.
    ///
    /// A request that already has the header field is sent once, with its own token.
    public func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        let hasToken = request.headers[header] != nil
        let token = request.headers[header] ?? latest.withLock(\.self)
        let (response, newToken) = try await exchange(request, with: token, next)
        let isRefused = response.statusCode == 403 || response.statusCode == 401 && token == nil
        guard isRefused, !hasToken, let newToken else { return response }
        return try await exchange(request, with: newToken, next).response
    }

    /// Sends a request, and returns the response without the token that it contains, and this token if it is new.
    private func exchange(
        _ request: OutgoingRequest,
        with token: String?,
        _ next: NetworkExchange
    ) async throws -> (response: NetworkResponse, newToken: String?) {
        var request = request
        request.headers[header] = token
        if token?.isFieldValue == false { try request.checkTokenFields() }
        var response = try await next(request)
        guard !response.isOfOtherOrigin(than: request.url) else { return (response, nil) }
        let received = response.headers[header]
        response.headers[header] = nil
        // A server that returns the token of the request has not renewed it. Meanwhile, another response may have.
        guard let received, !received.isEmpty, received != token else { return (response, nil) }
        let renew = {
            // Called inside of the lock: otherwise two tokens could be reported in the wrong order.
            self.latest.withLock {
                $0 = received
                self.onChange?(received)
            }
        }
        guard let session = request.session else {
            renew()
            return (response, received)
        }
        return (response, session.ifOpen(renew) ? received : nil)
    }
}
