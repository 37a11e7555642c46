import ArgumentParser
import EmbeddedStore
import Foundation
import ProductKit
import Synchronization

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Stream a catalog from a file into a store on this machine.",
        discussion: """
            The file holds a JSON array of products, as Docs/openapi.yaml describes them. However \
            large it is, it is read in a few megabytes, and a product that cannot be read costs no \
            other. “shop export” writes such a file.
            """
    )

    @Argument(help: "The file, such as catalog.json.")
    var file: String

    @Option(
        help: ArgumentHelp(
            "The member that holds the array, when the file holds an object.",
            valueName: "name"
        )
    )
    var member: String?

    @Flag(help: "Keep the store open until you press Control-C.")
    var serve = false

    func run() async throws {
        var configuration = EmbeddedStore.Configuration()
        configuration.products = []
        let store = EmbeddedStore(configuration: configuration)
        let count = try await fill(store)
        if serve {
            try await store.run { baseURL in
                try await check(baseURL, lists: count)
                ServeCommand.announce(baseURL, productCount: count, example: "products?limit=1")
            }
        } else {
            try await store.serve { try await check($0, lists: count) }
        }
    }

    private func check(_ baseURL: URL, lists count: Int) async throws {
        let loader = ProductService(baseURL: baseURL, localUser: LocalUser(currency: "EUR")) {
            EmbeddedStore.demoToken
        }.loader
        let total = try await loader.products().total ?? 0
        guard total == count else { throw ImportFailure(read: count, listed: total) }
        print("✓ The store lists \(total.formatted()) products over real HTTP.")
    }

    /// Puts the products of the file into the store, and tells which could not be read.
    private func fill(_ store: EmbeddedStore) async throws -> Int {
        let url = URL(filePath: file)
        let input = try FileFailure.naming(file) { try FileHandle(forReadingFrom: url) }
        let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        let bytesRead = Mutex(0)
        let chunks = AsyncThrowingStream { [file] in
            let chunk = try FileFailure.naming(file) { try input.read(upToCount: 64 * 1_024) }
            bytesRead.withLock { $0 += chunk?.count ?? 0 }
            return chunk
        }
        let products =
            member.map { JSONElements<Product>(chunks: chunks, in: $0) }
            ?? JSONElements(chunks: chunks)
        var known: Set<Product.ID> = []
        var rejected: [RejectedElement] = []
        let bar = ProgressBar(total: size)
        defer { bar.end() }
        for try await batch in products {
            for product in batch.elements {
                store.putProduct(StoreProduct(product))
                known.insert(product.id)
            }
            rejected += batch.rejected
            bar.show(bytesRead.withLock(\.self), "\(known.count.formatted()) products")
        }
        bar.end()
        print("\(known.count.formatted()) products from \(file) are in the store.")
        for element in rejected.prefix(5) {
            print("  left out: element \(element.index), \(element.text)")
        }
        if rejected.count > 5 { print("  and \((rejected.count - 5).formatted()) more") }
        return known.count
    }
}

/// The store does not list what was put into it.
struct ImportFailure: LocalizedError {
    let read: Int
    let listed: Int

    var errorDescription: String? {
        "\(read) products were read, but the store lists \(listed). "
            + "Please report this as a bug in the example."
    }
}

extension StoreProduct {
    /// A product as the store keeps it; both sides know the contract and nothing of each other.
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
