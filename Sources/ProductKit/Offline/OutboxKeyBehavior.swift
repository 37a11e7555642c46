import Foundation

/// A behavior that adds an `Idempotency-Key` to each unsafe request that an ``Outbox`` sends.
///
/// The key consists of the identifier of the change and a checksum of the request, so it is the same
/// when the change is sent again, also after a restart. A server that returns its first response for a key that
/// it knows carries out a change once, although the response was lost: then a later change of another
/// device is not undone.
///
/// After a complete response with a server error (5xx), the next attempt has another key. Otherwise a
/// server that repeats its first response for a known key would repeat the error. After 502 and 504
/// the key stays, because a gateway has lost the response of the server (RFC 9110 §15.6). It always
/// stays for the creation of a list.
///
/// A ``ProductService`` with an outbox has this behavior. It is inside of ``RetryBehavior``, so that the
/// key repeats nothing: the server may ignore it. If the server is known to recognize keys, it is
/// outside of it; see ``ProductBackend``. Other requests, and those that have a key already, are sent
/// unchanged.
public struct OutboxKeyBehavior: RequestBehavior {
    /// Creates a behavior.
    public init() {}

    /// Adds the key of the current change to an unsafe request.
    public func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard let change = Outbox.Change.current, !request.isSafe, !request.isRead,
            request.headers["Idempotency-Key"] == nil
        else { return try await next(request) }
        var request = request
        let number = OutboxState.Attempt.current?.keyNumber ?? 0
        let suffix = number == 0 ? "" : "-\(number)"
        request.add(["Idempotency-Key": "\(change.id)-\(request.checksum)\(suffix)"])
        return try await next(request)
    }
}

extension OutgoingRequest {
    /// A checksum of the method, the URL and the body, in 16 hexadecimal digits.
    fileprivate var checksum: String {
        var sum = UInt64.checksum(of: method)
        sum = .checksum(of: url.absoluteString, startingWith: sum)
        sum = (body ?? Data()).withUnsafeBytes { .checksum(of: $0, startingWith: sum) }
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
