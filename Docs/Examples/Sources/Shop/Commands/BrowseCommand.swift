import ArgumentParser
import Foundation
import ProductKit

struct BrowseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "List the products, or those that match a search text.",
        discussion: """
            In a terminal, it shows one page at a time and accepts commands. Otherwise, it lists \
            all products.

            For a store with another API, select an adapter with --backend:
              --backend woocommerce
                --api https://shop.example/wp-json/wc/store/v1
              --backend commercetools
                --api https://api.europe-west1.gcp.commercetools.com/project
              --backend shopify
                --api https://shop.myshopify.com/api/2025-07/graphql.json
            """
    )

    @Option(help: ArgumentHelp("The text to search for.", valueName: "text"))
    var search = ""

    @Flag(help: "Accept commands even if the input is not a terminal.")
    var interactive = false

    @OptionGroup var store: StoreOptions

    @MainActor func run() async throws {
        try await store.withService { service in
            let screen = service.catalogViewModel()
            try await screen.search(search)
            if interactive || isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 {
                try await BrowseSession(service: service, screen: screen).run()
                try await service.outbox?.sendAll()
            } else {
                // If a page fails, the pages loaded so far are still printed.
                defer { Terminal.print(CatalogTable(screen)) }
                while screen.hasNextPage {
                    let count = screen.rows.count
                    try await screen.loadNextPage()
                    // The screen itself has tried several pages.
                    if screen.rows.count == count, screen.hasNextPage { throw EndlessPagesError() }
                }
            }
        }
    }
}

private struct EndlessPagesError: LocalizedError {
    let errorDescription: String? =
        "The catalog does not end: its next pages contain no further products. Correct the cursors of the "
        + "server."
}
