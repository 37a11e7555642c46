import ArgumentParser
import EmbeddedStore
import Foundation
import ProductKit

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a catalog from a file into a store on this machine.",
        discussion: """
            Each line of the file is the JSON text of a product, as Docs/openapi.yaml defines it. \
            Invalid products are skipped. “shop export” writes such a file.
            """
    )

    @Argument(help: "The file, such as catalog.jsonl.")
    var file: String

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
            localUser: LocalUser(currency: "EUR", locale: .program),
            user: .demo
        )
        let total = try await service.loader.products().total ?? 0
        guard total == count else { throw ImportError(imported: count, listed: total) }
        Terminal.print("✓ The store lists \(total.text) products over real HTTP.")
    }

    /// Adds the products of the file to the store, prints the result, and returns their number.
    private func fill(_ store: EmbeddedStore) async throws -> Int {
        let url = URL(filePath: file)
        let input = try FileError.naming(file) { try FileHandle(forReadingFrom: url) }
        let bar = ProgressBar(
            total: try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        )
        defer { bar.end() }
        var imported: Set<Product.ID> = []
        var skipped: [String] = []
        var (bytesRead, lineCount, rest) = (0, 0, Data())
        func read(_ line: Data) {
            lineCount += 1
            guard !line.isEmpty else { return }
            do {
                let product = try JSONDecoder().decode(Product.self, from: line)
                store.putProduct(StoreProduct(product))
                imported.insert(product.id)
            } catch {
                skipped.append(
                    "line \(lineCount), \((error as? DecodingError)?.problem ?? "\(error)")"
                )
            }
        }
        while let chunk = try FileError.naming(file, { try input.read(upToCount: 64 * 1_024) }),
            !chunk.isEmpty
        {
            try Task.checkCancellation()
            bytesRead += chunk.count
            var lines = (rest + chunk).split(
                separator: UInt8(ascii: "\n"),
                omittingEmptySubsequences: false
            )
            rest = lines.popLast().map { Data($0) } ?? Data()
            for line in lines { read(Data(line)) }
            bar.show(bytesRead, "\(imported.count.text) products")
        }
        read(rest)
        bar.end()
        Terminal.print("Imported \(imported.count.text) products from \(file).")
        for line in skipped.prefix(5) { Terminal.print("  skipped: \(line)") }
        if skipped.count > 5 { Terminal.print("  and \((skipped.count - 5).text) more") }
        return imported.count
    }
}

extension DecodingError {
    /// The member that is missing or not valid.
    fileprivate var problem: String {
        let (path, reason) =
            switch self {
            case .keyNotFound(let key, let context): (context.codingPath + [key], "is missing")
            case .typeMismatch(_, let context), .valueNotFound(_, let context),
                .dataCorrupted(let context):
                (context.codingPath, "is not valid")
            @unknown default: ([], "is not valid")
            }
        return path.isEmpty
            ? "which is not JSON" : path.map(\.stringValue).joined(separator: ".") + " " + reason
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
