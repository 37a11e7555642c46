import ArgumentParser
import EmbeddedStore
import Foundation

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a catalog of any size into a file, to try “import” with."
    )

    @Argument(help: "The file, such as catalog.json.")
    var file: String

    @Option(help: ArgumentHelp("How many products.", valueName: "number"))
    var count = 1_000

    func validate() throws {
        guard (0...10_000_000).contains(count) else {
            throw ValidationError("\(count) products cannot be written; write 0 to 10000000.")
        }
    }

    func run() async throws {
        let url = URL(filePath: file)
        let output = try FileFailure.naming(file) {
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
        print("\(count.formatted()) products are in \(file).")
    }

    /// The demo catalog again and again, each time under other identities.
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
