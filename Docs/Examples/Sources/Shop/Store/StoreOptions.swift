import ArgumentParser
import EmbeddedStore
import Foundation
import ProductKit

/// The options that select the store, the user, the currency and the cache.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The base URL of a store. By default, a store is started on this machine.",
            valueName: "url"
        ),
        transform: StoreOptions.baseURL
    )
    var api: URL?

    @Option(help: "The API of the store at --api.")
    var backend = Backend.productkit

    @Option(help: ArgumentHelp("The access token for the store.", valueName: "token"))
    var token: String?

    @Option(
        help: ArgumentHelp(
            "The user of the token. The cache keeps the responses of each user apart.",
            valueName: "name"
        )
    )
    var user: String?

    @OptionGroup var cache: CacheOption

    @Flag(help: "Use only the cache: start no store and send no request.")
    var offline = false

    @Flag(help: "Show every attempt to send a request, including retries.")
    var verbose = false

    @OptionGroup var money: CurrencyOption

    func validate() throws {
        guard api != nil || backend == .productkit else {
            throw ValidationError(
                "--backend \(backend.rawValue) requires the base URL of a store: add --api."
            )
        }
        guard !offline || cache.directory != nil else {
            throw ValidationError("--offline uses only cached responses: add --cache.")
        }
        guard cache.directory == nil || token == nil || user != nil else {
            throw ValidationError(
                "The cache keeps the responses of each user apart, and a token does not name the "
                    + "user: add --user."
            )
        }
    }

    /// The policy for loading a screen.
    ///
    /// With a cache, the screen also loads offline.
    var policy: FetchPolicy { cache.directory == nil ? .revalidate : .networkFirst }

    /// Runs a closure with a service for the store at `--api`, or for one that runs meanwhile.
    ///
    /// With a cache, each request and the source of its response are printed.
    func withService(_ body: (ProductService) async throws -> Void) async throws {
        try await cache.withCache { cache in
            if offline {
                let baseURL = try api ?? FixedBaseURL.url()
                try await body(service(at: baseURL, cache, FixedBaseURL.offlineNetworking))
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
        let networking = FixedBaseURL.networking(forwardingTo: baseURL)
        return service(at: try FixedBaseURL.url(), cache, networking)
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

    private static func baseURL(_ text: String) throws -> URL {
        guard let url = URL(string: text), url.host != nil,
            ["http", "https"].contains(url.scheme?.lowercased())
        else {
            throw ValidationError("“\(text)” is not a valid URL. Use the form https://host/v1.")
        }
        return url
    }
}

/// The option for a cache directory.
struct CacheOption: ParsableArguments {
    @Option(
        name: .customLong("cache"),
        help: ArgumentHelp(
            "A directory in which responses are stored for the next run.",
            valueName: "directory"
        ),
        transform: CacheOption.directory
    )
    var directory: URL?

    /// Runs a closure with a cache in the directory, and returns when all entries are on disk.
    func withCache<Value>(_ body: (ResponseCache?) async throws -> Value) async rethrows -> Value {
        let cache = directory.map { ResponseCache(directory: $0) }
        defer { cache?.flush() }
        return try await body(cache)
    }

    static func directory(_ path: String) -> URL {
        URL(filePath: path, directoryHint: .isDirectory)
    }
}

/// The option for the currency of prices.
struct CurrencyOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The currency of prices, EUR by default.", valueName: "code"),
        transform: CurrencyOption.code
    )
    var currency = "EUR"

    var localUser: LocalUser { LocalUser(currency: currency) }

    private static func code(_ text: String) throws -> String {
        guard (try? Price("0", currency: text)) != nil else {
            throw ValidationError(
                "“\(text)” is not a valid currency code. Use one like EUR or JPY."
            )
        }
        return text.uppercased()
    }
}
