import ArgumentParser
import EmbeddedStore
import Foundation
import ProductKit

/// Walks a product screen through a store, and checks that both agree.
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "Open a store, walk a product screen through it, and check that both agree."
    )

    // A word that is no command ends up here, with the command that needs no name.
    @Argument(help: .hidden)
    var unknownCommand: String?

    @OptionGroup var money: CurrencyOption

    @OptionGroup var cache: CacheOption

    @Flag(help: "Show every attempt to reach the store.")
    var verbose = false

    @Option(
        help: ArgumentHelp("The share of requests that fail, from 0 to 0.9.", valueName: "share")
    )
    var flaky = 0.0

    func validate() throws {
        if let unknownCommand {
            throw ValidationError(
                "There is no command “\(unknownCommand)”; “shop --help” lists the commands."
            )
        }
        guard (0...0.9).contains(flaky) else {
            throw ValidationError("--flaky takes a share from 0 to 0.9, not \(flaky).")
        }
    }

    @MainActor func run() async throws {
        try await cache.withCache { try await run($0) }
    }

    @MainActor private func run(_ cache: ResponseCache?) async throws {
        let log = ExchangeLog()
        let pause = FavoritePause()
        let trouble = Trouble(share: flaky, longestDelay: .zero)
        try await withEmbeddedStore(
            intercept: { request, handle in
                await pause.intercept(request) { await trouble.intercept(request, handle) }
            }
        ) { store, baseURL in
            print("A store with \(StoreProduct.catalog.count) products is open at \(baseURL).\n")
            let service = try service(at: baseURL, log, cache)

            print("The screen opens:")
            let screen = try await service.viewModel(
                forProductWithID: "walking-boots",
                policy: .cacheFirst
            )
            try await show(screen, service)
            if !screen.source.isFromServer {
                print("That was stored. The screen reloads:")
                try await screen.reload()
                try await show(screen, service)
            }

            print("The store renames the product, and the screen reloads:")
            store.changeProduct("walking-boots") { $0.name += " II" }
            try await screen.reload()
            try await show(screen, service)

            print("A tap on the star shows while the store still thinks about it:")
            let tap = Task {
                defer { pause.end() }
                try await screen.toggleProductFavoriteStatus()
            }
            await pause.untilAsked()
            try expect("the tap", screen.isFavorite && !store.isFavorite("walking-boots"))
            print("  \(screen.isFavorite ? "★" : "☆") on the screen")
            pause.end()
            try await tap.value
            try await show(screen, service)

            print("The product goes on a list:")
            try await screen.addProductToList(withID: "wishlist")
            try await show(screen, service)

            if cache != nil {
                print("The screen reloads, so that the next run opens with it:")
                try await screen.reload()
                try await show(screen, service)
            }

            try check(screen, against: store)
            let failures = trouble.refusals + trouble.losses
            let attempts = failures == 1 ? "1 failed attempt" : "\(failures) failed attempts"
            print(
                """
                ✓ In \(log.count) requests over real HTTP\
                \(failures > 0 ? ", despite \(attempts)," : ",")
                  “\(screen.title)” was loaded, became a favorite
                  and landed on “Wishlist”; the screen and the store agree.
                """
            )
        }
    }

    private func service(
        at baseURL: URL,
        _ log: ExchangeLog,
        _ cache: ResponseCache?
    ) throws -> ProductService {
        var localUser = money.localUser
        localUser.id = Identifier(EmbeddedStore.demoUser)
        return ProductService(
            store: cache == nil ? baseURL : try LogicalStore.address(),
            localUser: localUser,
            token: EmbeddedStore.demoToken,
            log: log,
            isVerbose: verbose,
            attempts: flaky == 0 ? 3 : 100,
            cache: cache,
            networking: cache == nil ? .system : LogicalStore.networking(at: baseURL)
        )
    }

    @MainActor private func show(
        _ screen: ProductViewModel,
        _ service: ProductService
    ) async throws {
        print("\(ProductCard(screen, lists: try await service.listManager.allLists().items))\n")
    }

    /// Looks into the store itself, past the library and the wire.
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

private func expect(_ fact: String, _ isSo: Bool) throws {
    guard isSo else { throw Disagreement(fact: fact) }
}
