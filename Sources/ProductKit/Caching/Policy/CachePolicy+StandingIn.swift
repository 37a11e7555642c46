import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Serving Stale Responses (RFC 9111 §4.2.4), and `stale-if-error` (RFC 5861 §4).
extension CachePolicy {
    /// Whether what is stored may be given in place of a server that cannot be had.
    func mayStandIn(_ response: CachedResponse, for question: CacheQuestion, now: Date) -> Bool {
        let freshness = response.freshness
        guard question.policy.cache != .never, !question.control.has("no-cache"),
            !freshness.isUnusableUnasked, response.stored.statusCode < 500
        else { return false }
        if !response.stored.isInvalidated, freshness.isFresh(at: now) { return true }
        guard !freshness.isUnusableStale else { return false }
        let limit =
            freshness.staleIfError ?? question.control.staleIfError ?? staleIfErrorLimit
            / .seconds(1)
        return limit > 0 && freshness.age(at: now) - freshness.lifetime <= limit
    }

    /// Whether an answer says that the server cannot be had.
    func isFailure(_ response: NetworkResponse) -> Bool {
        [500, 502, 503, 504].contains(response.statusCode)
    }

    /// Whether an error says that the server cannot be had.
    ///
    /// A server that is not who it should be can be had, and so can one that answers too much.
    func isFailure(_ error: any Error, of request: URLRequest) -> Bool {
        let codes: [NetworkError.Code] = [.unreachable, .timedOut, .connectionLost, .incomplete]
        return error.networkCode(request).map(codes.contains) ?? false
    }
}

extension Error {
    /// What could be done about it, in our words; `nil` for what is neither ours nor the system's.
    func networkCode(_ request: URLRequest) -> NetworkError.Code? {
        if let error = self as? URLError {
            return error.code == .cancelled ? nil : NetworkError(error, request: request).code
        }
        return (self as? NetworkError)?.code
    }
}
