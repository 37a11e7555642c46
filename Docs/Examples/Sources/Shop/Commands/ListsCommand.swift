import ArgumentParser
import Foundation
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
        abstract: "Show your lists with their products."
    )

    @OptionGroup var store: StoreOptions

    func run() async throws {
        try await store.withService { service in
            let lists = try await service.listManager.allLists()
            if let note = lists.source.note { Terminal.print("(\(note))") }
            let shown = lists.items.applying(service.savedChanges)
            if shown.isEmpty { Terminal.print("You have no lists.") }
            for list in shown { Terminal.print(list.summary) }
            for list in lists.rejected {
                Terminal.print("  skipped: list \(list.index), \(list.text)")
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
        help: "The identifier of the list, a new one by default.",
        transform: ProductList.ID.init(_:)
    )
    var id: ProductList.ID?

    @OptionGroup var store: StoreOptions

    func run() async throws {
        try await store.withService { service in
            let id = id ?? ProductList.ID(UUID().uuidString.lowercased())
            let list = try await service.perform(.createList(id, name: name)) {
                try await service.listManager.createList(named: name, id: id)
            }
            if let list { Terminal.print(list.summary) }
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

    @Flag(help: "Load the list first, and rename it only if it has not changed since.")
    var ifUnchanged = false

    @OptionGroup var store: StoreOptions

    func run() async throws {
        try await store.withService { service in
            let lists = service.listManager
            let list = ifUnchanged ? try await lists.list(withID: id) : nil
            let renamed = try await service.perform(.renameList(id, name: name)) {
                try await lists.renameList(withID: id, to: name, ifUnchanged: list)
            }
            if let renamed { Terminal.print(renamed.summary) }
        }
    }
}

struct DeleteListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a list. This also succeeds if the list does not exist."
    )

    @Argument(help: "The list, such as wishlist.", transform: ProductList.ID.init(_:))
    var id: ProductList.ID

    @OptionGroup var store: StoreOptions

    func run() async throws {
        try await store.withService { service in
            let isSent: Void? = try await service.perform(.deleteList(id)) {
                try await service.listManager.deleteList(withID: id)
            }
            if isSent != nil { Terminal.print("The list \(id) is deleted.") }
        }
    }
}

extension ListWithChanges {
    /// The name and the identifier, followed by the products.
    fileprivate var summary: String { list.summary(mark: isUnsent ? Outbox.Change.mark : nil) }
}

extension ProductList {
    fileprivate var summary: String { summary(mark: nil) }

    /// The name and the identifier, followed by the products.
    fileprivate func summary(mark: String?) -> String {
        (["\(name) (\(id))\(mark.map { " \($0)" } ?? "")"] + products.map { "  \($0)" }).joined(
            separator: "\n"
        )
    }
}
