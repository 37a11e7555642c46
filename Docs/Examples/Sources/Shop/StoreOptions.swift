import ArgumentParser
import EmbeddedStore
import Foundation
import ProductKit

/// Which store a command talks to, as whom, and in which currency.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The address of a store elsewhere.", valueName: "url"),
        transform: StoreOptions.address
    )
    var api: URL?

    @Option(help: "What a store elsewhere speaks.")
    var backend = Backend.productkit

    @Option(help: ArgumentHelp("The token that the store knows you by.", valueName: "token"))
    var token: String?

    @Flag(help: "Show every attempt to reach the store.")
    var verbose = false

    @OptionGroup var money: CurrencyOption

    func validate() throws {
        guard api != nil || backend == .productkit else {
            throw ValidationError(
                "--backend \(backend.rawValue) needs a store elsewhere: add --api."
            )
        }
    }

    /// Runs a body with a service for the store: the one elsewhere, or one that is open meanwhile.
    func withService(
        log: ExchangeLog = ExchangeLog(isSilent: true),
        _ body: (ProductService) async throws -> Void
    ) async throws {
        if let api {
            try await body(service(at: api, log: log))
        } else {
            try await withEmbeddedStore { _, baseURL in
                try await body(service(at: baseURL, log: log))
            }
        }
    }

    private func service(at baseURL: URL, log: ExchangeLog) -> ProductService {
        ProductService(
            store: baseURL,
            backend: backend,
            localUser: money.localUser,
            token: token ?? backend.defaultToken,
            log: log,
            isVerbose: verbose
        )
    }

    private static func address(_ text: String) throws -> URL {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil
        else {
            throw ValidationError("“\(text)” is no address; write one like https://host/v1.")
        }
        return url
    }
}

/// Which currency prices are shown in.
struct CurrencyOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The currency to show prices in, EUR by default.", valueName: "code"),
        transform: CurrencyOption.code
    )
    var currency = "EUR"

    var localUser: LocalUser { LocalUser(currency: currency) }

    private static func code(_ text: String) throws -> String {
        guard (try? Price("0", currency: text)) != nil else {
            throw ValidationError("“\(text)” is no currency; write a code like EUR or JPY.")
        }
        return text.uppercased()
    }
}
