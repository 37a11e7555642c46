import ArgumentParser
import ProductKit

struct ListsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists",
        abstract: "Show your lists and what is on them."
    )

    @OptionGroup var store: StoreOptions

    func run() async throws {
        try await store.withService { service in
            for list in try await service.listManager.allLists() {
                print("\(list.name) (\(list.id))")
                for product in list.products { print("  \(product)") }
            }
        }
    }
}
