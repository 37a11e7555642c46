import ArgumentParser
import EmbeddedStore
import Foundation

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a catalog of any size to a file, for use with “shop import”."
    )

    @Argument(help: "The file, such as catalog.json.")
    var file: String

    @Option(help: ArgumentHelp("The number of products.", valueName: "number"))
    var count = 1_000

    func validate() throws {
        guard (0...10_000_000).contains(count) else {
            throw ValidationError("--count must be a number from 0 to 10000000, not \(count).")
        }
    }

    func run() async throws {
        let url = URL(filePath: file)
        let output = try FileError.naming(file) {
            try Data("[".utf8).write(to: url)
            return try FileHandle(forWritingTo: url)
        }
        try output.seekToEnd()
        let bar = ProgressBar(total: count)
        for start in stride(from: 0, to: count, by: 1_000) {
            let end = min(start + 1_000, count)
            var text = Data()
            for number in start..<end {
                if number > 0 { text.append(UInt8(ascii: ",")) }
                text.append(try JSONEncoder().encode(Self.product(number)))
            }
            try output.write(contentsOf: text)
            bar.show(end, "\(end.formatted()) products")
        }
        try output.write(contentsOf: Data("]".utf8))
        try output.close()
        bar.end()
        print("Wrote \(count.formatted()) products to \(file).")
    }

    /// Returns a product of the demo catalog, which is repeated with new identifiers.
    private static func product(_ number: Int) -> StoreProduct {
        let catalog = StoreProduct.catalog
        var product = catalog[number % catalog.count]
        let edition = number / catalog.count
        if edition > 0 {
            product.id += "-\(edition)"
            product.name += " No. \(edition)"
        }
        return product
    }
}

/// An error for a file that cannot be read or written.
struct FileError: LocalizedError {
    private let file: String
    private let cause: any Error

    /// Runs a closure that uses a file and adds the file name to its error.
    static func naming<Value>(_ file: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw FileError(file: file, cause: error) }
    }

    var errorDescription: String? {
        "“\(file)” cannot be read or written: \(cause.localizedDescription) "
            + "Check the path, the permissions and the free disk space."
    }
}
