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
            print(ProductCard(screen, lists: try await service.listManager.allListsIfSupported()))
        }
    }
}
