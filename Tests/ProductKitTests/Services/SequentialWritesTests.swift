import Foundation
import ProductKit
import Testing

/// Writes to one list at the same time, which `ListLines` carries out one after another.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SequentialWritesTests {
    private let list = VersionedList()

    // Rule: favorites/writes-are-sequential (8)
    @Test func `writes to one list are carried out in the order of the calls, without a conflict`()
        async throws
    {
        let executor = SerialTaskExecutor()
        let writes = (0..<4).map { add(Product.ID("\($0)"), on: executor) }
        await list.gate.waitForCalls(1)
        await executor.waitUntilIdle()
        list.gate.open()
        for write in writes { try await write.value }

        #expect(list.products.all == ["0", "1", "2", "3"])
        #expect(list.reads.count == 4)
    }

    // Rule: favorites/writes-are-sequential (8)
    @Test func `writes to one list at the same time meet no conflict`() async throws {
        list.gate.open()

        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                group.addTask { [lines = list.lines] in
                    try await lines.add(Product.ID("\(number)"), to: "camp")
                }
            }
            try await group.waitForAll()
        }

        #expect(list.reads.count == 100 && list.products.all.count == 100)
    }

    // Rule: favorites/writes-are-sequential (8)
    @Test(arguments: [true, false])
    func `a list is renamed and deleted after the products that were added before`(
        renames: Bool
    ) async throws {
        let products = list.products
        let manager = ListManager(
            lines: list.lines,
            rename: { id, name, _ in
                // A server that replaces the whole list.
                ProductList(id: id, name: name, products: products.all.map { Identifier($0) })
            },
            delete: { _ in products.add("deleted") }
        )
        let executor = SerialTaskExecutor()
        let addition = add("pan", on: executor)
        await list.gate.waitForCalls(1)
        let change = Task(executorPreference: executor) {
            guard renames else {
                try await manager.deleteList(withID: "camp")
                return nil as ProductList?
            }
            return try await manager.renameList(withID: "camp", to: "Tour")
        }
        await executor.waitUntilIdle()
        #expect(products.all.isEmpty)
        list.gate.open()
        try await addition.value

        #expect(try await change.value?.products == (renames ? ["pan"] : nil))
        #expect(products.all == (renames ? ["pan"] : ["pan", "deleted"]))
        await #expect(throws: UnsupportedOperation("rename")) {
            try await ListManager(lines: list.lines).renameList(withID: "camp", to: "Tour")
        }
    }

    // Rule: favorites/writes-are-sequential (8)
    @Test func `the usual requests for a list are sent in the order of the calls`() async throws {
        let (gate, sent) = (ActionGate<Void>(), Lines())
        let manager = ListManager(
            client: NetworkClient(
                baseURL: .api,
                networking: .closure { request in
                    if request.httpMethod != "GET" { sent.add(request.httpMethod ?? "") }
                    return .json(#"{"name": "Camp"}"#)
                }
            ),
            path: ["lists"],
            pages: PageFormat(),
            contents: { (list: [String: String], _) in
                ListLines.Contents(id: "camp", name: list["name"] ?? "", lines: [])
            },
            newList: { $0 },
            newName: { _, name in
                // It may load the list, which must have the product.
                sent.add("body")
                return name
            },
            add: { _, _ in
                try await gate.hold()
                sent.add("POST")
            },
            remove: { _, _ in }
        )
        let executor = SerialTaskExecutor()
        let changes: [@Sendable () async throws -> Void] = [
            { try await manager.addProduct(withID: "pan", toListWithID: "camp") },
            { _ = try await manager.renameList(withID: "camp", to: "Tour") },
            { try await manager.deleteList(withID: "camp") },
        ]
        let tasks = changes.map { change in
            Task(executorPreference: executor) { try await change() }
        }
        await gate.waitForCalls(1)
        await executor.waitUntilIdle()
        #expect(sent.all.isEmpty)
        gate.open()
        for task in tasks { try await task.value }

        #expect(sent.all == ["POST", "body", "PUT", "DELETE"])
    }

    // Rule: favorites/writes-are-sequential (8)
    @Test func `a write that is cancelled while it waits throws immediately`() async throws {
        let executor = SerialTaskExecutor()
        let first = add("pan", on: executor)
        await list.gate.waitForCalls(1)
        let second = add("pot", on: executor)
        await executor.waitUntilIdle()

        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        let third = add("knife", on: executor)
        await executor.waitUntilIdle()
        #expect(list.reads.count == 1)
        list.gate.open()
        try await first.value
        try await third.value

        #expect(list.products.all == ["pan", "knife"])
    }

    // Rule: favorites/writes-are-sequential (8)
    @MainActor @Test func `a cancelled task does not wait for another write`() async throws {
        let first = add("pan", on: SerialTaskExecutor())
        await list.gate.waitForCalls(1)
        let second = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await list.lines.add("pot", to: "camp")
        }

        await #expect(throws: CancellationError.self) { try await second.promptValue }
        list.gate.open()
        try await first.value
    }

    private func add(
        _ product: Product.ID,
        on executor: SerialTaskExecutor
    ) -> Task<Void, any Error> {
        Task(executorPreference: executor) { try await list.lines.add(product, to: "camp") }
    }
}

/// A list with a version, which rejects a write to an earlier version.
private struct VersionedList: Sendable {
    /// Suspends each write.
    let gate = ActionGate<Void>()
    let reads = Counter()
    let products = Lines()
    let lines: ListLines

    init() {
        lines = ListLines(
            read: { [reads, products] id in
                reads.next()
                let lines = products.all.map {
                    ListLines.Line(id: Identifier($0), product: Identifier($0))
                }
                return ListLines.Contents(
                    id: id,
                    name: "Camp",
                    lines: lines,
                    version: "\(lines.count)"
                )
            },
            add: { [gate, products] product, contents in
                try await gate.hold()
                guard contents.list.version == "\(products.all.count)" else {
                    throw NetworkError(.conflict)
                }
                products.add(product.rawValue)
            },
            remove: { _, _ in }
        )
    }
}
