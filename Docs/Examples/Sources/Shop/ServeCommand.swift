import ArgumentParser
import EmbeddedStore
import Foundation

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Keep a store open on this machine until you press Control-C."
    )

    @Option(help: ArgumentHelp("The port; any that is free by default.", valueName: "number"))
    var port: UInt16 = 0

    func run() async throws {
        do {
            try await EmbeddedStore().run(port: port) { baseURL in
                Self.announce(baseURL, productCount: StoreProduct.catalogue.count)
            }
        } catch is CancellationError {
            return
        } catch {
            throw PortFailure(port: port, cause: error)
        }
    }

    static func announce(_ baseURL: URL, productCount: Int) {
        print("A store with \(productCount) products is open at \(baseURL).")
        print("In another terminal, add this to any command:")
        print("  --api \(baseURL) --token \(EmbeddedStore.demoToken)")
        fflush(nil)
    }
}

/// No store could be opened at a port.
struct PortFailure: LocalizedError {
    let port: UInt16
    let cause: any Error

    var errorDescription: String? {
        "No store can be opened at port \(port); choose another with --port. (\(cause))"
    }
}
