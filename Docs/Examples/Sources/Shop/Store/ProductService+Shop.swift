import Foundation
import ProductKit

extension ProductService {
    /// Creates a service with the default behaviors and a log, and optionally a cache.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the store.
    ///   - backend: The API of the store.
    ///   - localUser: The user, with the currency of prices. The identifier is the cache partition.
    ///   - token: The token of the user, or `nil` for an anonymous user.
    ///   - log: The log, which prints a request once, without its retries.
    ///   - isVerbose: Whether to print each attempt as well.
    ///   - attempts: The maximum number of attempts per request.
    ///   - cache: The cache, or `nil` for none.
    ///   - networking: The transport.
    init(
        store baseURL: URL,
        backend: Backend = .productkit,
        localUser: LocalUser,
        token: String?,
        log: ExchangeLog,
        isVerbose: Bool,
        attempts: Int = 3,
        cache: ResponseCache? = nil,
        networking: any Networking = .system
    ) {
        var behaviors: [any RequestBehavior] = [log.behavior]
        let partition = localUser.id?.rawValue ?? "guests"
        if let cache {
            let caching = CachingBehavior(
                cache: cache,
                partition: { partition },
                related: OpenAPIContract.relatedURLs(baseURL: baseURL)
            )
            behaviors.append(caching)
        }
        behaviors += [CoalescingBehavior { partition }, RetryBehavior(attempts: attempts)]
        if isVerbose {
            // The store on this machine is at an address that the user did not type.
            let origin = baseURL.absoluteString.dropLast(baseURL.path().count)
            let logging = LoggingBehavior { event in
                Terminal.print("    \(event)".replacing(origin, with: ""), breaksWords: true)
            }
            behaviors.append(logging)
        }
        self = backend.service(
            at: baseURL,
            token: token,
            networking: networking,
            behaviors: behaviors,
            localUser: localUser
        )
    }
}
