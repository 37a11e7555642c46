import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ConcurrentMappingTests {
    let calls = Counter()
    let gate = ActionGate<Void>()

    // Rule: pages/concurrent-map-keeps-order (10)
    @Test func `the elements keep their order, whichever ends first`() async throws {
        let page = Page([1, 2, 3], next: "4", total: 9)
        let isLastDone = ActionGate<Void>()

        let texts = try await page.concurrentMap { number in
            if number == 3 { isLastDone.open() } else { try await isLastDone.hold() }
            return "\(number)"
        }

        #expect(texts == Page(["1", "2", "3"], next: "4", total: 9))
    }

    // Rule: pages/concurrent-map-keeps-order (10)
    @Test func `a failure rejects its element, and earlier rejections and the source stay`()
        async throws
    {
        let rejected = [0, 3].map { RejectedElement(index: $0, member: "id", reason: "?") }
        var page = Page(["a", "b", "c"], rejected: rejected)
        page.source = .cache(asOf: .distantPast)

        let mapped = try await page.concurrentMap { text in
            guard text == "b" else { throw UnsupportedOperation(text) }
            return text
        }

        #expect(mapped.items == ["b"] && mapped.source == page.source)
        #expect(mapped.rejected.map(\.index) == [0, 1, 3, 4])
        #expect(mapped.rejected[3].reason.contains("“c”"))
    }

    // Rule: pages/concurrent-map-keeps-order (10)
    @Test func `the first error is thrown if the closure throws for every element`() async throws {
        let isLastDone = ActionGate<Void>()

        await #expect(throws: UnsupportedOperation("a")) {
            try await Page(["a", "b"]).concurrentMap { text in
                if text == "b" { isLastDone.open() } else { try await isLastDone.hold() }
                throw UnsupportedOperation(text)
            }
        }

        await #expect(throws: UnsupportedOperation("c")) {
            let rejected = RejectedElement(index: 0, member: "id", reason: "?")
            _ = try await Page(["c"], rejected: [rejected]).concurrentMap { text in
                throw UnsupportedOperation(text)
            }
        }
        let empty = try await Page<String>([], next: "2").concurrentMap { $0 }
        #expect(empty == Page([], next: "2"))
    }

    // Rule: pages/concurrent-map-keeps-order (10)
    @Test func `elements that do not exist are rejected, also if they are all elements`()
        async throws
    {
        let missing: [any Error] = [
            ProductError.notFound("pan"), ListError.notFound("1"), NetworkError(.notFound),
        ]

        let page = try await Page(Array(0..<3)).concurrentMap { try Self.fail(missing[$0]) }

        #expect(page.items.isEmpty && page.rejected.map(\.index) == [0, 1, 2])
        let error = await #expect(throws: NetworkError.self) {
            let errors = [missing[0], NetworkError(.unreachable), UnsupportedOperation("a")]
            _ = try await Page(Array(0..<3)).concurrentMap { try Self.fail(errors[$0]) }
        }
        #expect(error?.code == .unreachable)
    }

    private static func fail(_ error: any Error) throws { throw error }

    // Rule: pages/composed-source (9)
    @Test func `in a loader the source of a page is also that of the requests for its elements`()
        async throws
    {
        let stored = FetchSource.cache(asOf: Date(timeIntervalSince1970: 1_000))
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                guard request.url?.lastPathComponent == "price" else {
                    return .json(#"{"items": [{"id": "boots", "name": "Boots"}]}"#)
                }
                var response = NetworkResponse.json(#"{"amount": "1", "currency": "EUR"}"#)
                response.source = stored
                return response
            }
        )
        let loader = ProductLoader(
            load: { id in Product(id: id, name: "") },
            search: { _, _ in
                try await client.send(NetworkRequest<Page<Product>>.get("products"))
                    .concurrentMap { row in
                        let price = NetworkRequest<Price>.get("products", row.id, "price")
                        var product = row
                        product.prices = [try await client.send(price)]
                        return product
                    }
            }
        )

        let page = try await loader.products()

        #expect(page.items.map(\.prices.count) == [1] && page.source == stored)
        #expect(page.items[0].unknownMembers.isDisjoint(with: [.prices]))
    }

    // Rule: pages/concurrent-map-is-limited (11)
    @Test(arguments: [(0, 1), (1, 1), (2, 2), (5, 5), (9, 5)])
    func `the closure runs for a limited number of elements at once`(
        maximum: Int,
        expected: Int
    ) async throws {
        let running = Mutex((now: 0, most: 0))
        let page = Task {
            try await Page(Array(1...5)).concurrentMap(maximumConcurrency: maximum) { number in
                running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                defer { running.withLock { $0.now -= 1 } }
                try await gate.hold()
                return number
            }
        }
        await gate.waitForCalls(expected)
        #expect(running.withLock(\.most) == expected)

        gate.open()

        #expect(try await page.value.items == [1, 2, 3, 4, 5])
        #expect(running.withLock(\.most) == expected)
    }

    // Rule: pages/concurrent-map-is-limited (11)
    @Test func `four elements run at once by default`() async throws {
        let page = Task {
            try await Page(Array(1...9)).concurrentMap { number in
                calls.next()
                try await gate.hold()
                return number
            }
        }
        await gate.waitForCalls(4)

        #expect(calls.count == 4)
        gate.open()
        _ = try await page.value
    }

    // Rule: pages/concurrent-map-is-cancelled (12)
    @Test(arguments: [true, false], [2, 9])
    func `a cancelled task throws, and the closure is called for no further element`(
        keepsError: Bool,
        count: Int
    ) async throws {
        let page = Task {
            try await Page(Array(1...count)).concurrentMap(maximumConcurrency: 2) { number in
                calls.next()
                do {
                    try await gate.hold()
                } catch {
                    throw keepsError ? error : Offline()
                }
                return number
            }
        }
        await gate.waitForCalls(2)

        page.cancel()

        await #expect(throws: CancellationError.self) { try await page.value }
        #expect(calls.count == 2)
    }

    // Rule: pages/concurrent-map-is-cancelled (12); cancellation/cancelled-task-sends-nothing (4)
    @Test(arguments: [[1], []])
    func `a task that is already cancelled calls the closure for no element`(
        numbers: [Int]
    ) async throws {
        let page = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Page(numbers).concurrentMap { number in
                calls.next()
                return number
            }
        }

        await #expect(throws: CancellationError.self) { try await page.value }
        #expect(calls.count == 0)
    }

    // Rule: pages/concurrent-map-is-cancelled (12)
    @Test func `a closure that throws a cancellation ends the others`() async throws {
        await #expect(throws: CancellationError.self) {
            try await Page([1, 2, 3, 4]).concurrentMap(maximumConcurrency: 2) { number in
                calls.next()
                if number == 1 { throw CancellationError() }
                try await gate.hold()
            }
        }

        #expect(calls.count == 2)
    }

    // Rule: pages/concurrent-map-is-cancelled (12)
    @Test func `a cancelled task whose elements succeed nevertheless starts no further one`()
        async throws
    {
        let page = Task {
            try await Page(Array(1...9)).concurrentMap(maximumConcurrency: 2) { _ in
                calls.next()
                try? await gate.hold()
            }
        }
        await gate.waitForCalls(2)

        page.cancel()

        await #expect(throws: CancellationError.self) { try await page.value }
        #expect(calls.count == 2)
    }

    // Rule: pages/concurrent-map-is-cancelled (12); cancellation/final-outcome-stays (3)
    @Test func `results that arrive although the task was cancelled are returned`() async throws {
        let page = Task {
            try await Page([1, 2]).concurrentMap { number in
                try? await gate.hold()
                return number
            }
        }
        await gate.waitForCalls(2)

        page.cancel()

        #expect(try await page.value.items == [1, 2])
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test func `the end of the session is thrown instead of a rejected element`() async throws {
        await #expect(throws: TokenError.sessionEnded) {
            try await Page(["a", "b"]).concurrentMap { text in
                guard text == "a" else { throw TokenError.sessionEnded }
                return text
            }
        }
    }
}
