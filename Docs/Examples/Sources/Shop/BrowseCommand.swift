import ArgumentParser
import Foundation
import ProductKit

struct BrowseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Look through the products, or those that match a text.",
        discussion: """
            In a terminal it shows a page at a time and does what you type; otherwise it lists \
            everything.

            A store of another kind is looked through by its adapter, and its address says the rest:
              --backend woocommerce
                --api https://shop.example/wp-json/wc/v3
              --backend commercetools
                --api https://api.europe-west1.gcp.commercetools.com/project
              --backend shopify
                --api https://shop.myshopify.com/api/2025-07/graphql.json
            The token of WooCommerce is key:secret, and --currency must be that of its store.
            """
    )

    @Option(help: ArgumentHelp("What to look for.", valueName: "text"))
    var search = ""

    @Flag(help: "Read commands even when nobody types them, as in a script.")
    var interactive = false

    @OptionGroup var store: StoreOptions

    @MainActor func run() async throws {
        try await store.withService { service in
            let screen = service.catalogViewModel()
            try await screen.search(search)
            if interactive || isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 {
                try await BrowseSession(service: service, screen: screen).run()
            } else {
                // What was read is shown, even when the rest cannot be.
                defer { print(CatalogTable(screen)) }
                while screen.hasNextPage { try await screen.loadNextPage() }
            }
        }
    }
}
