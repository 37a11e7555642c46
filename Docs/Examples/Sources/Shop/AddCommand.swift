import ArgumentParser
import ProductKit

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Put a product on a list."
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
            print(ProductCard(screen, lists: try await service.listManager.allLists().items))
        }
    }
}
