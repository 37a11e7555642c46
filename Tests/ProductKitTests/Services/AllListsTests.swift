import ProductKit
import Synchronization
import Testing

/// The pages of a user's lists, one by one and all together.
@Suite(.timeLimit(.minutes(5))) struct AllListsTests {
    @Test func `pages of lists are asked for one a step`() async throws {
        let asked = Mutex<[PageCursor?]>([])
        let manager = manager { cursor in
            asked.withLock { $0.append(cursor) }
            return Page([.wishlist], next: "2")
        }

        for try await page in manager.pages() {
            #expect(page.items == [.wishlist])
            break
        }

        #expect(asked.withLock { $0 } == [nil])
    }

    @Test func `all lists are those of every page, each once`() async throws {
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

    @Test func `what could not be read is counted from the first page`() async throws {
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

    @Test func `pages without end that hold nothing are an error`() async {
        let asked = Counter()
        let manager = manager { _ in Page([.wishlist], next: "\(asked.next())") }

        let error = await #expect(throws: NetworkError.self) {
            _ = try await manager.allLists()
        }
        #expect(error?.code == .unreadable && asked.count == 12)
    }

    @Test func `a page that fails is thrown`() async {
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
