import ArgumentParser
import EmbeddedStore
import Foundation
import ProductKit

/// The options of a command that uses a store, a cache and saved changes.
struct StoreOptions: ParsableArguments {
    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var keep: KeepOption

    @Flag(help: "Start no store and send no request: use only the cache and saved changes.")
    var offline = false

    func validate() throws {
        guard !offline || connection.cache.directory != nil || keep.directory != nil else {
            throw ValidationError(
                "--offline uses only cached responses and saved changes: add --cache or --keep."
            )
        }
        guard keep.directory == nil || connection.hasUser else {
            throw ValidationError(
                "The changes of each user are saved apart, and a token does not name the user: "
                    + "add --user."
            )
        }
    }

    /// The policy for loading a screen.
    ///
    /// With a cache, the screen also loads offline.
    var policy: FetchPolicy {
        connection.cache.directory == nil ? .revalidate : .networkFirst
    }

    /// Runs a closure with a service for the store at `--api`, or for one that runs meanwhile.
    ///
    /// With a cache, each request and the source of its response are printed. With `--keep`, the
    /// changes that wait are sent first if the store can be reached.
    func withService(_ body: (ProductService) async throws -> Void) async throws {
        try await connection.withService(
            outbox: keep.directory.map { OutboxLog().outbox(in: $0) },
            isOffline: offline
        ) { service in
            try await service.outbox?.sendAll()
            try await body(service)
        }
    }
}

/// The options that select the store, the user, the currency and the cache.
struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The base URL of a store. By default, a store is started on this machine.",
            valueName: "url"
        ),
        transform: ConnectionOptions.baseURL
    )
    var api: URL?

    @Option(help: "The API of the store at --api.")
    var backend = Backend.productkit

    @Option(help: ArgumentHelp("The access token for the store.", valueName: "token"))
    var token: String?

    @Option(
        help: ArgumentHelp(
            "The user of the token. Cached responses and saved changes of each user are kept apart.",
            valueName: "name"
        )
    )
    var user: String?

    @OptionGroup var cache: CacheOption

    @Flag(help: "Show every attempt to send a request, including retries.")
    var verbose = false

    @OptionGroup var money: CurrencyOption

    func validate() throws {
        guard api != nil || backend == .productkit else {
            throw ValidationError(
                "--backend \(backend.rawValue) requires the base URL of a store: add --api."
            )
        }
        guard cache.directory == nil || hasUser else {
            throw ValidationError(
                "The cache keeps the responses of each user apart, and a token does not name the "
                    + "user: add --user."
            )
        }
    }

    /// Whether the user is known, because a token does not name its user.
    var hasUser: Bool { token == nil || user != nil }

    /// Runs a closure with a service for the store at `--api`, or for one that runs meanwhile.
    ///
    /// - Parameters:
    ///   - outbox: The outbox of the service, or `nil` for none.
    ///   - isOffline: Whether to start no store and to send no request.
    ///   - isLogged: Whether to print each request; by default only with a cache.
    ///   - body: The closure.
    /// - Throws: The error of the closure, or `PortError` if the store cannot be started.
    func withService(
        outbox: Outbox?,
        isOffline: Bool,
        isLogged: Bool = false,
        _ body: (ProductService) async throws -> Void
    ) async throws {
        try await cache.withCache { cache in
            func service(
                at baseURL: URL,
                _ networking: any Networking = .system
            ) -> ProductService {
                ProductService(
                    store: baseURL,
                    backend: backend,
                    localUser: money.localUser,
                    user: serviceUser,
                    log: ExchangeLog(isSilent: cache == nil && !isLogged),
                    isVerbose: verbose,
                    attempts: isOffline ? 1 : 3,
                    cache: cache,
                    outbox: outbox,
                    networking: networking
                )
            }
            if isOffline {
                let baseURL = try api ?? FixedBaseURL.url()
                try await body(service(at: baseURL, FixedBaseURL.offlineNetworking))
            } else if let api {
                try await body(service(at: api))
            } else {
                try await withEmbeddedStore { _, baseURL in
                    guard cache != nil || outbox != nil else {
                        return try await body(service(at: baseURL))
                    }
                    let networking = FixedBaseURL.networking(forwardingTo: baseURL)
                    try await body(service(at: FixedBaseURL.url(), networking))
                }
            }
        }
    }

    private var serviceUser: ServiceUser {
        guard let token = token ?? backend.defaultToken else {
            return user.map { .signedIn($0) } ?? .guest
        }
        return .signedIn(user ?? EmbeddedStore.demoUser) { token }
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

    var localUser: LocalUser { LocalUser(currency: currency, locale: .program) }

    private static func code(_ text: String) throws -> String {
        guard (try? Price("0", currency: text)) != nil else {
            throw ValidationError(
                "“\(text)” is not a valid currency code. Use one like EUR or JPY."
            )
        }
        return text.uppercased()
    }
}
