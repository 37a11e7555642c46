import Foundation

/// A behavior that sends one request for equal `GET` requests that are in flight at the same time.
///
/// Requests are equal if they have the same URL, header fields and partition, and if their policies have the
/// same directive for the caches after them; those that ``NetworkRequest/reading(as:)`` declares to be reads
/// also need the same body. Their callers share one response or one error. Nothing is stored: a request that
/// starts after the response has arrived is sent again. Requests with other methods that are not declared to be reads
/// are always sent.
///
/// A request that starts after an unsafe request (such as a `PUT`) has ended never joins one that
/// started before, so its response includes the change.
public final class CoalescingBehavior: RequestBehavior {
    private struct Key: Hashable, Sendable {
        let url: URL
        let readIdentity: String?
        let headers: NetworkHeaders
        /// The directive that the policy adds to the header fields.
        let directive: String?
        let partition: Identifier<CoalescingBehavior>
        let completedWrites: Int
        let cacheGeneration: CacheGeneration?

        /// Hashes what distinguishes most keys: hashing the header fields takes ten times as long.
        func hash(into hasher: inout Hasher) {
            hasher.combine(url)
            hasher.combine(partition)
            if let readIdentity { hasher.combine(readIdentity) }
        }
    }

    private let inFlight = SingleFlight<Key, NetworkResponse>(cancelsWhenAbandoned: true)
    private let completedWrites = Locked(0)
    private let partition: @Sendable (OutgoingRequest) -> String?

    /// Creates a behavior.
    ///
    /// Requests are shared between all clients that use the same instance.
    ///
    /// - Parameter partition: Returns an identifier of the user whose request is sent, or a constant if all users get the
    ///   same responses. Requests of different partitions are never shared, and with `nil` a request is not shared at
    ///   all. It has no default, because this behavior does not see the token that a ``TokenBehavior`` inside of it adds.
    public convenience init(partition: @escaping @Sendable () -> String?) {
        self.init { _ in partition() }
    }

    /// Creates a behavior whose partition follows from the request, such as from its user.
    init(partition: @escaping @Sendable (OutgoingRequest) -> String?) {
        self.partition = partition
    }

    /// Ends the requests that a service has started; other services that wait for them send them again.
    func end(_ session: UserSession) {
        inFlight.end(startedFor: session, throwing: ServiceSignedOut())
    }

    /// Joins an equal request that is in flight, or sends this one.
    ///
    /// A cancelled caller throws `CancellationError` immediately. The request continues for the
    /// other callers, and is cancelled with the last of them.
    public func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard request.isRead, let partition = partition(request) else {
            defer { if !request.isSafe { completedWrites.withLock { $0 += 1 } } }
            return try await next(request)
        }
        guard request.policy.allowsNetwork else { throw NetworkError(.notCached, request: request) }
        let key = Key(
            url: request.url,
            readIdentity: request.readIdentity,
            headers: request.headers,
            directive: request.policy.directive,
            partition: Identifier(partition),
            completedWrites: completedWrites.withLock(\.self),
            cacheGeneration: request.cacheGeneration
        )
        while true {
            do {
                return try await inFlight.value(for: key, startedFor: request.session) {
                    do {
                        return try await next(request)
                    } catch  where request.session?.isOpen == false {
                        throw ServiceSignedOut()
                    }
                }
            } catch is ServiceSignedOut where request.session?.isOpen != false {
                // Another service of the user has started the request, and has signed out.
            }
        }
    }
}
