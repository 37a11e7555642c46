import ArgumentParser
import Foundation
import ProductKit

struct PendingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending",
        abstract: "List the changes that are saved in a directory and not sent yet.",
        discussion: """
            Each line has the identifier of the change, the time at which it was saved, and the \
            change. Changes that the store has rejected are listed with the reason, until you remove \
            them with --dismiss. The command sends nothing.

            Examples:
              shop pending ~/shop-changes
              shop pending ~/shop-changes --discard 0f8c2f5e6d1b4a7c9e3d5a6b7c8d9e0f
              shop pending ~/shop-changes --dismiss
            """
    )

    @Argument(
        help: "The directory that was passed to --keep.",
        transform: CacheOption.directory
    )
    var directory: URL

    @Option(
        help: ArgumentHelp("The user whose changes are listed.", valueName: "name")
    )
    var user: String?

    @Option(
        help: ArgumentHelp("Remove a change without sending it.", valueName: "identifier"),
        transform: Outbox.Change.ID.init(_:)
    )
    var discard: Outbox.Change.ID?

    @Flag(help: "Remove the rejected changes.")
    var dismiss = false

    func run() async throws {
        let connection = try ConnectionOptions.parse(user.map { ["--user", $0] } ?? [])
        try await connection.withService(
            outbox: OutboxLog().outbox(in: directory),
            isOffline: true
        ) { service in
            guard let outbox = service.outbox else { return }
            // It returns when the attempt that starts with the service has failed.
            try await outbox.sendAll()
            if let discard { try await remove(discard, from: outbox) }
            if dismiss { for rejection in outbox.rejections { outbox.dismiss(rejection.id) } }
            try await outbox.sendAll()
            show(outbox.changes, outbox.rejections)
        }
    }

    private func remove(_ id: Outbox.Change.ID, from outbox: Outbox.Session) async throws {
        // Its delay may have ended, so that another attempt is in flight.
        while try await !outbox.discard(id) {
            guard outbox.changes.contains(where: { $0.id == id }) else {
                throw UnknownChangeError(id: id)
            }
            try await outbox.sendAll()
        }
    }

    private func show(_ changes: [Outbox.Change], _ rejections: [Outbox.Rejection]) {
        switch changes.count {
        case 0: Terminal.print("No change waits.")
        case 1: Terminal.print("1 change waits:")
        case let count: Terminal.print("\(count) changes wait:")
        }
        for change in changes { Terminal.print("  \(change.text)") }
        guard !rejections.isEmpty else { return }
        Terminal.print("Rejected: \(rejections.count)")
        for rejection in rejections { Terminal.print(rejection.text) }
    }
}

extension Outbox.Rejection {
    /// The change, followed by the reason on a line of its own.
    var text: String { "  \(change.text)\n    \(message)" }
}

/// An error for a change that does not wait.
private struct UnknownChangeError: LocalizedError {
    let id: Outbox.Change.ID

    var errorDescription: String? {
        "No change “\(id)” waits. “shop pending” lists the changes that wait."
    }
}
