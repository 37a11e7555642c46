import Foundation
import ProductKit
import Synchronization
import Testing

/// The pages of a user's lists, one at a time with `pages()` and all at once with `allLists()`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AllListsTests {
    @Test func `one page of lists is loaded per step`() async throws {
        let cursors = Mutex<[PageCursor?]>([])
        let manager = manager { cursor in
            cursors.withLock { $0.append(cursor) }
            return Page([.wishlist], next: "2")
        }

        for try await page in manager.pages() {
            #expect(page.items == [.wishlist])
            break
        }

        #expect(cursors.withLock { $0 } == [nil])
    }

    @Test func `all lists are the lists of all pages without duplicates`() async throws {
        let manager = manager { cursor in
            switch cursor {
            case nil: Page([.wishlist], next: "2", total: 2)
            case "2": Page([], next: "3")
            default: Page([.wishlist, .summer], next: "2")
            }
        }

        let all = try await manager.allLists()

        #expect(all == Page([.wishlist, .summer], total: 2))
    }

    // Rule: json/page-members-are-lenient (20)
    @Test func `the invalid members of all pages are reported`() async throws {
        let manager = manager { cursor in
            let (id, next) = cursor == nil ? (1, #""2""#) : (2, "null")
            let list = #"{"id": \#(id), "name": "A"}"#
            return try Page.decoded(
                from: #"{"items": [\#(list)], "total": {"n": 1}, "next": \#(next)}"#
            )
        }

        let all = try await manager.allLists()

        #expect(all.items.count == 2 && all.invalidMembers.map(\.path) == ["total", "total"])
    }

    // Rule: pages/moved-pages-are-loaded-again (13)
    @Test func `a list that was missed because another one was deleted is found`() async throws {
        let all = Mutex(["1", "2", "3", "4"].map { ProductList(id: $0, name: "A") })
        let cursors = Mutex<[PageCursor?]>([])
        let manager = manager { cursor in
            cursors.withLock { $0.append(cursor) }
            return all.withLock { all in
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

        let lists = try await manager.allLists()

        #expect(lists.items.map(\.id) == ["2", "3", "4"] && lists.total == 3)
        #expect(cursors.withLock { $0 } == [nil, "2", nil, "2"])
    }

    // Rule: pages/moved-pages-are-loaded-again (13)
    @Test(
        arguments: [
            ([2, 2], 2), ([3, 3], 4), ([3, nil], 4), ([2, 3], 4), ([nil, nil], 2), ([1, 1], 2),
        ] as [([Int?], Int)]
    )
    func `pages that do not fit together are loaded twice, and no more`(
        totals: [Int?],
        loads: Int
    ) async throws {
        let cursors = Mutex<[PageCursor?]>([])
        let manager = manager { cursor in
            cursors.withLock { $0.append(cursor) }
            return cursor == nil
                ? Page([.wishlist], next: "2", total: totals[0]) : Page([.summer], total: totals[1])
        }

        #expect(try await manager.allLists().items == [.wishlist, .summer])
        #expect(cursors.withLock { $0.count } == loads)
    }

    // Rule: pages/moved-pages-are-loaded-again (13)
    @Test func `a single page is loaded once, whatever its total is`() async throws {
        let loads = Counter()
        let manager = manager { _ in
            loads.next()
            return Page([.wishlist], total: 7)
        }

        #expect(try await manager.allLists().total == 7)
        #expect(loads.count == 1)
    }

    // Rule: cache/worst-source-of-all-responses (71)
    @Test func `the lists of all pages have the worst source and the oldest date`() async throws {
        let (early, late) = (Date(timeIntervalSince1970: 1_000), Date(timeIntervalSince1970: 2_000))
        let manager = manager { cursor in
            var page = Page([ProductList.wishlist], next: cursor == nil ? "2" : nil)
            page.source =
                cursor == nil
                ? .cache(asOf: late)
                : .staleIfError(asOf: early, failure: NetworkError(.unreachable))
            return page
        }

        let source = try await manager.allLists().source

        #expect(source.code == .staleIfError && source.asOf == early)
    }

    // Rule: cache/fetched-has-source (61)
    @Test(arguments: [nil, "2"] as [PageCursor?])
    func `the source of all lists is the server only if all pages came from it`(
        cachedPage: PageCursor?
    ) async throws {
        let manager = manager { cursor in
            var page = Page<ProductList>([], next: cursor == nil ? "2" : nil)
            if cursor == cachedPage { page.source = .cache(asOf: .distantPast) }
            return page
        }

        #expect(try await manager.allLists().source == .cache(asOf: .distantPast))
    }

    @Test func `the index of a rejected list counts from the first page`() async throws {
        let manager = manager { cursor in
            let broken = RejectedElement(index: 1, member: "name", reason: "It is missing.")
            return cursor == nil
                ? Page([.wishlist], next: "2", rejected: [broken])
                : Page([.summer], rejected: [broken])
        }

        let all = try await manager.allLists()

        #expect(all.rejected.map(\.index) == [1, 3])
        #expect(all.rejected.allSatisfy { $0.member == "name" && $0.reason == "It is missing." })
    }

    @Test func `more than ten pages without a new list throw an error`() async {
        let requests = Counter()
        let manager = manager { _ in
            let number = requests.next()
            if number > 20 { throw Offline() }
            return Page([.wishlist], next: "\(number)")
        }

        let error = await #expect(throws: NetworkError.self) {
            _ = try await manager.allLists()
        }
        #expect(error?.code == .unreadable && requests.count == 12)
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

    @Test func `the error of a page is thrown`() async {
        let manager = manager { cursor in
            guard cursor == nil else { throw Offline() }
            return Page([.wishlist], next: "2")
        }

        await #expect(throws: Offline()) { _ = try await manager.allLists() }
    }

    private func manager(
        page: @escaping @Sendable (PageCursor?) async throws -> Page<ProductList>
    ) -> ListManager {
        ListManager(addProduct: { _, _ in }, lists: page)
    }
}
