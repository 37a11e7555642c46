import Foundation
import ProductKit

extension ProductService {
    /// Wires a service as the library does by default, with eyes on what happens.
    ///
    /// - Parameters:
    ///   - baseURL: Where the store is.
    ///   - localUser: Whose currency is shown.
    ///   - token: What the store knows the user by.
    ///   - log: Shows every exchange as the screen sees it.
    ///   - isVerbose: Whether to show every attempt of it, too.
    ///   - attempts: How often a request is sent at most.
    init(
        store baseURL: URL,
        localUser: LocalUser,
        token: String,
        log: ExchangeLog,
        isVerbose: Bool,
        attempts: Int = 3
    ) {
        var behaviors: [any RequestBehavior] = [
            log.behavior,
            CoalescingBehavior(),
            RetryBehavior(attempts: attempts),
        ]
        if isVerbose { behaviors.append(LoggingBehavior { event in print("    \(event)") }) }
        behaviors.append(TokenBehavior { token })
        self.init(
            client: NetworkClient(baseURL: baseURL, behaviors: behaviors),
            localUser: localUser
        )
    }
}
