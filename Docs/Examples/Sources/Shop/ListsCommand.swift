import ArgumentParser
import ProductKit

struct ListsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists",
        abstract: "Show your lists and change them.",
        discussion: """
            Examples:
              shop lists
              shop lists create "Summer trip" --id summer
              shop lists add walking-boots --to summer
              shop lists rename summer "Autumn trip" --if-unchanged
              shop lists remove walking-boots --from summer
              shop lists delete summer
            """,
        subcommands: [
            ShowListsCommand.self, CreateListCommand.self, RenameListCommand.self,
            DeleteListCommand.self, AddToListCommand.self, RemoveFromListCommand.self,
        ],
        defaultSubcommand: ShowListsCommand.self
    )
}

struct ShowListsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show your lists and what is on them."
    )

    @OptionGroup var store: StoreOptions

    func run() async throws {
        try await store.withService { service in
            let lists = try await service.listManager.allLists()
            if let note = lists.source.note { print("(\(note))") }
            if lists.items.isEmpty { print("You have no lists.") }
            for list in lists.items { print(list.summary) }
            for list in lists.rejected {
                print("List \(list.index) could not be read: \(list.text)")
            }
        }
    }
}

struct CreateListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a list."
    )

    @Argument(help: "The name of the list, such as \"Summer trip\".")
    var name: String

    @Option(
        help: "The identity of the list, a new one by default.",
        transform: ProductList.ID.init(_:)
    )
    var id: ProductList.ID?

    @OptionGroup var store: StoreOptions

    func run() async throws {
        try await store.withService { service in
            let lists = service.listManager
            let list =
                if let id {
                    try await lists.createList(named: name, id: id)
                } else {
                    try await lists.createList(named: name)
                }
            print(list.summary)
        }
    }
}

struct RenameListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a list."
    )

    @Argument(help: "The list, such as wishlist.", transform: ProductList.ID.init(_:))
    var id: ProductList.ID

    @Argument(help: "The new name.")
    var name: String

    @Flag(help: "Read the list first, and rename it only if nobody changes it meanwhile.")
    var ifUnchanged = false

    @OptionGroup var store: StoreOptions

    func run() async throws {
        try await store.withService { service in
            let lists = service.listManager
            let list = ifUnchanged ? try await lists.list(withID: id) : nil
            print(try await lists.rename(id, to: name, ifUnchanged: list).summary)
        }
    }
}

struct DeleteListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a list; one that is gone already is fine."
    )

    @Argument(help: "The list, such as wishlist.", transform: ProductList.ID.init(_:))
    var id: ProductList.ID

    @OptionGroup var store: StoreOptions

    func run() async throws {
        try await store.withService { service in
            try await service.listManager.deleteList(withID: id)
            print("There is no list \(id) any longer.")
        }
    }
}

extension ProductList {
    /// Its name and identity, and below them what is on it.
    fileprivate var summary: String {
        (["\(name) (\(id))"] + products.map { "  \($0)" }).joined(separator: "\n")
    }
}
