import ArgumentParser
import EmbeddedStore
import Foundation

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a store on this machine until you press Control-C.",
        discussion: """
            The store implements Docs/openapi.yaml. The other commands and your own program can \
            use it; the output shows its base URL and a token. After Control-C, the exit code is 0.
            """
    )

    @Option(
        help: ArgumentHelp("The port, up to 65535, or 0 for any free port.", valueName: "number")
    )
    var port: UInt16 = 0

    func run() async throws {
        try await Self.run(EmbeddedStore(), port: port) { baseURL in
            Self.announce(
                baseURL,
                productCount: StoreProduct.catalog.count,
                example: "products/walking-boots"
            )
        }
    }

    /// Runs a store until Control-C is pressed, which is the regular end of the program.
    static func run(
        _ store: EmbeddedStore,
        port: UInt16 = 0,
        whenListening: @escaping @Sendable (URL) async throws -> Void
    ) async throws {
        do {
            try await cancelledByControlC {
                try await store.run(port: port, whenListening: whenListening)
            }
        } catch is CancellationError {
            Terminal.print("The store was stopped. Requests: \(store.requestCount.text).")
        }
    }

    /// Prints how to use a store.
    ///
    /// The commands are not broken into lines, so that they can be copied.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the store.
    ///   - productCount: The number of its products.
    ///   - path: The path of a request, as an example.
    static func announce(_ baseURL: URL, productCount: Int, example path: String) {
        Terminal.print(
            "A store with \(productCount.text) products is running. "
                + "Press Control-C to stop it."
        )
        print(
            """

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
