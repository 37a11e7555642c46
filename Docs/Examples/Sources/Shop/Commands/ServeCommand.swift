import ArgumentParser
import EmbeddedStore
import Foundation

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a store on this machine until you press Control-C.",
        discussion: """
            The store implements Docs/openapi.yaml. The other commands and your own program can \
            use it; the output shows its base URL and a token.
            """
    )

    @Option(
        help: ArgumentHelp("The port, up to 65535, or 0 for any free port.", valueName: "number")
    )
    var port: UInt16 = 0

    func run() async throws {
        do {
            try await EmbeddedStore().run(port: port) { baseURL in
                Self.announce(
                    baseURL,
                    productCount: StoreProduct.catalog.count,
                    example: "products/walking-boots"
                )
            }
        } catch is CancellationError {
            return
        }
    }

    /// Prints how to use a store.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the store.
    ///   - productCount: The number of its products.
    ///   - path: The path of a request, as an example.
    static func announce(_ baseURL: URL, productCount: Int, example path: String) {
        print(
            """
            A store with \(productCount.formatted()) products is running. Press Control-C to stop it.

              base URL  \(baseURL)
              token     \(EmbeddedStore.demoToken)

            In another terminal:
              swift run --package-path Docs/Examples shop browse --api \(baseURL)
              curl -H "Authorization: Bearer \(EmbeddedStore.demoToken)" "\(baseURL)/\(path)"
            """
        )
        fflush(nil)
    }
}
