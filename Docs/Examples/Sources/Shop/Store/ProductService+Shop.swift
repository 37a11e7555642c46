import EmbeddedStore
import Foundation
import ProductKit

extension ServiceUser {
    /// The user whom the store of this package knows.
    static let demo = signedIn(EmbeddedStore.demoUser) { EmbeddedStore.demoToken }
}

extension ProductService {
    /// Creates a service with the default behaviors and a log, and optionally a cache.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the store.
    ///   - backend: The API of the store.
    ///   - localUser: The currency of prices.
    ///   - user: The user of the service.
    ///   - log: The log, which prints a request once, without its retries.
    ///   - isVerbose: Whether to print each attempt as well.
    ///   - attempts: The maximum number of attempts per request.
    ///   - cache: The cache, or `nil` for none.
    ///   - outbox: The outbox, or `nil` to send each change when it is made.
    ///   - networking: The transport.
    init(
        store baseURL: URL,
        backend: Backend = .productkit,
        localUser: LocalUser,
        user: ServiceUser,
        log: ExchangeLog,
        isVerbose: Bool,
        attempts: Int = 3,
        cache: ResponseCache? = nil,
        outbox: Outbox? = nil,
        networking: any Networking = .system
    ) {
        var networking = networking
        if isVerbose {
            // The store on this machine is at an address that the user did not type.
            let origin = baseURL.absoluteString.dropLast(baseURL.path().count)
            let logging = LoggingBehavior { event in
                Terminal.print("    \(event)".replacing(origin, with: ""), breaksWords: true)
            }
            networking = networking.logged(by: logging)
        }
        let productBackend = backend.productBackend(
            at: baseURL,
            networking: networking,
            behaviors: [log.behavior],
            cache: cache,
            retry: RetryBehavior(attempts: attempts)
        )
        self.init(backend: productBackend, localUser: localUser, user: user, outbox: outbox)
    }
}

extension Networking {
    /// Returns a transport that logs each attempt to send a request.
    fileprivate func logged(by logging: LoggingBehavior) -> any Networking {
        .closure { request in
            guard let url = request.url else { return try await response(for: request) }
            return try await logging.intercept(
                OutgoingRequest(method: request.httpMethod ?? "GET", url: url),
                next: NetworkExchange { _ in try await response(for: request) }
            )
        }
    }
}
