import ArgumentParser
import ProductKit

struct AddToListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Put a product on a list, by way of the screen of its lists."
    )

    @Argument(help: "The product, such as walking-boots.", transform: Product.ID.init(_:))
    var id: Product.ID

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The list, such as wishlist.", valueName: "list"),
        transform: ProductList.ID.init(_:)
    )
    var list: ProductList.ID

    @OptionGroup var store: StoreOptions

    func run() async throws {
        try await store.putProduct(id, in: list, true)
    }
}

struct RemoveFromListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take a product off a list, by way of the screen of its lists."
    )

    @Argument(help: "The product, such as walking-boots.", transform: Product.ID.init(_:))
    var id: Product.ID

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp("The list, such as wishlist.", valueName: "list"),
        transform: ProductList.ID.init(_:)
    )
    var list: ProductList.ID

    @OptionGroup var store: StoreOptions

    func run() async throws {
        try await store.putProduct(id, in: list, false)
    }
}

extension StoreOptions {
    /// Ticks or unticks a list on the screen of a product's lists, and prints the screen.
    @MainActor
    fileprivate func putProduct(
        _ id: Product.ID,
        in list: ProductList.ID,
        _ isWanted: Bool
    ) async throws {
        try await withService { service in
            let product = try await product(id, of: service, orItsID: !isWanted)
            let screen = service.membershipViewModel(for: product)
            try await screen.reload()
            let row = screen.rows.first { $0.id == list }
            if row?.holdsProduct != isWanted {
                try await screen.toggleMembership(inListWithID: list)
            }
            print(product.name)
            for row in screen.rows { print("\(row.holdsProduct ? "☑" : "☐") \(row.name)") }
        }
    }

    /// The product or, of one that is gone, what is known: it can still be taken off a list.
    private func product(
        _ id: Product.ID,
        of service: ProductService,
        orItsID isIDEnough: Bool
    ) async throws -> Product {
        do {
            return try await service.loader.loadProduct(withID: id)
        } catch ProductError.notFound where isIDEnough {
            return Product(id: id, name: id.rawValue)
        }
    }
}
