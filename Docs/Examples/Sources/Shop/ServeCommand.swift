import ArgumentParser
import EmbeddedStore
import Foundation

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Keep a store open on this machine until you press Control-C.",
        discussion: """
            It speaks Docs/openapi.yaml, for other commands and for a program of your own, and tells \
            the address and the token to use.
            """
    )

    @Option(
        help: ArgumentHelp("The port, up to 65535; 0 for any that is free.", valueName: "number")
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

    /// Says how to reach a store.
    ///
    /// - Parameters:
    ///   - baseURL: The store's address.
    ///   - productCount: How many products it has.
    ///   - path: What can be asked for, for example.
    static func announce(_ baseURL: URL, productCount: Int, example path: String) {
        print(
            """
            A store with \(productCount.formatted()) products is open until you press Control-C.

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
