import Foundation

/// A behavior that adds an `Idempotency-Key` to each request that is not idempotent, such as `POST`
/// and `PATCH`, so that it can be retried.
///
/// A server that supports the header field executes requests with the same key only once.
///
/// Place the behavior outside of ``RetryBehavior``, so that all attempts have the same key. Each
/// `send` gets a new random key. A request that already has a key is sent unchanged: set the field
/// yourself to repeat an operation with a second `send`.
///
/// Installing it states that the server recognizes keys. A request that an ``Outbox`` sends gets the key
/// of its change, which is the same in each attempt until the server responds with a failure of its own (5xx).
public struct IdempotencyKeyBehavior: RequestBehavior {
    private let effects: SystemEffects

    /// Creates a behavior.
    ///
    /// - Parameter effects: The source of random keys.
    public init(effects: SystemEffects = SystemEffects()) {
        self.effects = effects
    }

    /// Adds a key to a request that is not idempotent and has none.
    public func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard !request.isIdempotent else { return try await next(request) }
        var request = request
        request.add(["Idempotency-Key": request.changeKey ?? effects.uuid().uuidString])
        return try await next(request)
    }
}
