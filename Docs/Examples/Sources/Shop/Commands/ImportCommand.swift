import ArgumentParser
import EmbeddedStore
import Foundation
import ProductKit
import Synchronization

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a catalog from a file into a store on this machine.",
        discussion: """
            The file contains a JSON array of products, as Docs/openapi.yaml defines them. It is \
            read as a stream, so a file of any size needs only a few megabytes of memory. Invalid \
            products are skipped. “shop export” writes such a file.
            """
    )

    @Argument(help: "The file, such as catalog.json.")
    var file: String

    @Option(
        help: ArgumentHelp(
            "The member that contains the array, if the file contains an object.",
            valueName: "name"
        )
    )
    var member: String?

    @Flag(help: "Keep the store running until you press Control-C.")
    var serve = false

    func run() async throws {
        var configuration = EmbeddedStore.Configuration()
        configuration.products = []
        let store = EmbeddedStore(configuration: configuration)
        let count = try await fill(store)
        if serve {
            try await ServeCommand.run(store) { [self] baseURL in
                try await check(baseURL, lists: count)
                ServeCommand.announce(baseURL, productCount: count, example: "products?limit=1")
            }
        } else {
            try await store.serve { try await check($0, lists: count) }
        }
    }

    private func check(_ baseURL: URL, lists count: Int) async throws {
        let service = ProductService(
            baseURL: baseURL,
            localUser: LocalUser(currency: "EUR"),
            user: .demo
        )
        let total = try await service.loader.products().total ?? 0
        guard total == count else { throw ImportError(imported: count, listed: total) }
        Terminal.print("✓ The store lists \(total.formatted()) products over real HTTP.")
    }

    /// Adds the products of the file to the store, prints the result, and returns their number.
    private func fill(_ store: EmbeddedStore) async throws -> Int {
        let url = URL(filePath: file)
        let input = try FileError.naming(file) { try FileHandle(forReadingFrom: url) }
        let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        let bytesRead = Mutex(0)
        let chunks = AsyncThrowingStream { [file] in
            let chunk = try FileError.naming(file) { try input.read(upToCount: 64 * 1_024) }
            bytesRead.withLock { $0 += chunk?.count ?? 0 }
            return chunk
        }
        let products =
            member.map { JSONElements<Product>(chunks: chunks, in: $0) }
            ?? JSONElements(chunks: chunks)
        var imported: Set<Product.ID> = []
        var rejected: [RejectedElement] = []
        let bar = ProgressBar(total: size)
        defer { bar.end() }
        for try await batch in products {
            for product in batch.elements {
                store.putProduct(StoreProduct(product))
                imported.insert(product.id)
            }
            rejected += batch.rejected
            bar.show(bytesRead.withLock(\.self), "\(imported.count.formatted()) products")
        }
        bar.end()
        Terminal.print("Imported \(imported.count.formatted()) products from \(file).")
        for element in rejected.prefix(5) {
            Terminal.print("  skipped: element \(element.index), \(element.text)")
        }
        if rejected.count > 5 { Terminal.print("  and \((rejected.count - 5).formatted()) more") }
        return imported.count
    }
}

/// An error for a store that does not return all imported products.
struct ImportError: LocalizedError {
    let imported: Int
    let listed: Int

    var errorDescription: String? {
        "\(imported) products were imported, but the store lists \(listed). "
            + "Please report this as a bug in the example."
    }
}

extension StoreProduct {
    /// Creates the store's product from the library's.
    ///
    /// The store and the library share the contract, but no types.
    fileprivate init(_ product: Product) {
        self.init(
            id: product.id.rawValue,
            name: product.name,
            description: product.description,
            images: product.images.map(\.absoluteString),
            url: product.url?.absoluteString,
            isAvailable: product.isAvailable,
            updatedAt: product.updatedAt?.formatted(.iso8601),
            attributes: product.attributes
        )
        prices = product.prices.map { price in
            Price(amount: "\(price.amount)", currency: price.currency)
        }
    }
}
