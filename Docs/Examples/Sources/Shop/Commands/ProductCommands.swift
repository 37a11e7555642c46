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
            Terminal.print(ProductCard(screen, lists: lists))
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
            let screen = try await service.viewModel(forProductWithID: id)
            if screen.isFavorite == off { try await screen.toggleProductFavoriteStatus() }
            let lists = try await service.listManager.allLists().items
            Terminal.print(ProductCard(screen, lists: lists))
        }
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
            let screen = try await service.viewModel(forProductWithID: id)
            try await screen.addProductToList(withID: list)
            let lists = try await service.listManager.allLists().items
            Terminal.print(ProductCard(screen, lists: lists))
        }
    }
}
