import Foundation
import ProductKit
import Testing

/// Pages of favorites that are stored as the products of a list.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FavoritePagesTests {
    private let shop = Shop.withThreeProducts

    // Rule: favorites/products-of-the-list (1)
    @Test(arguments: [true, false])
    func `favorites are loaded page by page, newest first`(findsByID: Bool) async throws {
        let loader =
            findsByID
            ? shop.loader
            : ProductLoader(
                load: { id in Product(id: id, name: "Product") },
                search: { _, _ in throw UnsupportedOperation("search by ids") }
            )
            .storingFavorites(in: shop.manager)
        let ids = (0..<45).map { Product.ID("\($0)") }
        shop.setFavorites(ids)

        let first = try await loader.favorites()
        let second = try await loader.favorites(after: first.next)
        shop.setFavorites(ids.dropLast(22) + ["new"])
        let third = try await loader.favorites(after: second.next)
        let removed = ids.filter { $0 != second.items.last?.id }
        shop.setFavorites(removed)
        let again = try await loader.favorites(after: second.next)

        #expect(first.items.map(\.id) == ids.reversed().prefix(20).map(\.self))
        #expect(first.items.allSatisfy(\.isFavorite) && first.total == 45)
        #expect(second.items.map(\.id) == ids.reversed()[20..<40].map(\.self))
        #expect(third.items.map(\.id) == ids.prefix(5).reversed() && third.next == nil)
        #expect(again.items.map(\.id) == ids.prefix(5).reversed() && again.next == nil)
    }

    // Rule: cancellation/not-treated-as-failure (2)
    @Test func `a task that is cancelled while stored favorites are read throws`() async throws {
        shop.setFavorites(["pan", "pot", "cup"])
        let loader = ProductLoader(
            fetch: { id, _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return Fetched(Product(id: id, name: "Pan"), source: .cache(asOf: .distantPast))
            },
            search: { _, _ in throw NetworkError(.unreachable) }
        )
        .storingFavorites(in: shop.manager)

        let page = Task { try await loader.favorites() }

        await #expect(throws: CancellationError.self) { try await page.value }
    }

    // Rule: favorites/pages-continue-after-removals (9)
    @Test func `no favorite is skipped if earlier ones are removed between two pages`()
        async throws
    {
        let ids = (0..<60).map { Product.ID("\($0)") }
        shop.setFavorites(ids)
        let first = try await shop.loader.favorites()
        let second = try await shop.loader.favorites(after: first.next)

        let removed = Set(first.items.map(\.id) + second.items.dropFirst().map(\.id))
        let rest = ids.filter { !removed.contains($0) }
        shop.setFavorites(rest)
        let third = try await shop.loader.favorites(after: second.next)

        #expect(third.items.map(\.id) == ids.prefix(20).reversed())
        shop.setFavorites(Array(ids.prefix(20)))
        let others = try await shop.loader.favorites(after: second.next)
        #expect(others.items.map(\.id) == ids.prefix(20).reversed())
    }

    // Rule: favorites/pages-continue-after-removals (9)
    @Test(arguments: [true, false])
    func `no favorite is repeated if one is removed and added again between two pages`(
        keepsFollowing: Bool
    ) async throws {
        let ids = (0..<45).map { Product.ID("\($0)") }
        shop.setFavorites(ids)
        let first = try await shop.loader.favorites()

        let last = try #require(first.items.last?.id)
        let rest = ids.filter { $0 != last && (keepsFollowing || $0 != "24") }
        shop.setFavorites(rest + [last])
        let second = try await shop.loader.favorites(after: first.next)

        #expect(second.items.first?.id == (keepsFollowing ? "24" : "23"))
    }

    // Rule: favorites/pages-continue-after-removals (9)
    @Test(arguments: ["", "2", "20 ", "20:pan", "-9 pan", "0 pan", #"{"start": 20}"#])
    func `a cursor that is not from a page of favorites is an error`(cursor: String) async throws {
        shop.setFavorites(["pan"])

        await expectNetworkError(.invalidRequest) {
            try await shop.loader.favorites(after: PageCursor(rawValue: cursor))
        }
    }

    // Rule: favorites/pages-continue-after-removals (9)
    @Test(arguments: [" ", "\u{301}"])
    func `any identifier is in a cursor, and no page follows the end`(prefix: String) async throws {
        let ids = (0..<21).map { Product.ID("\(prefix)\($0) a") }
        shop.setFavorites(ids)
        let next = try await shop.loader.favorites().next
        let second = try await shop.loader.favorites(after: next)
        shop.setFavorites(["pan"])
        let afterEnd = try await shop.loader.favorites(after: next)

        #expect(second.items.map(\.id) == [ids[0]] && second.next == nil)
        #expect(afterEnd.items.isEmpty && afterEnd.next == nil)
    }

    // Rule: favorites/products-of-the-list (1)
    @Test(arguments: [true, false])
    func
        `a favorite that cannot be decoded is reported once, and one that does not exist is left out`(
            findsByID: Bool
        ) async throws
    {
        let loader = ProductLoader(
            load: { id in
                if id == "broken" { throw NetworkError(.unreadable) }
                if id == "gone" { throw ProductError.notFound(id) }
                return Product(id: id, name: "Product")
            },
            search: { query, _ in
                guard findsByID else { throw UnsupportedOperation("search by ids") }
                let broken = RejectedElement(index: 0, member: "name", reason: "It is missing.")
                return Page([Product(id: "pan", name: "Product")], rejected: [broken])
            }
        )
        .storingFavorites(in: shop.manager)
        shop.setFavorites(["gone", "broken", "pan"])

        let page = try await loader.favorites()

        #expect(page.items.map(\.id) == ["pan"] && page.rejected.map(\.index) == [1])
        #expect(page.total == nil)
        shop.setFavorites(["gone", "broken"])
        await expectNetworkError(.unreadable) { try await loader.favorites() }
    }
}
