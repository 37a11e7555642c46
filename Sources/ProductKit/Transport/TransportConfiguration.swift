import Dispatch
import Foundation

/// The parameters of ``SystemTransport`` with which a transport was created, and the rules that follow from them.
struct TransportConfiguration: Sendable {
    let maximumBodySize: Int
    let deadline: Duration
    /// The maximum number of requests in flight to one origin, unless the system decides.
    var maximumRequestsPerOrigin = 32
    let allowsInsecureHTTP: Bool
    let isTrusted: (@Sendable (ServerIdentity) -> Bool)?

    /// Sends a request that is valid and allowed, and then a new one for each redirect to follow.
    ///
    /// The response must arrive before `end`.
    func response(
        for request: URLRequest,
        _ send: (_ request: URLRequest, _ end: DispatchTime) async throws -> NetworkResponse
    ) async throws -> NetworkResponse {
        try request.validate()
        guard allowsInsecureHTTP || request.url?.isInsecure == false else {
            throw NetworkError(.insecure, request: request)
        }
        let limit = min(deadline, .seconds(request.timeoutInterval))
        let end = DispatchTime.now() + max(limit, .zero) / .seconds(1)
        return try await Redirection.follow(
            request.withLowercaseScheme,
            allowsInsecureHTTP: allowsInsecureHTTP
        ) { try await send($0, end) }
    }
}
