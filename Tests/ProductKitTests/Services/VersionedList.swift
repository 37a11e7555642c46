import ProductKit
import Synchronization

/// A list with a version, which rejects a write to an earlier version.
struct VersionedList: Sendable {
    private final class Content: Sendable {
        let products = Mutex<[Product.ID]>([])
    }

    let reads: Counter
    let lines: ListLines
    private let content: Content

    init(beforeWrite: @escaping @Sendable () async throws -> Void = { await Task.yield() }) {
        let (reads, content) = (Counter(), Content())
        self.reads = reads
        self.content = content
        lines = ListLines(
            read: { id in
                reads.next()
                let products = content.products.withLock(\.self)
                return ListLines.Contents(
                    id: id,
                    name: "Camp",
                    lines: products.map {
                        ListLines.Line(id: Identifier($0.rawValue), product: $0)
                    },
                    version: "\(products.count)"
                )
            },
            add: { product, contents in
                try await beforeWrite()
                try content.products.withLock { products in
                    guard contents.list.version == "\(products.count)" else {
                        throw NetworkError(.conflict)
                    }
                    products.append(product)
                }
            },
            remove: { _, _ in }
        )
    }

    var lineCount: Int { content.products.withLock(\.count) }
}
