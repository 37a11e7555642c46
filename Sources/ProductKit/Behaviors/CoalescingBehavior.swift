import Synchronization

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends one request for everyone who asks for the same thing at the same time.
///
/// Only a `GET` is shared. Two are the same when method, address, headers and user are. A load that
/// is asked for after a write has ended never joins one from before it.
public final class CoalescingBehavior: RequestBehavior {
    private struct Key: Hashable, Sendable {
        let url: URL?
        let headers: [String: String]?
        let partition: String
        let writes: Int
        let generation: CacheGeneration?

        /// The address tells keys apart well enough; the headers would cost ten times as much.
        func hash(into hasher: inout Hasher) {
            hasher.combine(url)
        }
    }

    private let work = SharedWork<Key, NetworkResponse>(outlivesCallers: false)
    private let writes = Mutex(0)
    private let partition: @Sendable () -> String

    /// Creates a behavior that shares among those who use it.
    ///
    /// - Parameter partition: Names the user who asks. What is asked for one user is never given to
    ///   another; tokens are added further in and cannot be seen here.
    public init(partition: @escaping @Sendable () -> String = { "" }) {
        self.partition = partition
    }

    /// Joins a request that is on its way, or passes this one on.
    ///
    /// A caller who is cancelled leaves at once. The request goes on for the others, and is
    /// cancelled when nobody is left.
    public func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard request.method == "GET" else {
            defer { if !request.isSafe { writes.withLock { $0 += 1 } } }
            return try await next(request)
        }
        let key = Key(
            url: request.url,
            headers: request.allHTTPHeaderFields,
            partition: partition(),
            writes: writes.withLock(\.self),
            generation: CacheGeneration.current
        )
        return try await work.value(for: key) { try await next(request) }
    }
}
