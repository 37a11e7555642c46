import Foundation

/// Serving Stale Responses (RFC 9111 §4.2.4), and `stale-if-error` (RFC 5861 §4).
extension CachePolicy {
    /// Returns whether a stored response may be served after the origin server failed.
    ///
    /// The time for which a stale response may be served is limited by the `stale-if-error` of the response, else that
    /// of the request, else ``staleIfErrorLimit``. It counts from when the response became stale or, if it was stale
    /// already, from when this cache received or validated it. A response that describes a temporary failure is not
    /// served.
    func mayServeOnError(_ response: CachedResponse, for request: CacheRequest, now: Date) -> Bool {
        let freshness = response.freshness
        guard request.policy.allowsStaleIfError, !request.control.has("no-cache"),
            !freshness.requiresRevalidation, !isTransient(response.stored.statusCode)
        else { return false }
        if !response.stored.isInvalidated, freshness.staleness(at: now) < 0 { return true }
        guard !freshness.mustRevalidate else { return false }
        let limit =
            freshness.staleIfError ?? request.control.staleIfError ?? staleIfErrorLimit
            / .seconds(1)
        return limit > 0 && freshness.stalenessSinceReceipt(at: now) <= limit
    }

    /// Returns whether a response is an error in the sense of RFC 5861 §4.
    func isOriginFailure(_ response: NetworkResponse) -> Bool {
        Self.originFailures.contains(response.statusCode)
    }

    private static let originFailures = [500, 502, 503, 504]

    /// Returns whether an error means that the origin server could not be reached or did not
    /// complete its response.
    ///
    /// TLS failures and oversized responses are not such errors: the server was reached. A refresh of the
    /// token is one if it times out, or if its response is an error in the sense of RFC 5861 §4.
    func isOriginFailure(_ error: any Error, of request: OutgoingRequest) -> Bool {
        if error as? TokenError == .refreshTimedOut { return true }
        let systemError = error.urlError.flatMap { error in
            error.code == .cancelled
                ? nil : NetworkError(error, request: FailedRequest(request))
        }
        guard let error = systemError ?? error as? NetworkError else { return false }
        if error.code == .unavailable, let statusCode = error.statusCode {
            return Self.originFailures.contains(statusCode)
        }
        return [.unreachable, .timedOut, .connectionLost, .incomplete].contains(error.code)
    }
}
