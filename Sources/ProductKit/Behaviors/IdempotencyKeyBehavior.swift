#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Gives every request that is not idempotent, such as `POST` and `PATCH`, a key by which the server can tell that it came twice.
///
/// Put it outside of ``RetryBehavior``: then all attempts of one send carry the same key, and they
/// may be repeated. A request that has an `Idempotency-Key` keeps it; set one yourself to repeat an
/// intent with a second `send`.
public struct IdempotencyKeyBehavior: RequestBehavior {
    private let effects: BehaviorEffects

    /// Creates a behavior.
    ///
    /// - Parameter effects: Where fresh keys come from.
    public init(effects: BehaviorEffects = BehaviorEffects()) {
        self.effects = effects
    }

    /// Adds a key to a request that needs one.
    public func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard !request.isIdempotent else { return try await next(request) }
        var request = request
        try request.add(["Idempotency-Key": effects.uuid().uuidString])
        return try await next(request)
    }
}
