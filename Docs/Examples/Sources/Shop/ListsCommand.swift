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
            let lists = try await service.listManager.allLists()
            if lists.isEmpty { print("You have no lists.") }
            for list in lists {
                print("\(list.name) (\(list.id))")
                for product in list.products { print("  \(product)") }
            }
        }
    }
}
