import ArgumentParser
import EmbeddedStore
import Foundation
import ProductKit

/// Which store a command talks to, as whom, and in which currency.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The base URL of a store elsewhere.", valueName: "url"),
        transform: StoreOptions.address
    )
    var api: URL?

    @Option(help: "What a store elsewhere speaks.")
    var backend = Backend.productkit

    @Option(help: ArgumentHelp("The token that the store knows you by.", valueName: "token"))
    var token: String?

    @Option(
        help: ArgumentHelp(
            "Whose token it is, to keep apart what is stored for others.",
            valueName: "name"
        )
    )
    var user: String?

    @OptionGroup var cache: CacheOption

    @Flag(help: "Ask nobody: open no store, and show what was stored.")
    var offline = false

    @Flag(help: "Show every attempt to reach the store.")
    var verbose = false

    @OptionGroup var money: CurrencyOption

    func validate() throws {
        guard api != nil || backend == .productkit else {
            throw ValidationError(
                "--backend \(backend.rawValue) needs a store elsewhere: add --api."
            )
        }
        guard !offline || cache.directory != nil else {
            throw ValidationError("--offline shows what was stored: add --cache.")
        }
        guard cache.directory == nil || token == nil || user != nil else {
            throw ValidationError(
                "A token does not say whose it is, and what is stored must be somebody’s: add --user."
            )
        }
    }

    /// How to open a screen: offline, too, if answers are kept.
    var policy: FetchPolicy { cache.directory == nil ? .revalidate : .networkFirst }

    /// Runs a body with a service for the store: the one elsewhere, or one that is open meanwhile.
    ///
    /// With a cache, every exchange is shown, and who answered.
    func withService(_ body: (ProductService) async throws -> Void) async throws {
        try await cache.withCache { cache in
            if offline {
                let address = try api ?? LogicalStore.address()
                try await body(service(at: address, cache, LogicalStore.offline))
            } else if let api {
                try await body(service(at: api, cache))
            } else {
                try await withEmbeddedStore { _, baseURL in
                    try await body(embeddedService(at: baseURL, cache))
                }
            }
        }
    }

    private func embeddedService(
        at baseURL: URL,
        _ cache: ResponseCache?
    ) throws -> ProductService {
        guard let cache else { return service(at: baseURL, nil) }
        let networking = LogicalStore.networking(at: baseURL)
        return service(at: try LogicalStore.address(), cache, networking)
    }

    private func service(
        at baseURL: URL,
        _ cache: ResponseCache?,
        _ networking: any Networking = .system
    ) -> ProductService {
        var localUser = money.localUser
        localUser.id = Identifier(user ?? EmbeddedStore.demoUser)
        return ProductService(
            store: baseURL,
            backend: backend,
            localUser: localUser,
            token: token ?? backend.defaultToken,
            log: ExchangeLog(isSilent: cache == nil),
            isVerbose: verbose,
            attempts: offline ? 1 : 3,
            cache: cache,
            networking: networking
        )
    }

    private static func address(_ text: String) throws -> URL {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil
        else {
            throw ValidationError("“\(text)” is not an address; write one like https://host/v1.")
        }
        return url
    }
}
