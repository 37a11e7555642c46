import Benchmarking
import Loads
import ProductKit

extension Benchmark {
    /// The cost of a long list on the screen.
    static let lists = [
        Benchmark(
            "rows/append",
            "a row appended to at least 10,000 rows, in pages / a product appended to an array",
            .ratio(15),
            .allocations(7)
        ) { referee in
            var number = 0
            let screen = endlessCatalog { _ in numbered(&number, 100) }
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
            "the memory of one of 10,000 rows, without the texts of its product",
            .bytes(1_000)
        ) { referee in
            var number = 0
            let products = numbered(&number, 10_000)
            return try await referee.bytes(of: 10_000) {
                let screen = endlessCatalog { start in Array(products[start..<start + 1_000]) }
                try await screen.search("")
                while screen.rows.count < 10_000 { try await screen.loadNextPage() }
                return screen
            }
        },
    ]

    /// A catalog screen whose pages never end.
    @MainActor private static func endlessCatalog(
        _ products: @escaping (_ start: Int) -> [Product]
    ) -> CatalogViewModel {
        CatalogViewModel(
            localUser: LocalUser(currency: "EUR"),
            actions: .only(loadPage: { _, cursor in
                let start = cursor.flatMap { Int($0.rawValue) } ?? 0
                let items = products(start)
                return Page(items, next: "\(start + items.count)")
            })
        )
    }

    /// Products with different identifiers.
    private static func numbered(_ number: inout Int, _ count: Int) -> [Product] {
        (0..<count).map { _ in
            number += 1
            var product = Sample.product
            product.id = "product number \(number)"
            return product
        }
    }
}
