import ArgumentParser
import ProductKit

struct FavoriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite",
        abstract: "Make a product a favorite, or no longer one."
    )

    @Argument(help: "The product, such as walking-boots.", transform: Product.ID.init(_:))
    var id: Product.ID

    @Flag(help: "Make it no longer a favorite.")
    var off = false

    @OptionGroup var store: StoreOptions

    @MainActor func run() async throws {
        try await store.withService { service in
            let screen = try await service.viewModel(forProductWithID: id)
            if screen.isFavorite == off { try await screen.toggleProductFavoriteStatus() }
            print(ProductCard(screen, lists: try await service.listManager.allLists().items))
        }
    }
}
