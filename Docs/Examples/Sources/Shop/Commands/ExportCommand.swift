import ArgumentParser
import EmbeddedStore
import Foundation

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a catalog of any size to a file, for use with “shop import”.",
        discussion: """
            The file appears when it is complete. If you press Control-C, or if an error occurs, \
            an existing file stays as it is.
            """
    )

    @Argument(help: "The file, such as catalog.jsonl.")
    var file: String

    @Option(help: ArgumentHelp("The number of products.", valueName: "number"))
    var count = 1_000

    func validate() throws {
        guard (0...10_000_000).contains(count) else {
            throw ValidationError("--count must be a number from 0 to 10000000, not \(count).")
        }
    }

    func run() async throws {
        let bar = ProgressBar(total: count)
        do {
            try await cancelledByControlC { [file, count] in
                defer { bar.end() }
                try FileReplacement.write(to: file) { output in
                    try Self.writeProducts(count, to: output, bar)
                }
            }
        } catch is CancellationError {
            Terminal.print("Stopped. Nothing was written to \(file).")
            throw ExitCode.interrupted
        }
        Terminal.print("Wrote \(count.text) products to \(file).")
    }

    private static func writeProducts(
        _ count: Int,
        to output: FileHandle,
        _ bar: ProgressBar
    ) throws {
        for start in stride(from: 0, to: count, by: 1_000) {
            try Task.checkCancellation()
            let end = min(start + 1_000, count)
            var text = Data()
            for number in start..<end {
                text.append(try JSONEncoder().encode(product(number)))
                text.append(UInt8(ascii: "\n"))
            }
            try output.write(contentsOf: text)
            bar.show(end, "\(end.text) products")
        }
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
