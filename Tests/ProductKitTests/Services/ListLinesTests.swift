import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct ListLinesTests {
    @Test func `a product that is not there is added, under the version that was read`()
        async throws
    {
        let lines = ListLines(
            read: { id in contents(id, version: "7") },
            add: { product, contents in
                #expect(product == "boots")
                #expect(contents.list.id == "wishes")
                #expect(contents.list.version == "7")
            },
            remove: { _, _ in Issue.record("Nothing was to be removed.") }
        )

        try await lines.add("boots", to: "wishes")
    }

    @Test func `a product that is there is not added again`() async throws {
        let lines = ListLines(
            read: { id in contents(id, "boots") },
            add: { _, _ in Issue.record("It was added twice.") },
            remove: { _, _ in }
        )

        try await lines.add("boots", to: "wishes")
    }

    @Test func `all lines of a product are removed by their own identities, and no others`()
        async throws
    {
        let removed = Mutex<[Identifier<ListLines.Line>]>([])
        let lines = ListLines(
            read: { id in contents(id, "boots", "pan", "boots") },
            add: { _, _ in },
            remove: { lines, _ in removed.withLock { $0 += lines } }
        )

        try await lines.remove("boots", from: "wishes")

        #expect(removed.withLock { $0 } == ["line-0", "line-2"])
    }

    @Test func `a product that is not there is not removed`() async throws {
        let lines = ListLines(
            read: { id in contents(id, "pan") },
            add: { _, _ in },
            remove: { _, _ in Issue.record("Nothing was to be removed.") }
        )

        try await lines.remove("boots", from: "wishes")
    }

    @Test func `after a conflict the list is read and changed again`() async throws {
        let (reads, writes) = (Counter(), Counter())
        let lines = ListLines(
            read: { id in contents(id, version: "\(reads.next())") },
            add: { _, contents in
                #expect(contents.list.version == "\(writes.next())")
                if writes.count < 3 { throw NetworkError(.conflict) }
            },
            remove: { _, _ in }
        )

        try await lines.add("boots", to: "wishes")

        #expect(reads.count == 3)
        #expect(writes.count == 3)
    }

    @Test func `a conflict with somebody who did the same is success`() async throws {
        let reads = Counter()
        let lines = ListLines(
            read: { id in reads.next() == 1 ? contents(id) : contents(id, "boots") },
            add: { _, _ in throw NetworkError(.conflict) },
            remove: { _, _ in }
        )

        try await lines.add("boots", to: "wishes")

        #expect(reads.count == 2)
    }

    @Test(arguments: [1, 2, 3, 5])
    func `who is overtaken at every attempt is told what the list is now`(attempts: Int) async {
        let (reads, writes) = (Counter(), Counter())
        var lines = ListLines(
            read: { id in contents(id, "boots", version: "\(reads.next())") },
            add: { _, _ in },
            remove: { _, _ in
                writes.next()
                throw NetworkError(.conflict)
            }
        )
        lines.attempts = attempts

        let current = contents("wishes", "boots", version: "\(attempts + 1)").list
        await #expect(throws: ListError.changed(current: current)) {
            try await lines.remove("boots", from: "wishes")
        }

        #expect(writes.count == attempts)
    }

    @Test func `the last conflict, too, may have been with somebody who did the same`() async throws
    {
        let reads = Counter()
        var lines = ListLines(
            read: { id in reads.next() <= 1 ? contents(id, "boots") : contents(id) },
            add: { _, _ in },
            remove: { _, _ in throw NetworkError(.conflict) }
        )
        lines.attempts = 1

        try await lines.remove("boots", from: "wishes")
    }

    @Test func `three attempts are made by default, and at least one`() async {
        let writes = Counter()
        var lines = ListLines(
            read: { id in contents(id) },
            add: { _, _ in
                writes.next()
                throw NetworkError(.conflict)
            },
            remove: { _, _ in }
        )

        await #expect(throws: ListError.self) { try await lines.add("boots", to: "wishes") }
        #expect(writes.count == 3)
        lines.attempts = 0
        await #expect(throws: ListError.self) { try await lines.add("boots", to: "wishes") }
        #expect(writes.count == 4)
    }

    @Test func `another failure is thrown at once`() async {
        let writes = Counter()
        let lines = ListLines(
            read: { id in contents(id) },
            add: { _, _ in
                writes.next()
                throw NetworkError(.timedOut)
            },
            remove: { _, _ in }
        )

        let error = await #expect(throws: NetworkError.self) {
            try await lines.add("boots", to: "wishes")
        }

        #expect(error?.code == .timedOut)
        #expect(writes.count == 1)
    }

    @Test func `of a list that is not there nothing can be read or added, but all is removed`()
        async throws
    {
        let lines = ListLines(
            read: { _ in throw NetworkError(.notFound) },
            add: { _, _ in },
            remove: { _, _ in }
        )

        await #expect(throws: ListError.notFound("w")) { try await lines.list("w") }
        await #expect(throws: ListError.notFound("w")) { try await lines.add("boots", to: "w") }
        try await lines.remove("boots", from: "w")
    }

    @Test func `a product that cannot be added is not there`() async {
        let lines = ListLines(
            read: { id in contents(id) },
            add: { _, _ in throw NetworkError(.notFound) },
            remove: { _, _ in }
        )

        await #expect(throws: ProductError.notFound("boots")) {
            try await lines.add("boots", to: "wishes")
        }
    }

    @Test func `a list that went away between reading and adding is not there`() async {
        let reads = Counter()
        let lines = ListLines(
            read: { id in
                guard reads.next() == 1 else { throw NetworkError(.notFound) }
                return contents(id)
            },
            add: { _, _ in throw NetworkError(.notFound) },
            remove: { _, _ in }
        )

        await #expect(throws: ListError.notFound("wishes")) {
            try await lines.add("boots", to: "wishes")
        }
    }

    @Test func `a cancelled change is not tried again`() async {
        let reads = Counter()
        let lines = ListLines(
            read: { id in
                reads.next()
                return contents(id)
            },
            add: { _, _ in
                withUnsafeCurrentTask { $0?.cancel() }
                throw NetworkError(.conflict)
            },
            remove: { _, _ in }
        )

        let change = Task { try await lines.add("boots", to: "wishes") }

        await #expect(throws: CancellationError.self) { try await change.value }
        #expect(reads.count == 1)
    }

    @Test func `they are what a list manager is made of`() async throws {
        let lines = ListLines(
            read: { id in contents(id, "boots", "pan", "boots") },
            add: { _, _ in },
            remove: { _, _ in }
        )
        let lists = ListManager(
            addProduct: lines.add,
            removeProduct: lines.remove,
            list: lines.list
        )

        #expect(try await lists.list(withID: "wishes").products == ["boots", "pan"])
        try await lists.addProduct(withID: "boots", toListWithID: "wishes")
    }
}

private func contents(
    _ id: ProductList.ID,
    _ products: Product.ID...,
    version: String? = nil
) -> ListLines.Contents {
    let lines = products.enumerated().map { place, product in
        ListLines.Line(id: "line-\(place)", product: product)
    }
    return ListLines.Contents(id: id, name: "Wishes", lines: lines, version: version)
}
