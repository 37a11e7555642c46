import Foundation
import ProductKit
import Testing

/// Pagination over repeated products, empty pages, repeated cursors and rejected elements.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CatalogPaginationTests {
    // Rule: catalog/duplicates-keep-place (25)
    @Test func `a repeated product keeps its first position and gets its newest value`()
        async throws
    {
        let hat = Product(id: "hat", name: "Hat")
        let pan = Product(id: "pan", name: "Pan")
        let server = PageServer([
            ":first": Page(
                [.boots(named: "Old"), hat, .boots(named: "New", isFavorite: true)],
                next: "2"
            ),
            ":2": Page([pan, .boots(named: "Newest")]),
        ])
        let viewModel = try await server.openCatalog()
        #expect(viewModel.rows.map(\.title) == ["New", "Hat"] && viewModel.rows[0].isFavorite)

        try await viewModel.loadNextPage()

        #expect(viewModel.rows.map(\.title) == ["Newest", "Hat", "Pan"])
        #expect(!viewModel.rows[0].isFavorite)
    }

    // Rule: catalog/repeated-cursor-ends-catalog (26)
    @Test(arguments: ["2", "3"])
    func `a repeated cursor ends the catalog at a page without new products`(
        last: PageCursor
    ) async throws {
        let server = PageServer([
            ":first": .of("boots", next: "2"), ":2": .of("hat", next: "3"),
            ":3": .of("pan", next: last),
        ])

        let viewModel = try await server.openCatalog(nextPages: 4)

        #expect(server.requests == [":first", ":2", ":3", ":\(last.rawValue)"])
        #expect(!viewModel.hasNextPage && viewModel.ids == ["boots", "hat", "pan"])
    }

    // Rule: catalog/known-pages-are-skipped (27)
    @Test func `pages without new products are skipped`() async throws {
        let server = PageServer([
            ":first": .of("boots", next: "2"), ":2": .of(next: "3"),
            ":3": Page([Product(id: "boots", name: "New")], next: "4"),
            ":4": .of("hat", next: "5"), ":5": .of(next: "6"), ":6": .of(),
        ])
        let viewModel = try await server.openCatalog()

        try await viewModel.loadNextPage()
        #expect(server.requests == [":first", ":2", ":3", ":4"])
        #expect(viewModel.rows.map(\.title) == ["New", "hat"] && viewModel.hasNextPage)

        try await viewModel.loadNextPage()
        #expect(viewModel.ids == ["boots", "hat"] && !viewModel.hasNextPage)
    }

    // Rule: catalog/known-pages-are-skipped (27)
    @Test func `when the page after an empty page fails, the next call requests it again`()
        async throws
    {
        let server = PageServer([":first": .of("boots", next: "2"), ":2": .of(next: "3")])
        let viewModel = try await server.openCatalog()
        let page = await started { try await viewModel.loadNextPage() }
        try server.held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await page.value }
        server.pages[":3"] = .of("hat")

        try await viewModel.loadNextPage()

        #expect(server.requests == [":first", ":2", ":3", ":3"])
        #expect(viewModel.ids == ["boots", "hat"])
    }

    // Rule: catalog/known-pages-are-skipped (27)
    @Test func `a search also skips empty pages, because an empty screen cannot be scrolled`()
        async throws
    {
        let server = PageServer([
            "hats:first": .of(next: "2"), "hats:2": .of(next: "3"), "hats:3": .of("hat", next: "4"),
        ])
        let viewModel = CatalogViewModel(server.actions)

        try await viewModel.search("hats")

        #expect(server.requests == ["hats:first", "hats:2", "hats:3"])
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
        try await viewModel.search("unicorns")
        #expect(number == 31 && viewModel.hasNextPage && viewModel.rows.isEmpty)
        #expect(viewModel.phase == .loaded)
    }

    // Rule: catalog/near-end-requests-page (29)
    @Test(arguments: [(nil, 6), (1, 2), (3, 4), (0, 1), (-1, 1), (99, 11)] as [(Int?, Int)])
    func `only a row near the end requests the next page`(count: Int?, calls: Int) async throws {
        let server = PageServer([
            ":first": .of("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", next: "2")
        ])
        let viewModel = try await server.openCatalog()
        server.failure = Offline()

        for row in viewModel.rows {
            if let count {
                try? await viewModel.loadNextPage(ifNearEnd: row, within: count)
            } else {
                try? await viewModel.loadNextPage(ifNearEnd: row)
            }
        }

        #expect(server.requests.count == calls)
    }

    // Rule: catalog/near-end-requests-page (29)
    @Test func `a row that is no longer shown requests nothing`() async throws {
        let server = PageServer([
            ":first": .of("boots", next: "2"), "hats:first": .of("hat", next: "2"),
        ])
        let viewModel = try await server.openCatalog()
        let row = try #require(viewModel.rows.last)
        try await viewModel.search("hats")

        try await viewModel.loadNextPage(ifNearEnd: row)

        #expect(server.requests == [":first", "hats:first"])
    }

    // Rule: catalog/rejected-elements-are-reported (30)
    @Test func `rejected elements are listed beside the rows and cause no failure`() async throws {
        let rejected = ["name", "prices[1].amount", "id"].map {
            RejectedElement(index: 1, member: $0, reason: "It is missing.")
        }
        let server = PageServer([
            ":first": Page([.boots], next: "2", rejected: [rejected[0]]),
            ":2": Page([Product(id: "pan", name: "Pan")], rejected: [rejected[1], rejected[2]]),
            "hats:first": .of("hat"),
        ])

        let viewModel = try await server.openCatalog()
        #expect(viewModel.rejected == [rejected[0]] && viewModel.ids == ["walking-boots"])
        try await viewModel.loadNextPage()
        #expect(viewModel.rejected == rejected && viewModel.ids == ["walking-boots", "pan"])
        #expect(viewModel.lastError == nil && viewModel.phase == .loaded)

        try await viewModel.search("hats")
        #expect(viewModel.rejected.isEmpty)
    }

    // Rule: catalog/repeated-cursor-ends-catalog (26); catalog/refresh-requests-ten-pages (58)
    @Test func `after a refresh of ten pages the cursors of further pages end the catalog, too`()
        async throws
    {
        let server = PageServer(pageCount: 13)
        server.pages[":13"]?.next = "12"
        let viewModel = try await server.openCatalog(nextPages: 11)
        try await viewModel.refresh()
        #expect(viewModel.hasNextPage)

        try await viewModel.loadNextPage()
        #expect(viewModel.ids.last == "13" && viewModel.hasNextPage)
        try await viewModel.loadNextPage()

        #expect(viewModel.ids.last == "13" && !viewModel.hasNextPage)
    }

    // Rule: cache/screen-has-source (64)
    @Test(arguments: [":first", ":2"])
    func `the source is the server only if all pages came from it`(cachedPage: String) async throws
    {
        let cached = FetchSource.cache(asOf: .distantPast)
        let server = PageServer(pageCount: 3)
        server.pages[cachedPage]?.source = cached

        let viewModel = try await server.openCatalog()
        #expect(viewModel.source == (cachedPage == ":first" ? cached : .network))
        for _ in 1...2 { try await viewModel.loadNextPage() }
        #expect(viewModel.source == cached)
    }

    // Rule: cache/screen-has-source (64)
    @Test func `the source of stored pages is the worst one, with the oldest date`() async throws {
        let server = PageServer(pageCount: 3)
        server.pages[":first"]?.source = .cache(asOf: .now)
        server.pages[":2"]?.source = .staleIfError(asOf: .now, failure: Offline())
        server.pages[":3"]?.source = .cache(asOf: .distantPast)

        let viewModel = try await server.openCatalog(nextPages: 2)

        #expect(viewModel.source == .staleIfError(asOf: .distantPast, failure: Offline()))
    }

    // Rule: cache/screen-has-source (64); catalog/refresh-requests-ten-pages (58)
    @Test func `a refresh from a cache has that source although the further pages stay`()
        async throws
    {
        let cached = FetchSource.cache(asOf: .distantPast)
        let server = PageServer(pageCount: 12)
        let viewModel = try await server.openCatalog(nextPages: 11)
        #expect(viewModel.source == .network)
        for request in server.pages.keys { server.pages[request]?.source = cached }

        try await viewModel.refresh()

        #expect(viewModel.rows.count == 12 && viewModel.source == cached)
    }

    // Rule: cache/screen-has-source (64); catalog/refresh-requests-ten-pages (58)
    @Test func `after a refresh the source of a page that was loaded again does not count`()
        async throws
    {
        let stale = FetchSource.staleIfError(asOf: .distantPast, failure: Offline())
        let server = PageServer(pageCount: 13)
        server.pages[":first"]?.source = stale
        let viewModel = try await server.openCatalog(nextPages: 11)
        #expect(viewModel.source == stale)
        server.pages[":first"]?.source = .network

        try await viewModel.refresh()
        #expect(viewModel.rows.count == 12 && viewModel.source == .network)

        for request in server.pages.keys { server.pages[request]?.source = stale }
        await #expect(throws: Offline()) { try await viewModel.refresh() }
        #expect(viewModel.source == .network)
    }
}
