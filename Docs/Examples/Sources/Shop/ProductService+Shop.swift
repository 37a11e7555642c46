import Foundation
import ProductKit

extension ProductService {
    /// Wires a service as the library does by default, with eyes on what happens.
    ///
    /// - Parameters:
    ///   - baseURL: Where the store is.
    ///   - backend: What it speaks.
    ///   - localUser: Whose currency is shown, and whose answers are kept.
    ///   - token: What the store knows the user by; `nil` for a stranger.
    ///   - log: Shows every exchange as the screen sees it.
    ///   - isVerbose: Whether to show every attempt of it, too.
    ///   - attempts: How often a request is sent at most.
    ///   - cache: What keeps answers; `nil` for nothing.
    ///   - networking: What carries the requests.
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
        if let cache {
            let caching = CachingBehavior(
                cache: cache,
                partition: { localUser.id?.rawValue ?? "" },
                related: OpenAPIContract.relatedURLs(baseURL: baseURL)
            )
            behaviors.append(caching)
        }
        behaviors += [CoalescingBehavior(), RetryBehavior(attempts: attempts)]
        if isVerbose { behaviors.append(LoggingBehavior { event in print("    \(event)") }) }
        self = backend.service(
            at: baseURL,
            token: token,
            networking: networking,
            behaviors: behaviors,
            localUser: localUser
        )
    }
}
