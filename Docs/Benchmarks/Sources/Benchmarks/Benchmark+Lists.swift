import Benchmarking
import Loads
import ProductKit

extension Benchmark {
    /// What a long list on the screen costs.
    static let lists = [
        Benchmark(
            "rows/append",
            "a row of a page appended to 10,000 rows and more / its product appended to an array",
            .extraCost(3_000)
        ) { referee in
            var number = 0
            let screen = endlessList { _ in numbered(&number, 100) }
            try await screen.search("")
            while screen.rows.count < 10_000 { try await screen.loadNextPage() }
            var products: [Product] = []
            return try await referee.compare(operationsPerTurn: 1_000) { count in
                for _ in 0..<max(1, count / 100) { try await screen.loadNextPage() }
            } with: { count in
                for _ in 0..<count / 100 { products += numbered(&number, 100) }
            }
        },
        Benchmark(
            "rows/memory",
            "what a row of 10,000 keeps beside its product's texts",
            .growth(bytes: 1_000)
        ) { referee in
            var number = 0
            let products = numbered(&number, 10_000)
            return try await referee.growth(of: 10_000) {
                let screen = endlessList { place in Array(products[place..<place + 1_000]) }
                try await screen.search("")
                while screen.rows.count < 10_000 { try await screen.loadNextPage() }
                return screen
            }
        },
    ]

    /// A list screen whose pages never end.
    @MainActor private static func endlessList(
        _ products: @escaping (_ place: Int) -> [Product]
    ) -> CatalogViewModel {
        CatalogViewModel(
            localUser: LocalUser(currency: "EUR"),
            actions: .only(loadPage: { _, cursor in
                let place = cursor.flatMap { Int($0.rawValue) } ?? 0
                let items = products(place)
                return Page(items, next: "\(place + items.count)")
            })
        )
    }

    /// Products that differ in their identities.
    private static func numbered(_ number: inout Int, _ count: Int) -> [Product] {
        (0..<count).map { _ in
            number += 1
            var product = Sample.product
            product.id = "product number \(number)"
            return product
        }
    }
}
