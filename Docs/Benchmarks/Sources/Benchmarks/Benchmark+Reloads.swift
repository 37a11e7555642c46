import Benchmarking
import Foundation
import Loads
import ProductKit

extension Benchmark {
    /// What the screen adds to its actions.
    static let reloads = [
        Benchmark(
            "reload/closure",
            "reload() of the very product that is shown / its closure called bare",
            .extraCost(650, goal: 300),
            .allocations(0),
            .hops(0)
        ) { referee in
            let product = Sample.product
            let actions = opaque(ProductViewModel.Actions.only(reload: { product }))
            let screen = screen(actions)
            return try await referee.compare { count in
                for _ in 0..<count { try await screen.reload() }
            } with: { count in
                for _ in 0..<count { keep(try await actions.reload()) }
            }
        },
        Benchmark(
            "reload/decoded",
            "reload() of an equal product read anew / its closure called bare",
            .extraCost(1_200),
            .allocations(0),
            .hops(0)
        ) { referee in
            var one = try JSONDecoder().decode(Product.self, from: Data(Sample.json.utf8))
            var other = try JSONDecoder().decode(Product.self, from: Data(Sample.json.utf8))
            let actions = opaque(
                ProductViewModel.Actions.only(reload: {
                    swap(&one, &other)
                    return one
                })
            )
            let screen = screen(actions)
            return try await referee.compare { count in
                for _ in 0..<count { try await screen.reload() }
            } with: { count in
                for _ in 0..<count { keep(try await actions.reload()) }
            }
        },
        observed(1),
        observed(10),
        Benchmark(
            "reload/equal",
            "observers told when the product comes again as it was",
            .notifications(0)
        ) { referee in
            let screen = screen(.only(reload: { Sample.product }))
            try await screen.reload()
            return try await referee.worst(of: .notifications) {
                let watcher = Watcher {
                    keep(screen.product)
                    keep(screen.title)
                    keep(screen.detailText)
                    keep(screen.price)
                    keep(screen.images)
                    keep(screen.isFavorite)
                    keep(screen.lastError)
                }
                for _ in 0..<100 {
                    try await screen.reload()
                    watcher.watchAgain()
                }
                return Double(watcher.timesTold)
            }
        },
        Benchmark(
            "reload/hop",
            "an action as it is / as a Sendable closure, which leaves the actor and comes back",
            .ratio(0.15),
            .allocations(0),
            .hops(0)
        ) { referee in
            let product = Sample.product
            let actions = opaque(ProductViewModel.Actions.only(reload: { try checked(product) }))
            let sendable = opaque(SendableActions(reload: { try checked(product) }))
            return try await referee.compare { count in
                for _ in 0..<count { keep(try await actions.reload()) }
            } with: { count in
                for _ in 0..<count { keep(try await sendable.reload()) }
            }
        },
        Benchmark(
            "reload/loader",
            "reload() wired to a loader, which leaves the actor once / to a closure",
            .hops(exactly: 1)
        ) { referee in
            let product = Sample.product
            let loader = ProductLoader(load: { _ in product })
            let wired = screen(
                ProductViewModel.Actions(
                    productID: Sample.product.id,
                    loader: loader,
                    listManager: ListManager(addProduct: { _, _ in })
                )
            )
            let bare = screen(.only(reload: { product }))
            return try await referee.compare { count in
                for _ in 0..<count { try await wired.reload() }
            } with: { count in
                for _ in 0..<count { try await bare.reload() }
            }
        },
        Benchmark(
            "toggle",
            "toggleProductFavoriteStatus() / its closure called bare",
            .extraCost(2_000),
            .allocations(0),
            .hops(0)
        ) { referee in
            var product = Sample.product
            let actions = opaque(
                ProductViewModel.Actions.only(toggleFavorite: { (isFavorite: Bool) in
                    product.isFavorite = isFavorite
                    return product
                })
            )
            let screen = screen(actions)
            return try await referee.compare { count in
                for _ in 0..<count { try await screen.toggleProductFavoriteStatus() }
            } with: { count in
                for number in 0..<count { keep(try await actions.toggleFavorite(number % 2 == 0)) }
            }
        },
    ]

    /// Watched reloads, of which each brings another title.
    ///
    /// The peer pays for the reload and for what Observation asks when so many watch a bare text.
    private static func observed(_ watchers: Int) -> Benchmark {
        Benchmark(
            "reload/observed-\(watchers)",
            "reload() of another title that \(watchers) watch / the same unwatched, and a bare text watched",
            .ratio(1.10, goal: 1.05),
            .hops(0)
        ) { referee in
            let watched = changingScreen()
            let views = (0..<watchers).map { _ in Watcher { keep(watched.title) } }
            let unwatched = changingScreen()
            let bare = Observed()
            let bareViews = (0..<watchers).map { _ in Watcher { keep(bare.title) } }
            return try await referee.compare { count in
                for _ in 0..<count {
                    try await watched.reload()
                    for view in views { view.watchAgain() }
                }
            } with: { count in
                for number in 0..<count {
                    try await unwatched.reload()
                    bare.title = number.isMultiple(of: 2) ? "Walking Boots" : "Summer Sandal"
                    for view in bareViews { view.watchAgain() }
                }
            }
        }
    }

    @MainActor private static func screen(
        _ actions: ProductViewModel.Actions
    ) -> ProductViewModel {
        ProductViewModel(
            product: Sample.product,
            localUser: LocalUser(currency: "EUR"),
            actions: actions
        )
    }

    @MainActor private static func changingScreen() -> ProductViewModel {
        var one = Sample.product
        var other = Sample.sandals
        return screen(
            .only(reload: {
                swap(&one, &other)
                return one
            })
        )
    }
}

/// Work that the compiler cannot see through, without which it would not leave the actor at all.
@inline(never) private func checked(_ product: Product) throws -> Product {
    try Task.checkCancellation()
    return product
}

/// What the screen's actions would be if they could be sent anywhere.
private struct SendableActions {
    let reload: @Sendable @concurrent () async throws -> Product
}
