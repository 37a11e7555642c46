import ArgumentParser
import EmbeddedStore
import Foundation
import ProductKit

/// Shows a product screen with a store, and checks that the two agree.
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "Show a product screen with a store on this machine, and check that they agree.",
        discussion: "This command runs if you name no other."
    )

    // The parser passes an unknown command to the default command, as its argument.
    @Argument(help: .hidden)
    var unknownCommand: String?

    @OptionGroup var money: CurrencyOption

    @OptionGroup var cache: CacheOption

    @Flag(help: "Show every attempt to send a request, including retries.")
    var verbose = false

    @Option(
        help: ArgumentHelp(
            "The fraction of requests that fail, from 0 to 0.9.",
            valueName: "fraction"
        )
    )
    var flaky = 0.0

    func validate() throws {
        guard (0...0.9).contains(flaky) else {
            throw ValidationError("--flaky must be a number from 0 to 0.9, not \(flaky).")
        }
    }

    @MainActor func run() async throws {
        // Not in `validate()`: the parser reports an unknown option only after that, and the value of
        // the option is passed as an argument.
        if let unknownCommand {
            throw ValidationError(
                "There is no command “\(unknownCommand)”. “shop --help” lists the commands."
            )
        }
        try await cache.withCache { try await run($0) }
    }

    @MainActor private func run(_ cache: ResponseCache?) async throws {
        let log = ExchangeLog()
        let gate = FavoriteGate()
        let faults = FaultInjector(rate: flaky, maximumDelay: .zero)
        try await withEmbeddedStore(
            intercept: { request, handle in
                await gate.intercept(request) { await faults.intercept(request, handle) }
            }
        ) { store, baseURL in
            Terminal.print(
                "A store with \(StoreProduct.catalog.count) products is running on this machine.\n"
            )
            let service = try service(at: baseURL, log, cache)

            Terminal.print("The product screen loads:")
            let screen = try await service.viewModel(
                forProductWithID: "walking-boots",
                policy: .cacheFirst
            )
            try await show(screen, service)
            if !screen.source.isFromServer {
                Terminal.print("The screen shows a cached response. It reloads:")
                try await screen.reload()
                try await show(screen, service)
            }

            Terminal.print("The store renames the product, and the screen reloads:")
            store.changeProduct("walking-boots") { $0.name += " II" }
            try await screen.reload()
            try await show(screen, service)

            Terminal.print("The favorite status changes before the store responds:")
            let edit = Task {
                defer { gate.open() }
                try await screen.toggleProductFavoriteStatus()
            }
            await gate.waitForRequest()
            try expect(
                "the favorite status before the response",
                screen.isFavorite && !store.isFavorite("walking-boots")
            )
            Terminal.print("  \(screen.isFavorite ? "★" : "☆") on the screen, ☆ in the store")
            gate.open()
            try await edit.value
            try await show(screen, service)

            Terminal.print("The product is added to a list:")
            try await screen.addProductToList(withID: "wishlist")
            try await show(screen, service)

            if cache != nil {
                Terminal.print("The screen reloads, which stores the product for the next run:")
                try await screen.reload()
                try await show(screen, service)
            }

            try check(screen, against: store)
            let failures = faults.rejectedRequestCount + faults.lostResponseCount
            let attempts = failures == 1 ? "1 failed attempt" : "\(failures) failed attempts"
            Terminal.print(
                """
                ✓ In \(log.count) requests over real HTTP\
                \(failures > 0 ? ", despite \(attempts)," : ",")
                  “\(screen.title)” was loaded, became a favorite
                  and was added to “Wishlist”; the screen and the store agree.
                """
            )
        }
    }

    private func service(
        at baseURL: URL,
        _ log: ExchangeLog,
        _ cache: ResponseCache?
    ) throws -> ProductService {
        ProductService(
            store: cache == nil ? baseURL : try FixedBaseURL.url(),
            localUser: money.localUser,
            user: .demo,
            log: log,
            isVerbose: verbose,
            attempts: flaky == 0 ? 3 : 100,
            cache: cache,
            networking: cache == nil ? .system : FixedBaseURL.networking(forwardingTo: baseURL)
        )
    }

    @MainActor private func show(
        _ screen: ProductViewModel,
        _ service: ProductService
    ) async throws {
        let lists = try await service.listManager.allLists().items
        Terminal.print("\(ProductCard(screen, lists: lists))\n")
    }

    /// Compares the screen with the state of the store, read directly and not over HTTP.
    @MainActor private func check(
        _ screen: ProductViewModel,
        against store: EmbeddedStore
    ) throws {
        let id = screen.product.id.rawValue
        try expect("the name", screen.title == store.product(id)?.name)
        try expect("the phase of the screen", screen.phase == .loaded && screen.lastError == nil)
        try expect("the favorite status", screen.isFavorite && store.isFavorite(id))
        try expect(
            "the list",
            store.lists().contains { $0.id == "wishlist" && $0.products == [id] }
        )
    }
}

private func expect(_ property: String, _ isEqual: Bool) throws {
    guard isEqual else { throw StateMismatchError(property: property) }
}

/// An error for a screen that does not show what the store contains.
struct StateMismatchError: LocalizedError {
    let property: String

    var errorDescription: String? { "The screen and the store do not agree on \(property)." }
}
