import ArgumentParser
import ProductKit

struct BrowseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "List the products, or those that match a text."
    )

    @Option(help: ArgumentHelp("What to look for.", valueName: "text"))
    var search = ""

    @OptionGroup var store: StoreOptions

    func run() async throws {
        try await store.withService { service in
            let query = ProductQuery(text: search)
            var page = try await service.loader.products(matching: query)
            show(page, in: service)
            if page.items.isEmpty {
                print(search.isEmpty ? "The store is empty." : "No product matches “\(search)”.")
            }
            var seen: Set<PageCursor> = []
            while let next = page.next, seen.insert(next).inserted {
                page = try await service.loader.products(matching: query, after: next)
                show(page, in: service)
            }
        }
    }

    private func show(_ page: Page<Product>, in service: ProductService) {
        let user = service.localUser
        for product in page.items {
            let star = product.isFavorite ? "★" : "☆"
            let price = product.price(in: user.currency)?.formatted(locale: user.locale) ?? "–"
            print("\(star) \(column(product.id, 22)) \(column(price, 12)) \(product.name)")
        }
        for element in page.rejected {
            print("  a product could not be read: \(element.member) \(element.reason)")
        }
    }

    private func column(_ text: some CustomStringConvertible, _ width: Int) -> String {
        let text = text.description
        return text + String(repeating: " ", count: max(0, width - text.count))
    }
}
