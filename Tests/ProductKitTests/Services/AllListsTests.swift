import Foundation
import ProductKit
import Synchronization
import Testing

/// The pages of a user's lists, one at a time with `pages()` and all at once with `allLists()`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AllListsTests {
    /// The cursors of the loads so far; empty for a first page.
    private let loads = Lines()

    @Test func `one page of lists is loaded per step`() async throws {
        let manager = manager([Page([.wishlist], next: "2"), Page([.summer])])

        for try await page in manager.pages() {
            #expect(page.items == [.wishlist])
            break
        }

        #expect(loads.all == [""])
    }

    @Test func `all lists are the lists of all pages without duplicates`() async throws {
        let manager = manager([
            Page([.wishlist], next: "2", total: 2), Page([], next: "3"),
            Page([.wishlist, .summer], next: "2"),
        ])

        #expect(try await manager.allLists() == Page([.wishlist, .summer], total: 2))
    }

    // Rule: json/page-members-are-lenient (20)
    @Test func `the invalid members of all pages are reported`() async throws {
        let manager = manager([
            try .decoded(
                from: #"{"items": [{"id": 1, "name": "A"}], "total": {"n": 1}, "next": "2"}"#
            ),
            try .decoded(from: #"{"items": [{"id": 2, "name": "B"}], "total": {"n": 1}}"#),
        ])

        let all = try await manager.allLists()

        #expect(all.invalidMembers.map(\.path) == ["total", "total"])
        #expect(all.items.map(\.name) == ["A", "B"])
    }

    // Rule: pages/moved-pages-are-loaded-again (13)
    @Test(arguments: ["", "Favorites", "B"])
    func `a list that was missed because another one was deleted is found`(
        hidden: String
    ) async throws {
        let all = Mutex(
            ["1", "2", "3", "4"].map { ProductList(id: $0, name: $0 == "2" ? "B" : "A") }
        )
        let manager = manager { cursor in
            all.withLock { all in
                let offset = cursor.flatMap { Int($0.rawValue) } ?? 0
                let page = Page(
                    Array(all.dropFirst(offset).prefix(2)),
                    next: offset + 2 < all.count ? PageCursor(rawValue: "\(offset + 2)") : nil,
                    total: all.count
                )
                if all.count == 4 { all.removeFirst() }
                return page
            }
        }

        let visible = hidden.isEmpty ? manager : manager.hidingLists(named: hidden)
        let lists = try await visible.allLists()

        #expect(lists.items.map(\.id) == (hidden == "B" ? ["3", "4"] : ["2", "3", "4"]))
        #expect(lists.total == (hidden.isEmpty ? 3 : nil))
        #expect(loads.all == ["", "2", "", "2"])
    }

    // Rule: pages/moved-pages-are-loaded-again (13)
    @Test(
        arguments: [
            ([2, 2], 2), ([3, 3], 4), ([3, nil], 4), ([2, 3], 4), ([nil, nil], 2), ([1, 1], 2),
        ] as [([Int?], Int)]
    )
    func `pages that do not fit together are loaded twice, and no more`(
        totals: [Int?],
        expected: Int
    ) async throws {
        let manager = manager([
            Page([.wishlist], next: "2", total: totals[0]), Page([.summer], total: totals[1]),
        ])

        #expect(try await manager.allLists().items == [.wishlist, .summer])
        #expect(loads.all.count == expected)
    }

    // Rule: pages/moved-pages-are-loaded-again (13)
    @Test(arguments: [NetworkError(.notFound), ListError.notFound("w")] as [any Error])
    func `if a later page does not exist anymore, all pages are loaded again`(
        failure: any Error
    ) async throws {
        let manager = manager { [loads] cursor in
            guard cursor == nil else { throw failure }
            return Page([.wishlist], next: loads.all.count == 1 ? "2" : nil)
        }

        #expect(try await manager.allLists().items == [.wishlist])
        #expect(loads.all == ["", "2", ""])
    }

    // Rule: pages/moved-pages-are-loaded-again (13)
    @Test func `a later page that never exists is not an error about a missing list`() async {
        let manager = manager { cursor in
            guard cursor == nil else { throw NetworkError(.notFound) }
            return Page([.wishlist], next: "2")
        }

        let error = await expectNetworkError(.unavailable) { try await manager.allLists() }

        #expect(error?.underlying is NetworkError)
        #expect(loads.all == ["", "2", "", "2"])
    }

    // Rule: pages/moved-pages-are-loaded-again (13)
    @Test func `a first page that does not exist is loaded once`() async {
        let manager = manager { _ in throw NetworkError(.notFound) }

        await expectNetworkError(.notFound) { try await manager.allLists() }
        #expect(loads.all == [""])
    }

    // Rule: pages/moved-pages-are-loaded-again (13)
    @Test func `a single page is loaded once, whatever its total is`() async throws {
        let manager = manager([Page([.wishlist], total: 7)])

        #expect(try await manager.allLists().total == 7)
        #expect(loads.all.count == 1)
    }

    // Rule: cache/worst-source-of-all-responses (71); cache/fetched-has-source (61)
    @Test(
        arguments: [
            (.cache(asOf: late), .staleIfError(asOf: early, failure: Offline()), staleSinceEarly),
            (.cache(asOf: late), .network, .cache(asOf: late)),
            (.network, .cache(asOf: late), .cache(asOf: late)),
        ] as [(FetchSource, FetchSource, FetchSource)]
    )
    func `the lists of all pages have the worst source and the oldest date`(
        first: FetchSource,
        second: FetchSource,
        expected: FetchSource
    ) async throws {
        var pages = [Page([ProductList.wishlist], next: "2"), Page([ProductList.summer])]
        (pages[0].source, pages[1].source) = (first, second)

        #expect(try await manager(pages).allLists().source == expected)
    }

    private static let early = Date(timeIntervalSince1970: 1_000)
    private static let late = Date(timeIntervalSince1970: 2_000)
    private static let staleSinceEarly = FetchSource.staleIfError(asOf: early, failure: Offline())

    @Test func `the index of a rejected list counts from the first page`() async throws {
        let broken = RejectedElement(index: 1, member: "name", reason: "It is missing.")
        let manager = manager([
            Page([.wishlist], next: "2", rejected: [broken]), Page([.summer], rejected: [broken]),
        ])

        let all = try await manager.allLists()

        #expect(all.rejected.map(\.index) == [1, 3])
        #expect(all.rejected.allSatisfy { $0.member == "name" && $0.reason == "It is missing." })
    }

    @Test func `more than ten pages without a new list throw an error`() async {
        let manager = manager { [loads] _ in
            if loads.all.count > 20 { throw Offline() }
            return Page([.wishlist], next: "\(loads.all.count)")
        }

        await expectNetworkError(.unreadable) { try await manager.allLists() }
        #expect(loads.all.count == 12)
    }

    // Rule: pages/endless-pages-end (14)
    @Test func `pages without an end throw an error`() async {
        let manager = manager { [loads] _ in
            let number = loads.all.count
            if number > 10_002 { throw Offline() }
            return Page([ProductList(id: .init("\(number)"), name: "A")], next: "\(number)")
        }

        await expectNetworkError(.unreadable) { try await manager.allLists() }
        #expect(loads.all.count == 10_001)
    }

    // Rule: pages/moved-pages-are-loaded-again (13)
    @Test func `all pages of a request are loaded, a second time if an element is missing`()
        async throws
    {
        let received = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                received.add(request.url?.query() ?? "")
                let isSecond = request.url?.query()?.contains("page=2") == true
                let hasMoved = received.all.count == 2
                let ids = isSecond ? [hasMoved ? 4 : 3] : [1, 2]
                let items = ids.map { #"{"id": \#($0), "name": "Camp", "products": []}"# }
                return .json(
                    "[\(items.joined(separator: ","))]",
                    headers: ["Pages": "2", "Total": "4", "Cache-Control": "max-age=60"]
                )
            },
            behaviors: [CachingBehavior(partition: { "anna" })]
        )
        let format = PageFormat(
            pageNumber: "page",
            pageCount: .header("Pages"),
            total: .header("Total")
        )

        let lists = try await client.allPages { cursor in
            NetworkRequest<Page<ProductList>>.get("lists", query: ["q": "a"])
                .page(format, following: cursor)
        }

        #expect(lists.items.map(\.id) == ["1", "2", "3"] && lists.next == nil)
        #expect(received.all == ["q=a", "q=a&page=2", "q=a", "q=a&page=2"])
    }

    /// Creates a manager that returns the first page, and then the ones with the cursors 2 and 3.
    private func manager(_ pages: [Page<ProductList>]) -> ListManager {
        manager { cursor in pages[cursor.flatMap { Int($0.rawValue) }.map { $0 - 1 } ?? 0] }
    }

    private func manager(
        page: @escaping @Sendable (PageCursor?) async throws -> Page<ProductList>
    ) -> ListManager {
        .only(lists: { [loads] cursor in
            loads.add(cursor?.rawValue ?? "")
            return try await page(cursor)
        })
    }
}
