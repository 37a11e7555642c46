import Foundation
import ProductKit
import Testing

/// Pagination over repeated products, empty pages, repeated cursors and rejected elements.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CatalogPaginationTests {
    // Rule: catalog/duplicates-keep-place (25)
    @Test
    func `a product twice on one page keeps its first position and gets its newest value`()
        async throws
    {
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                Page([
                    .boots(named: "Old"), Product(id: "hat", name: "Hat"),
                    .boots(named: "New", isFavorite: true),
                ])
            })
        )

        try await viewModel.search("")

        #expect(viewModel.ids == ["walking-boots", "hat"])
        #expect(viewModel.rows[0].title == "New" && viewModel.rows[0].isFavorite)
    }

    // Rule: catalog/duplicates-keep-place (25)
    @Test func `a known product on a later page keeps its position and gets its newest value`()
        async throws
    {
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                guard cursor != nil else {
                    return Page(
                        [.boots(named: "Old"), Product(id: "hat", name: "Hat")],
                        next: "2"
                    )
                }
                return Page([Product(id: "pan", name: "Pan"), .boots(named: "New")])
            })
        )
        try await viewModel.search("")

        try await viewModel.loadNextPage()

        #expect(viewModel.rows.map(\.title) == ["New", "Hat", "Pan"])
    }

    // Rule: catalog/repeated-cursor-ends-catalog (26)
    @Test(arguments: ["2", "3"])
    func `a repeated cursor ends the catalog at a page without new products`(
        last: PageCursor
    )
        async throws
    {
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                return switch cursor {
                case nil: .of("boots", next: "2")
                case "2": .of("hat", next: "3")
                default: .of("pan", next: last)
                }
            })
        )
        try await viewModel.search("")
        for _ in 1...4 { try await viewModel.loadNextPage() }

        #expect(requests == [":first", ":2", ":3", ":\(last.rawValue)"])
        #expect(!viewModel.hasNextPage && viewModel.ids == ["boots", "hat", "pan"])
    }

    // Rule: catalog/repeated-cursor-ends-catalog (26)
    @Test func `a cursor that stays the same on every page leads to all pages`() async throws {
        var products: [Product.ID] = ["boots", "hat", "pan", "rope", "tent"]
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                products.isEmpty ? .of() : .of(products.removeFirst(), next: "s")
            })
        )
        try await viewModel.search("")
        while viewModel.hasNextPage { try await viewModel.loadNextPage() }

        #expect(viewModel.ids == ["boots", "hat", "pan", "rope", "tent"])
    }

    // Rule: catalog/known-pages-are-skipped (27)
    @Test func `pages without new products are skipped`() async throws {
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                return switch cursor {
                case nil: .of("boots", next: "2")
                case "2": .of(next: "3")
                case "3": Page([Product(id: "boots", name: "New")], next: "4")
                default: .of("hat", next: "5")
                }
            })
        )
        try await viewModel.search("")

        try await viewModel.loadNextPage()

        #expect(requests == [":first", ":2", ":3", ":4"])
        #expect(viewModel.rows.map(\.title) == ["New", "hat"] && viewModel.hasNextPage)
    }

    // Rule: catalog/known-pages-are-skipped (27)
    @Test func `an empty last page ends the catalog`() async throws {
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                switch cursor {
                case nil: .of("boots", next: "2")
                case "2": .of(next: "3")
                default: .of()
                }
            })
        )
        try await viewModel.search("")

        try await viewModel.loadNextPage()

        #expect(viewModel.ids == ["boots"] && !viewModel.hasNextPage)
    }

    // Rule: catalog/known-pages-are-skipped (27)
    @Test func `when the page after an empty page fails, the next call requests it again`()
        async throws
    {
        var requests: [String] = []
        var isOffline = true
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                switch cursor {
                case nil: return .of("boots", next: "2")
                case "2": return .of(next: "3")
                default:
                    if isOffline { throw Offline() }
                    return .of("hat")
                }
            })
        )
        try await viewModel.search("")
        await #expect(throws: Offline()) { try await viewModel.loadNextPage() }
        isOffline = false

        try await viewModel.loadNextPage()

        #expect(requests == [":first", ":2", ":3", ":3"] && viewModel.ids == ["boots", "hat"])
    }

    // Rule: catalog/known-pages-are-skipped (27)
    @Test func `a search also skips empty pages, because an empty screen cannot be scrolled`()
        async throws
    {
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                return cursor == "3" ? .of("hat", next: "4") : .of(next: cursor == nil ? "2" : "3")
            })
        )

        try await viewModel.search("hats")

        #expect(requests == ["hats:first", "hats:2", "hats:3"])
        #expect(viewModel.ids == ["hat"] && viewModel.hasNextPage)
    }

    // Rule: catalog/ten-empty-pages (28)
    @Test func `a call returns after ten pages without a new product`() async throws {
        var number = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                number += 1
                return number == 1 ? .of("boots", next: "2") : .of(next: "\(number + 1)")
            })
        )
        try await viewModel.search("")

        try await viewModel.loadNextPage()
        #expect(number == 11 && viewModel.hasNextPage && viewModel.ids == ["boots"])
        try await viewModel.loadNextPage()
        #expect(number == 21 && viewModel.hasNextPage && viewModel.lastError == nil)
    }

    // Rule: catalog/ten-empty-pages (28)
    @Test func `a search returns after ten empty pages`() async throws {
        var number = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                number += 1
                return .of(next: "\(number + 1)")
            })
        )

        try await viewModel.search("unicorns")

        #expect(number == 10 && viewModel.hasNextPage && viewModel.rows.isEmpty)
        #expect(viewModel.phase == .loaded)
    }

    // Rule: catalog/near-end-requests-page (29)
    @Test(arguments: [(nil, 6), (1, 2), (3, 4), (0, 1), (-1, 1), (99, 11)] as [(Int?, Int)])
    func `only a row near the end requests the next page`(count: Int?, calls: Int) async throws {
        var requests = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                requests += 1
                if cursor != nil { throw Offline() }
                return .of("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", next: "2")
            })
        )
        try await viewModel.search("")

        for row in viewModel.rows {
            if let count {
                try? await viewModel.loadNextPage(ifNearEnd: row, within: count)
            } else {
                try? await viewModel.loadNextPage(ifNearEnd: row)
            }
        }

        #expect(requests == calls)
    }

    // Rule: catalog/near-end-requests-page (29)
    @Test func `a row that is no longer shown requests nothing`() async throws {
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                return .of(query == "" ? "boots" : "hat", next: "2")
            })
        )
        try await viewModel.search("")
        let row = try #require(viewModel.rows.last)
        try await viewModel.search("hats")

        try await viewModel.loadNextPage(ifNearEnd: row)

        #expect(requests == [":first", "hats:first"])
    }

    // Rule: catalog/rejected-elements-are-reported (30)
    @Test func `rejected elements are listed beside the rows and cause no failure`() async throws {
        let rejected = ["name", "prices[1].amount", "id"].map {
            RejectedElement(index: 1, member: $0, reason: "It is missing.")
        }
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                let boots = Product(id: "boots", name: "Boots")
                if query == "hats" { return .of("hat") }
                guard cursor != nil else {
                    return Page([boots], next: "2", rejected: [rejected[0]])
                }
                return Page(
                    [Product(id: "pan", name: "Pan")],
                    rejected: [rejected[1], rejected[2]]
                )
            })
        )

        try await viewModel.search("")
        #expect(viewModel.rejected == [rejected[0]] && viewModel.ids == ["boots"])
        try await viewModel.loadNextPage()
        #expect(viewModel.rejected == rejected && viewModel.ids == ["boots", "pan"])
        #expect(viewModel.lastError == nil && viewModel.phase == .loaded)

        try await viewModel.search("hats")
        #expect(viewModel.rejected.isEmpty)
    }

    // Rule: catalog/repeated-cursor-ends-catalog (26); catalog/refresh-requests-ten-pages (58)
    @Test func `after a refresh of ten pages the cursors of further pages end the catalog, too`()
        async throws
    {
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                let number = cursor.flatMap { Int($0.rawValue) } ?? 1
                return .of(
                    Product.ID("\(number)"),
                    next: number == 13 ? "12" : PageCursor("\(number + 1)")
                )
            })
        )
        try await viewModel.search("")
        for _ in 2...12 { try await viewModel.loadNextPage() }
        try await viewModel.refresh()
        #expect(viewModel.hasNextPage)

        try await viewModel.loadNextPage()
        #expect(viewModel.ids.last == "13" && viewModel.hasNextPage)
        try await viewModel.loadNextPage()

        #expect(viewModel.ids.last == "13" && !viewModel.hasNextPage)
    }

    // Rule: cache/screen-has-source (64)
    @Test(arguments: [1, 2])
    func `the source is the server only if all pages came from it`(cachedPage: Int) async throws {
        let cached = FetchSource.cache(asOf: .distantPast)
        var number = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                number += 1
                var page = Page.of(Product.ID("\(number)"), next: "\(number + 1)")
                if number == cachedPage { page.source = cached }
                return page
            })
        )

        try await viewModel.search("")
        #expect(viewModel.source == (cachedPage == 1 ? cached : .network))
        for _ in 1...2 { try await viewModel.loadNextPage() }
        #expect(viewModel.source == cached)
    }

    // Rule: cache/screen-has-source (64); catalog/refresh-requests-ten-pages (58)
    @Test func `a refresh from a cache has that source although the further pages stay`()
        async throws
    {
        var source = FetchSource.network
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                let number = cursor.flatMap { Int($0.rawValue) } ?? 1
                var page = Page.of(Product.ID("\(number)"), next: "\(number + 1)")
                page.source = source
                return page
            })
        )
        try await viewModel.search("")
        for _ in 2...12 { try await viewModel.loadNextPage() }
        #expect(viewModel.source == .network)
        source = .cache(asOf: .distantPast)

        try await viewModel.refresh()

        #expect(viewModel.rows.count == 12 && viewModel.source == source)
    }
}
