import Benchmarking
import Foundation
import Loads
import ProductKit

extension Benchmark {
    /// The cost that a screen adds to its actions.
    static let reloads = [
        Benchmark(
            "reload/closure",
            "reload() that returns the product on the screen / a direct call of its closure",
            .allocations(exactly: 0),
            .hops(exactly: 0)
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
            "reload() that returns an equal product, decoded again / a direct call of its closure",
            .allocations(exactly: 0),
            .hops(exactly: 0)
        ) { referee in
            var next = try JSONDecoder().decode(Product.self, from: Data(Sample.json.utf8))
            var previous = try JSONDecoder().decode(Product.self, from: Data(Sample.json.utf8))
            let actions = opaque(
                ProductViewModel.Actions.only(reload: {
                    swap(&next, &previous)
                    return next
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
            "notifications of observers when reload() returns an equal product",
            .notifications(exactly: 0)
        ) { referee in
            let screen = screen(.only(reload: { Sample.product }))
            try await screen.reload()
            return try await referee.worst(of: .notifications) {
                let observer = Observer {
                    keep(screen.product)
                    keep(screen.title)
                    keep(screen.detailText)
                    keep(screen.priceText)
                    keep(screen.images)
                    keep(screen.isFavorite)
                    keep(screen.lastError)
                }
                for _ in 0..<100 {
                    try await screen.reload()
                    observer.observeAgain()
                }
                return Double(observer.notificationCount)
            }
        },
        Benchmark(
            "reload/hop",
            "an action / the same as a Sendable closure, which leaves the actor and returns",
            .ratio(0.15),
            .allocations(exactly: 0),
            .hops(exactly: 0)
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
            "reload() with a loader, which leaves the actor once / with a closure",
            .hops(exactly: 1)
        ) { referee in
            let product = Sample.product
            let loader = ProductLoader(load: { _ in product })
            let loading = screen(
                ProductViewModel.Actions(
                    productID: Sample.product.id,
                    loader: loader,
                    listManager: ListManager(addProduct: { _, _ in })
                )
            )
            let direct = screen(.only(reload: { product }))
            return try await referee.compare { count in
                for _ in 0..<count { try await loading.reload() }
            } with: { count in
                for _ in 0..<count { try await direct.reload() }
            }
        },
        Benchmark(
            "toggle",
            "toggleProductFavoriteStatus() / a direct call of its closure",
            .allocations(exactly: 0),
            .hops(exactly: 0)
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

    /// Reloads of an observed screen, where each reload returns another title.
    ///
    /// The peer includes the reload, and the cost of Observation for the same number of observers of
    /// one property.
    private static func observed(_ count: Int) -> Benchmark {
        Benchmark(
            "reload/observed-\(count)",
            "reload() of a new title with \(count) observers / the same without, plus a plain observed property",
            .ratio(1.10, goal: 1.05),
            .hops(exactly: 0)
        ) { referee in
            let observed = changingScreen()
            let observers = (0..<count).map { _ in Observer { keep(observed.title) } }
            let unobserved = changingScreen()
            let plain = ObservableTitle()
            let plainObservers = (0..<count).map { _ in Observer { keep(plain.title) } }
            return try await referee.compare { count in
                for _ in 0..<count {
                    try await observed.reload()
                    for observer in observers { observer.observeAgain() }
                }
            } with: { count in
                for number in 0..<count {
                    try await unobserved.reload()
                    plain.title = number.isMultiple(of: 2) ? "Walking Boots" : "Summer Sandal"
                    for observer in plainObservers { observer.observeAgain() }
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
        var next = Sample.product
        var previous = Sample.sandals
        return screen(
            .only(reload: {
                swap(&next, &previous)
                return next
            })
        )
    }
}

/// Work that the compiler cannot optimize away; without it, a closure would not leave the actor.
@inline(never) private func checked(_ product: Product) throws -> Product {
    try Task.checkCancellation()
    return product
}

/// The actions of a screen as they would be if they were `Sendable`.
private struct SendableActions {
    let reload: @Sendable @concurrent () async throws -> Product
}
