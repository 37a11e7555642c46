import ArgumentParser
import ProductKit

struct AddToListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a product to a list with the list membership screen."
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
        try await store.setMembership(of: id, in: list, to: true)
    }
}

struct RemoveFromListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a product from a list with the list membership screen."
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
        try await store.setMembership(of: id, in: list, to: false)
    }
}

extension StoreOptions {
    /// Sets a product's membership in a list with the membership screen, and prints the screen.
    @MainActor
    fileprivate func setMembership(
        of id: Product.ID,
        in list: ProductList.ID,
        to isMember: Bool
    ) async throws {
        try await withService { service in
            let product = try await product(withID: id, of: service, allowsMissing: !isMember)
            let screen = service.membershipViewModel(for: product)
            try await screen.reload()
            let row = screen.rows.first { $0.id == list }
            if row?.holdsProduct != isMember {
                try await screen.toggleMembership(inListWithID: list)
            }
            Terminal.print(product.name)
            for row in screen.rows { Terminal.print("\(row.holdsProduct ? "☑" : "☐") \(row.name)") }
        }
    }

    /// Loads a product.
    ///
    /// If it is missing and `allowsMissing` is true, it returns a product with only the identifier,
    /// because a deleted product can still be removed from a list.
    private func product(
        withID id: Product.ID,
        of service: ProductService,
        allowsMissing: Bool
    ) async throws -> Product {
        do {
            return try await service.loader.loadProduct(withID: id)
        } catch ProductError.notFound where allowsMissing {
            return Product(id: id, name: id.rawValue)
        }
    }
}
