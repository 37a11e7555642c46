import Dispatch
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct PageSequenceTests {
    // Rule: pages/one-request-per-step (1)
    @Test func `nothing is loaded before the loop, and then one page per step`() async throws {
        let requests = Lines()
        let loader = ProductLoader.only(search: { query, cursor in
            requests.add(query.at(cursor))
            return Page([.a], next: "2")
        })

        let sequence = loader.pages(matching: "boots")
        var pages = sequence.makeAsyncIterator()
        #expect(requests.all == [])
        _ = try await pages.next()
        #expect(requests.all == ["boots:first"])
        _ = try await pages.next()
        #expect(requests.all == ["boots:first", "boots:2"])
    }

    // Rule: pages/every-loop-starts-over (2)
    @Test func `each loop starts with the first page`() async throws {
        let pages = loader(["": Page([.a], next: "2"), "2": Page([.b])]).pages()

        for _ in 1...2 {
            #expect(try await pages.map(\.items).all() == [[.a], [.b]])
        }
    }

    // Rule: pages/empty-page-is-returned (3)
    @Test func `an empty page with a next page is returned, and a page has its rejected elements`()
        async throws
    {
        let rejected = RejectedElement(index: 1, member: "name", reason: "It is missing.")
        let (first, second) = (
            Page<Product>([], next: "2"), Page([Product.a], total: 2, rejected: [rejected])
        )

        #expect(try await loader(["": first, "2": second]).pages().all() == [first, second])
    }

    // Rule: pages/repeated-cursor-ends-loop (4)
    @Test(
        arguments: [
            ["": Page([.a], next: "2"), "2": Page([.b], next: "3"), "3": Page([], next: "2")],
            ["": Page([.a], next: "2"), "2": Page([.b], next: "2")],
        ] as [[String: Page<Product>]]
    )
    func `a repeated cursor ends the pages at one without new products`(
        pages: [String: Page<Product>]
    ) async throws {
        #expect(try await loader(pages).pages().map(\.items).all() == [[.a], [.b], []])
    }

    // Rule: pages/repeated-cursor-ends-loop (4)
    @Test func `a cursor that stays the same on every page leads to all pages`() async throws {
        let products = Mutex<[Product]>([.a, .b, .c])
        let loader = loader { _ in
            products.withLock { $0.isEmpty ? Page([]) : Page([$0.removeFirst()], next: "s") }
        }

        #expect(try await loader.pages().map(\.items).all() == [[.a], [.b], [.c], []])
    }

    // Rule: pages/products-occur-once (5)
    @Test func `products of earlier pages are left out`() async throws {
        let loader = loader([
            "": Page([.a, .b], next: "2"), "2": Page([.b, .a], next: "3"),
            "3": Page([Product(id: "a", name: "New"), .c]),
        ])

        #expect(try await loader.pages().map(\.items).all() == [[.a, .b], [], [.c]])
    }

    // Rule: pages/products-occur-once (5)
    @Test func `a duplicate on a page has its first position and its last value`() async throws {
        let newest = Product(id: "a", name: "Newest")
        let newer = Product(id: "a", name: "Newer")
        let loader = loader(["": Page([.a, .b, newer, .c, newest])])

        #expect(try await loader.pages().map(\.items).all() == [[newest, .b, .c]])
    }

    // Rule: pages/failure-ends-loop (6)
    @Test @MainActor func `a failure is thrown once and ends the sequence`() async throws {
        let requests = Counter()
        let loader = loader { _ in
            guard requests.next() == 1 else { throw UnsupportedOperation("page 2") }
            return Page([.a], next: "2")
        }
        var pages = loader.pages().makeAsyncIterator()

        let first = try await pages.next(isolation: #isolation)
        #expect(first?.items == [.a])
        await #expect(throws: UnsupportedOperation("page 2")) {
            try await pages.next(isolation: #isolation)
        }
        for _ in 1...2 {
            let page = try await pages.next(isolation: #isolation)
            #expect(page == nil)
        }
        #expect(requests.count == 2)
    }

    // Rule: pages/cancellation-ends-loop (7)
    @Test func `a cancelled task loads nothing more`() async throws {
        let requests = Counter()
        let loader = loader { _ in Page([.a], next: "\(requests.next())") }
        let task = Task { () async throws in
            var pages = loader.pages().makeAsyncIterator()
            _ = try await pages.next()
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await pages.next() }
            let afterCancellation = try await pages.next()
            #expect(afterCancellation == nil)
        }

        try await task.value
        #expect(requests.count == 1)
    }

    // Rule: pages/cancellation-ends-loop (7)
    @Test func `any error of a page that is cancelled in flight is a CancellationError`() async {
        let loader = loader { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            throw Offline()
        }
        let task = Task { try await loader.pages().all() }

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    // Rule: pages/body-stays-on-its-actor (8)
    @Test @MainActor func `the loop body stays on its actor and loads run off it`() async throws {
        let loader = loader { cursor in
            dispatchPrecondition(condition: .notOnQueue(.main))
            return Page([.a], next: cursor == nil ? "2" : nil)
        }
        var bodies = 0

        for try await _ in loader.pages() {
            MainActor.assertIsolated()
            bodies += 1
        }

        #expect(bodies == 2)
    }

    private func loader(_ pages: [String: Page<Product>]) -> ProductLoader {
        loader { cursor in
            guard let page = pages[cursor?.rawValue ?? ""] else {
                throw UnsupportedOperation(cursor?.rawValue ?? "")
            }
            return page
        }
    }

    private func loader(
        page: @escaping @Sendable (PageCursor?) async throws -> Page<Product>
    ) -> ProductLoader {
        .only(search: { _, cursor in try await page(cursor) })
    }
}

extension Product {
    fileprivate static let a = Product(id: "a", name: "A")
    fileprivate static let b = Product(id: "b", name: "B")
    fileprivate static let c = Product(id: "c", name: "C")
}
