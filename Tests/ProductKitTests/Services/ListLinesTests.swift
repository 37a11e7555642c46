import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ListLinesTests {
    @Test func `a missing product is added under the loaded version`() async throws {
        let lines = ListLines(
            read: { id in contents(id, version: "7") },
            add: { product, contents in
                #expect(product == "boots")
                #expect(contents.list.id == "wishlist")
                #expect(contents.list.version == "7")
            },
            remove: { _, _ in Issue.record("Lines were removed.") }
        )

        try await lines.add("boots", to: "wishlist")
    }

    @Test func `a product in the list is not added again`() async throws {
        let lines = ListLines(
            read: { id in contents(id, "boots") },
            add: { _, _ in Issue.record("A line was added.") },
            remove: { _, _ in }
        )

        try await lines.add("boots", to: "wishlist")
    }

    @Test func `all lines with a product are removed, and no others`() async throws {
        let removed = Mutex<[Identifier<ListLines.Line>]>([])
        let lines = ListLines(
            read: { id in contents(id, "boots", "pan", "boots") },
            add: { _, _ in },
            remove: { lines, _ in removed.withLock { $0 += lines } }
        )

        try await lines.remove("boots", from: "wishlist")

        #expect(removed.withLock { $0 } == ["line-0", "line-2"])
    }

    @Test func `a missing product is not removed`() async throws {
        let lines = ListLines(
            read: { id in contents(id, "pan") },
            add: { _, _ in },
            remove: { _, _ in Issue.record("Lines were removed.") }
        )

        try await lines.remove("boots", from: "wishlist")
    }

    @Test func `after a conflict the list is loaded and changed again`() async throws {
        let (reads, writes) = (Counter(), Counter())
        let lines = ListLines(
            read: { id in contents(id, version: "\(reads.next())") },
            add: { _, contents in
                #expect(contents.list.version == "\(writes.next())")
                if writes.count < 3 { throw NetworkError(.conflict) }
            },
            remove: { _, _ in }
        )

        try await lines.add("boots", to: "wishlist")

        #expect(reads.count == 3)
        #expect(writes.count == 3)
    }

    @Test func `a conflict with an equal change is success`() async throws {
        let reads = Counter()
        let lines = ListLines(
            read: { id in reads.next() == 1 ? contents(id) : contents(id, "boots") },
            add: { _, _ in throw NetworkError(.conflict) },
            remove: { _, _ in }
        )

        try await lines.add("boots", to: "wishlist")

        #expect(reads.count == 2)
    }

    @Test(arguments: [1, 2, 3, 5])
    func `a conflict at every attempt throws the current list`(attempts: Int) async {
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

        let current = contents("wishlist", "boots", version: "\(attempts + 1)").list
        await #expect(throws: ListError.changed(current: current)) {
            try await lines.remove("boots", from: "wishlist")
        }

        #expect(writes.count == attempts)
    }

    @Test func `a last conflict with an equal change is success`() async throws {
        let reads = Counter()
        var lines = ListLines(
            read: { id in reads.next() <= 1 ? contents(id, "boots") : contents(id) },
            add: { _, _ in },
            remove: { _, _ in throw NetworkError(.conflict) }
        )
        lines.attempts = 1

        try await lines.remove("boots", from: "wishlist")
    }

    // Rule: screen/opposite-edit-after-failure (31)
    @Test(arguments: [true, false])
    func `a load that fails after an unclear write throws the error of the write`(
        isAddition: Bool
    ) async throws {
        let reads = Counter()
        var lost = NetworkResponse(statusCode: 409)
        lost.attempts = [NetworkAttempt(failure: .connectionLost), NetworkAttempt(statusCode: 409)]
        let error = isAddition ? NetworkError(lost) : NetworkError(.timedOut)
        let lines = ListLines(
            read: { id in
                if reads.next() > 1 { throw NetworkError(.unreachable) }
                return isAddition ? contents(id) : contents(id, "boots")
            },
            add: { _, _ in throw error },
            remove: { _, _ in throw error }
        )

        let thrown = await #expect(throws: NetworkError.self) {
            isAddition
                ? try await lines.add("boots", to: "wishlist")
                : try await lines.remove("boots", from: "wishlist")
        }

        #expect(thrown?.code == error.code && thrown?.mayHaveReachedServer == true)
    }

    // Rule: screen/opposite-edit-after-failure (31)
    @Test func `after an unclear write the error of the system does not hide the lost response`()
        async throws
    {
        let reads = Counter()
        let lines = ListLines(
            read: { id in
                if reads.next() > 1 { throw URLError(.notConnectedToInternet) }
                return contents(id, "boots")
            },
            add: { _, _ in },
            remove: { _, _ in throw NetworkError(.connectionLost) }
        )

        let error = await #expect(throws: NetworkError.self) {
            try await lines.remove("boots", from: "wishlist")
        }

        #expect(error?.code == .connectionLost && error?.mayHaveReachedServer == true)
    }

    @Test func `a load that fails after a refused write throws its own error`() async throws {
        let reads = Counter()
        let lines = ListLines(
            read: { id in
                if reads.next() > 1 { throw NetworkError(.unreachable) }
                return contents(id)
            },
            add: { _, _ in throw NetworkError(.conflict) },
            remove: { _, _ in }
        )

        let thrown = await #expect(throws: NetworkError.self) {
            try await lines.add("boots", to: "wishlist")
        }

        #expect(thrown?.code == .unreachable)
    }

    @Test func `there are three attempts by default and at least one`() async {
        let writes = Counter()
        var lines = ListLines(
            read: { id in contents(id) },
            add: { _, _ in
                writes.next()
                throw NetworkError(.conflict)
            },
            remove: { _, _ in }
        )

        await #expect(throws: ListError.self) { try await lines.add("boots", to: "wishlist") }
        #expect(writes.count == 3)
        lines.attempts = 0
        await #expect(throws: ListError.self) { try await lines.add("boots", to: "wishlist") }
        #expect(writes.count == 4)
    }

    @Test func `another error is thrown without a second attempt`() async {
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
            try await lines.add("boots", to: "wishlist")
        }

        #expect(error?.code == .timedOut)
        #expect(writes.count == 1)
    }

    @Test func `a list that does not exist is not found, except by a removal`() async throws {
        let lines = ListLines(
            read: { _ in throw NetworkError(.notFound) },
            add: { _, _ in },
            remove: { _, _ in }
        )

        await #expect(throws: ListError.notFound("w")) { try await lines.list("w") }
        await #expect(throws: ListError.notFound("w")) { try await lines.add("boots", to: "w") }
        try await lines.remove("boots", from: "w")
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test(arguments: [NetworkError.Code.rejected, .notFound, .timedOut, .connectionLost])
    func `a failed addition is success if the list has the product afterwards`(
        code: NetworkError.Code
    ) async throws {
        let (reads, writes) = (Counter(), Counter())
        let lines = ListLines(
            read: { id in reads.next() == 1 ? contents(id) : contents(id, "boots") },
            add: { _, _ in
                writes.next()
                throw NetworkError(code)
            },
            remove: { _, _ in }
        )

        try await lines.add("boots", to: "wishlist")

        #expect(reads.count == 2 && writes.count == 1)
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test(arguments: [NetworkError.Code.rejected, .unreachable, .forbidden, .throttled])
    func `a failed addition has its own error if the list cannot be loaded or has no such product`(
        code: NetworkError.Code
    ) async throws {
        for isOffline in [true, false] {
            let reads = Counter()
            let lines = ListLines(
                read: { id in
                    if reads.next() > 1, isOffline { throw NetworkError(.timedOut) }
                    return contents(id)
                },
                add: { _, _ in throw NetworkError(code) },
                remove: { _, _ in }
            )

            let error = await #expect(throws: NetworkError.self) {
                try await lines.add("boots", to: "wishlist")
            }

            #expect(error?.code == code && reads.count == (code == .rejected ? 2 : 1))
        }
    }

    @Test func `“not found” from adding means the product if the list exists`() async {
        let lines = ListLines(
            read: { id in contents(id) },
            add: { _, _ in throw NetworkError(.notFound) },
            remove: { _, _ in }
        )

        await #expect(throws: ProductError.notFound("boots")) {
            try await lines.add("boots", to: "wishlist")
        }
    }

    @Test func `“not found” from adding means the list if it was deleted meanwhile`() async {
        let reads = Counter()
        let lines = ListLines(
            read: { id in
                guard reads.next() == 1 else { throw NetworkError(.notFound) }
                return contents(id)
            },
            add: { _, _ in throw NetworkError(.notFound) },
            remove: { _, _ in }
        )

        await #expect(throws: ListError.notFound("wishlist")) {
            try await lines.add("boots", to: "wishlist")
        }
    }

    @Test func `a cancelled change is not repeated`() async {
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

        let change = Task { try await lines.add("boots", to: "wishlist") }

        await #expect(throws: CancellationError.self) { try await change.value }
        #expect(reads.count == 1)
    }

    @Test func `a failed removal is success if the lines are gone`() async throws {
        let isThere = Mutex(true)
        let reads = Counter()
        let lines = ListLines(
            read: { id in
                reads.next()
                return contents(id, isThere.withLock(\.self) ? "boots" : "pan")
            },
            add: { _, _ in },
            remove: { _, _ in
                isThere.withLock { $0 = false }
                throw NetworkError(.notFound)
            }
        )

        try await lines.remove("boots", from: "wishlist")

        #expect(reads.count == 2)
    }

    @Test func `a partly failed removal is repeated for the remaining lines`() async throws {
        let left = Mutex(["boots", "boots"])
        let writes = Counter()
        let lines = ListLines(
            read: { id in
                ListLines.Contents(
                    id: id,
                    name: "Wishlist",
                    lines: left.withLock(\.self).enumerated().map { index, product in
                        ListLines.Line(id: "line-\(index)", product: Product.ID(product))
                    }
                )
            },
            add: { _, _ in },
            remove: { _, _ in
                left.withLock { _ = $0.removeLast() }
                if writes.next() == 1 { throw NetworkError(.timedOut) }
            }
        )

        try await lines.remove("boots", from: "wishlist")

        #expect(left.withLock(\.isEmpty) && writes.count == 2)
    }

    @Test func `a failed removal that changed nothing throws its error`() async throws {
        let lines = ListLines(
            read: { id in contents(id, "boots") },
            add: { _, _ in },
            remove: { _, _ in throw NetworkError(.forbidden) }
        )

        let error = await #expect(throws: NetworkError.self) {
            try await lines.remove("boots", from: "wishlist")
        }
        #expect(error?.code == .forbidden)
    }

    @Test func `a list is found among all lists, unless one of them is not valid`() throws {
        let all = Page([contents("camp"), contents("trip")])
        let invalid = RejectedElement(index: 0, member: "id", reason: "It is missing.")

        #expect(try all.contents(ofListWithID: "trip").list.id == "trip")
        #expect(throws: ListError.notFound("x")) { try all.contents(ofListWithID: "x") }
        let error = #expect(throws: NetworkError.self) {
            try Page([contents("camp")], rejected: [invalid]).contents(ofListWithID: "x")
        }
        #expect(error?.code == .unreadable)
        #expect(
            try Page([contents("camp")], rejected: [invalid]).contents(ofListWithID: "camp").list.id
                == "camp"
        )
    }

    @Test func `a list manager is made from the operations`() async throws {
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

        #expect(try await lists.list(withID: "wishlist").products == ["boots", "pan"])
        try await lists.addProduct(withID: "boots", toListWithID: "wishlist")
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
    return ListLines.Contents(id: id, name: "Wishlist", lines: lines, version: version)
}
