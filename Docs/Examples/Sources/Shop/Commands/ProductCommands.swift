import ArgumentParser
import ProductKit

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a product."
    )

    @Argument(help: "The product, such as walking-boots.", transform: Product.ID.init(_:))
    var id: Product.ID

    @OptionGroup var store: StoreOptions

    @MainActor func run() async throws {
        try await store.withService { service in
            let screen = try await service.viewModel(forProductWithID: id, policy: store.policy)
            let lists = try await service.listManager.allListsIfSupported()
            Terminal.print(ProductCard(screen, lists: lists, changes: service.savedChanges))
        }
    }
}

struct FavoriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite",
        abstract: "Add a product to the favorites, or remove it with --off."
    )

    @Argument(help: "The product, such as walking-boots.", transform: Product.ID.init(_:))
    var id: Product.ID

    @Flag(help: "Remove the product from the favorites.")
    var off = false

    @OptionGroup var store: StoreOptions

    @MainActor func run() async throws {
        try await store.withService { service in
            guard service.outbox == nil else { return try await save(with: service) }
            let screen = try await service.viewModel(forProductWithID: id)
            if screen.isFavorite == off { try await screen.toggleProductFavoriteStatus() }
            let lists = try await service.listManager.allListsIfSupported()
            Terminal.print(ProductCard(screen, lists: lists))
        }
    }

    /// Sets the favorite status without a look at the current one, which is unknown offline.
    @MainActor private func save(with service: ProductService) async throws {
        let product = try await service.perform(.setFavorite(id, to: !off)) {
            try await service.loader.setFavoriteStatus(!off, forProductWithID: id)
        }
        try await store.showProduct(withID: id, of: service, isSent: product != nil)
    }
}

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a product to a list."
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

    @MainActor func run() async throws {
        try await store.withService { service in
            guard service.outbox == nil else { return try await save(with: service) }
            let screen = try await service.viewModel(forProductWithID: id)
            try await screen.addProductToList(withID: list)
            let lists = try await service.listManager.allListsIfSupported()
            Terminal.print(ProductCard(screen, lists: lists))
        }
    }

    @MainActor private func save(with service: ProductService) async throws {
        let isSent: Void? = try await service.perform(.addProduct(id, toList: list)) {
            try await service.listManager.addProduct(withID: id, toListWithID: list)
        }
        try await store.showProduct(withID: id, of: service, isSent: isSent != nil)
    }
}

extension StoreOptions {
    /// Prints the screen of a product after a change.
    ///
    /// If the change waits, the screen is printed only if the cache has it.
    @MainActor
    fileprivate func showProduct(
        withID id: Product.ID,
        of service: ProductService,
        isSent: Bool
    ) async throws {
        guard isSent || connection.cache.directory != nil else { return }
        do {
            let screen = try await service.viewModel(forProductWithID: id, policy: policy)
            let lists = try await service.listManager.allListsIfSupported()
            Terminal.print(ProductCard(screen, lists: lists, changes: service.savedChanges))
        } catch is NetworkError where !isSent {
            // The change is saved, so the command has succeeded.
        }
    }
}
