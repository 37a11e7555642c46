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
            if service.outbox != nil {
                let edit = Outbox.Edit.membership(of: id, in: list, isMember)
                let isSent: Void? = try await service.perform(edit) {
                    let manager = service.listManager
                    if isMember {
                        try await manager.addProduct(withID: id, toListWithID: list)
                    } else {
                        try await manager.removeProduct(withID: id, fromListWithID: list)
                    }
                }
                // The change is saved, so the command has succeeded. The screen may not be cached.
                if isSent == nil { return try await showCachedLists(of: id, with: service) }
            }
            let product = try await product(withID: id, of: service, allowsMissing: !isMember)
            let screen = service.membershipViewModel(for: product)
            try await screen.reload()
            let row = screen.rows.first { $0.id == list }
            if row?.holdsProduct != isMember {
                try await screen.toggleMembership(inListWithID: list)
            }
            show(screen, of: product)
        }
    }

    /// Prints the membership screen if the cache has it.
    @MainActor
    private func showCachedLists(
        of id: Product.ID,
        with service: ProductService
    ) async throws {
        guard connection.cache.directory != nil else { return }
        do {
            let product = try await service.loader.loadProduct(withID: id)
            let screen = service.membershipViewModel(for: product)
            try await screen.reload()
            show(screen, of: product)
        } catch is NetworkError {
            return
        }
    }

    @MainActor private func show(_ screen: ListMembershipViewModel, of product: Product) {
        Terminal.print(product.name)
        for row in screen.rows {
            let mark = row.isUnsent ? " \(Outbox.Change.mark)" : ""
            Terminal.print("\(row.holdsProduct ? "☑" : "☐") \(row.name)\(mark)")
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

extension Outbox.Edit {
    fileprivate static func membership(
        of id: Product.ID,
        in list: ProductList.ID,
        _ isMember: Bool
    ) -> Outbox.Edit {
        isMember ? .addProduct(id, toList: list) : .removeProduct(id, fromList: list)
    }
}
