import ProductKit
import Synchronization
import Testing

/// Removals whose answer says that they failed.
@Suite(.timeLimit(.minutes(5))) struct ListLinesRemovalTests {
    @Test func `a removal that has failed is success when the lines are gone`() async throws {
        let isThere = Mutex(true)
        let lines = ListLines(
            read: { id in
                contents(id, isThere.withLock(\.self) ? "boots" : "pan")
            },
            add: { _, _ in },
            remove: { _, _ in
                isThere.withLock { $0 = false }
                throw NetworkError(.notFound)
            }
        )

        try await lines.remove("boots", from: "wishes")
    }

    @Test func `a removal that has failed half is tried again with what is left`() async throws {
        let left = Mutex(["boots", "boots"])
        let tries = Counter()
        let lines = ListLines(
            read: { id in
                ListLines.Contents(
                    id: id,
                    name: "Wishes",
                    lines: left.withLock(\.self).enumerated().map { index, product in
                        ListLines.Line(id: "line-\(index)", product: Product.ID(product))
                    }
                )
            },
            add: { _, _ in },
            remove: { _, _ in
                left.withLock { _ = $0.removeLast() }
                if tries.next() == 1 { throw NetworkError(.timedOut) }
            }
        )

        try await lines.remove("boots", from: "wishes")

        #expect(left.withLock(\.isEmpty) && tries.count == 2)
    }

    @Test func `a removal that changed nothing fails as it did`() async throws {
        let lines = ListLines(
            read: { id in contents(id, "boots") },
            add: { _, _ in },
            remove: { _, _ in throw NetworkError(.forbidden) }
        )

        let error = await #expect(throws: NetworkError.self) {
            try await lines.remove("boots", from: "wishes")
        }
        #expect(error?.code == .forbidden)
    }
}

private func contents(_ id: ProductList.ID, _ product: Product.ID) -> ListLines.Contents {
    ListLines.Contents(
        id: id,
        name: "Wishes",
        lines: [ListLines.Line(id: "line-0", product: product)]
    )
}
