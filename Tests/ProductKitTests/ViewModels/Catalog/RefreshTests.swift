import Foundation
import ProductKit
import Testing

/// Refreshes of the rows shown.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct RefreshTests {
    // Rule: catalog/refresh-reloads-shown-pages (31)
    @Test func `a refresh reloads as many pages as are shown along the new cursors`() async throws {
        let server = PageServer([
            "things:first": .of("boots", next: "2"), "things:2": .of("hat", next: "3"),
            "things:3": .of("pan", next: "4"),
        ])
        let viewModel = CatalogViewModel(server.actions)
        try await viewModel.search("things")
        for _ in 1...2 { try await viewModel.loadNextPage() }
        server.requests = []
        server.pages = [
            "things:first": .of("boots", next: "2b"), "things:2b": .of("new hat", next: "3b"),
            "things:3b": .of("new pan", next: "4b", total: 4), "things:4b": .of("new cup"),
        ]

        try await viewModel.refresh()
        #expect(server.requests == ["things:first", "things:2b", "things:3b"])
        #expect(viewModel.ids == ["boots", "new hat", "new pan"])
        #expect(viewModel.query == "things" && viewModel.total == 4 && viewModel.hasNextPage)

        try await viewModel.loadNextPage()
        #expect(server.requests.last == "things:4b" && viewModel.ids.last == "new cup")
    }

    // Rule: catalog/refresh-shows-all-at-once (32)
    @Test func `nothing on the screen changes before the last page arrives`() async throws {
        let server = PageServer(pageCount: 2)
        let viewModel = try await server.openCatalog(nextPages: 1)
        server.pages = [:]
        let rows = viewModel.rows
        let screen = Watcher {
            (viewModel.rows, viewModel.query, viewModel.total, viewModel.hasNextPage)
        }
        let values = Watcher { rows.map(\.product) }

        let refresh = await started { try await viewModel.refresh() }
        #expect(viewModel.phase == .loading)
        try server.held.release(
            returning: Page([Product(id: "1", name: "New")], next: "b", total: 1)
        )
        await server.held.waitForCalls(2)
        #expect(viewModel.phase == .loading && screen.changes == 0 && values.changes == 0)

        try server.held.release(
            returning: Page([Product(id: "2", name: "New")], next: "c", total: 2)
        )
        try await refresh.value
        #expect(viewModel.rows == rows && rows.map(\.title) == ["New", "New"])
        #expect(viewModel.total == 2 && viewModel.phase == .loaded)
    }

    // Rule: catalog/failed-refresh-keeps-rows (33)
    @Test(arguments: [[":first"], [":first", ":2"], [":first", ":2", ":3"]])
    func `a failure on any page leaves all previous rows unchanged`(
        requests: [String]
    ) async throws {
        let server = PageServer(pageCount: 4)
        server.pages[":first"]?.total = 9
        let viewModel = try await server.openCatalog(nextPages: 2)
        let rows = viewModel.rows
        server.requests = []
        for request in requests {
            server.pages[request]?.items[0].name = "New"
            server.pages[request]?.total = 8
        }
        server.pages[requests[requests.count - 1]] = nil

        let refresh = await started { try await viewModel.refresh() }
        try server.held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await refresh.value }

        #expect(server.requests == requests && viewModel.rows == rows)
        #expect(rows.map(\.title) == ["1", "2", "3"] && viewModel.total == 9)
        #expect(viewModel.hasNextPage && viewModel.phase == .failed)
        #expect(viewModel.lastError?.kind == .refresh && !viewModel.isShowingPreviousResults)

        try await viewModel.loadNextPage()
        #expect(viewModel.ids == ["1", "2", "3", "4"])
    }

    // Rule: catalog/refresh-requests-ten-pages (58)
    @Test func `a refresh requests ten pages and keeps the rows of further pages`() async throws {
        let rejected = RejectedElement(index: 0, member: "name", reason: "It is missing.")
        let cached = FetchSource.cache(asOf: .distantPast)
        let server = PageServer(pageCount: 13)
        server.pages[":12"]?.rejected = [rejected]
        server.pages[":12"]?.source = cached
        let viewModel = try await server.openCatalog(nextPages: 11)
        server.requests = []
        let rows = Watcher { viewModel.rows }

        try await viewModel.refresh()
        #expect(server.requests == [":first"] + (2...10).map { ":\($0)" } && rows.changes == 0)
        #expect(viewModel.ids == (1...12).map { Product.ID("\($0)") })
        #expect(viewModel.rejected == [rejected] && viewModel.source == cached)

        try await viewModel.loadNextPage()
        #expect(server.requests.last == ":13" && viewModel.ids.last == "13")
    }

    // Rule: catalog/repeated-cursor-ends-catalog (26); catalog/refresh-requests-ten-pages (58)
    @Test func `a cursor that was followed before a refresh leads to no page again`() async throws {
        let server = PageServer(pageCount: 13)
        let viewModel = try await server.openCatalog(nextPages: 10)
        try await viewModel.refresh()
        server.pages[":12"] = Page([], next: "13")
        server.pages[":13"] = Page([], next: "12")
        server.requests = []

        try await viewModel.loadNextPage()

        #expect(server.requests == [":12", ":13"] && !viewModel.hasNextPage)
    }

    /// A change of 30 products, of which 24 are shown and 20 are refreshed.
    enum Change: CaseIterable {
        case insert, insertAndSwap, remove, move, moveToEnd, replaceAll

        func apply(to products: inout [Product.ID]) {
            switch self {
            case .insert: products.insert("new", at: 0)
            case .insertAndSwap:
                products.insert("new", at: 0)
                products.swapAt(19, 20)
            case .remove: products.remove(at: 2)
            case .move: products.insert(products.remove(at: 22), at: 0)
            case .moveToEnd: products.insert(products.remove(at: 22), at: 19)
            case .replaceAll: products = products.map { "new \($0)" }
            }
        }

        /// The number of rows after the refresh.
        var rowCount: Int {
            switch self {
            case .insert, .insertAndSwap: 25
            case .remove: 23
            case .replaceAll: 20
            case .move, .moveToEnd: 24
            }
        }
    }

    // Rule: catalog/refresh-requests-ten-pages (58)
    @Test(arguments: Change.allCases)
    func `a refresh of many pages keeps the rows that follow and shows no product twice`(
        change: Change
    ) async throws {
        var catalog = (1...30).map { Product.ID("\($0)") }
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                let start = cursor.flatMap { Int($0.rawValue) } ?? 0
                let products = catalog[start..<(start + 2)].map { Product(id: $0, name: "Name") }
                return Page(products, next: PageCursor("\(start + 2)"))
            })
        )
        try await viewModel.search("")
        for _ in 2...12 { try await viewModel.loadNextPage() }
        change.apply(to: &catalog)

        try await viewModel.refresh()
        let expected = catalog.prefix(change.rowCount)
        #expect(viewModel.ids == Array(expected) && viewModel.hasNextPage)

        try await viewModel.loadNextPage()
        #expect(Set(viewModel.ids).count == viewModel.ids.count)
        #expect(viewModel.ids.starts(with: expected) && viewModel.ids.count > expected.count)
        if change == .replaceAll { #expect(viewModel.ids == Array(catalog.prefix(22))) }
    }

    // Rule: catalog/shorter-catalog-ends-early (34); catalog/repeated-cursor-ends-catalog (26)
    // Rule: catalog/refresh-reloads-shown-pages (31)
    @Test(arguments: [nil, "2"] as [PageCursor?])
    func `a shorter catalog ends where the backend ends it, or repeats a cursor`(
        next: PageCursor?
    ) async throws {
        let server = PageServer(pageCount: 3)
        let viewModel = try await server.openCatalog(nextPages: 2)
        server.pages[":2"]?.next = next
        server.requests = []

        try await viewModel.refresh()

        #expect(server.requests == [":first", ":2"] + (next == nil ? [] : [":2"]))
        #expect(viewModel.ids == ["1", "2"] && !viewModel.hasNextPage)
    }

    // Rule: catalog/refresh-reloads-shown-pages (31)
    @Test func `an empty page counts as one of the pages to reload`() async throws {
        let server = PageServer([
            ":first": .of("boots", next: "2"), ":2": .of(next: "3"), ":3": .of("hat", next: "4"),
        ])
        let viewModel = try await server.openCatalog(nextPages: 1)
        server.requests = []

        try await viewModel.refresh()

        #expect(server.requests == [":first", ":2", ":3"] && viewModel.ids == ["boots", "hat"])
    }

    // Rule: catalog/duplicates-keep-place (25); catalog/refresh-reloads-shown-pages (31)
    @Test func `a product on two pages of a refresh gets the value of the later page`()
        async throws
    {
        let server = PageServer(pageCount: 2)
        let viewModel = try await server.openCatalog(nextPages: 1)
        server.pages[":first"]?.items[0].name = "Older"
        server.pages[":2"]?.items.append(Product(id: "1", name: "Newer"))
        let title = Watcher { viewModel.rows[0].title }

        try await viewModel.refresh()

        #expect(viewModel.rows.map(\.title) == ["Newer", "2"] && title.changes == 1)
    }

    // Rule: catalog/refresh-repeats-failed-search (38)
    @Test func `after a failed search a refresh repeats that search without debouncing it`()
        async throws
    {
        let server = PageServer(pageCount: 2)
        var actions = server.actions
        actions.sleep = { _ in server.requests.append("sleep") }
        let viewModel = CatalogViewModel(actions)
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        server.requests = []
        server.failure = Offline()
        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        await #expect(throws: Offline()) { try await viewModel.refresh() }
        #expect(viewModel.lastError?.kind == .refresh && viewModel.isShowingPreviousResults)
        (server.failure, server.pages) = (nil, ["hats:first": .of("hat", next: "2")])

        try await viewModel.refresh()

        #expect(server.requests == ["sleep", "hats:first", "hats:first", "hats:first"])
        #expect(viewModel.ids == ["hat"] && viewModel.query == "hats")
        #expect(viewModel.lastError == nil && !viewModel.isShowingPreviousResults)
    }

    // Rule: catalog/short-text-requests-nothing (6); catalog/refresh-repeats-failed-search (38)
    @Test func `after a text that is too short a refresh reloads the rows shown`() async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        viewModel.minimumLength = 2
        server.failure = Offline()
        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        server.failure = nil
        try await viewModel.search("h")

        try await viewModel.refresh()

        #expect(server.requests == [":first", "hats:first", ":first"])
        #expect(viewModel.phase == .loaded)
    }

    // Rule: catalog/refresh-loads-first-page (39)
    @Test func `on an empty screen a refresh loads the first page`() async throws {
        let server = PageServer()
        let viewModel = CatalogViewModel(server.actions)
        server.failure = Offline()
        await #expect(throws: Offline()) { try await viewModel.refresh() }
        #expect(viewModel.phase == .failed && viewModel.lastError?.kind == .refresh)
        server.failure = nil

        try await viewModel.refresh()

        #expect(server.requests == [":first", ":first"] && viewModel.ids == ["boots"])
        #expect(viewModel.phase == .loaded && viewModel.hasNextPage)
    }

    // Rule: catalog/new-rows-clear-failures (40)
    @Test(arguments: CatalogViewModel.kinds, [true, false])
    func `new rows clear every failure`(
        kind: ViewModelFailure.Kind,
        bySearch: Bool
    ) async throws {
        let server = PageServer()
        server.pages["hats:first"] = .of("hat")
        server.pages["pans:first"] = .of("pan")
        let viewModel = try await server.openCatalog()
        server.failure = Offline()
        await #expect(throws: Offline()) { try await viewModel.perform(kind) }
        #expect(viewModel.lastError?.kind == kind)
        server.failure = nil

        if bySearch { try await viewModel.search("pans") } else { try await viewModel.refresh() }

        #expect(viewModel.lastError == nil && viewModel.phase == .loaded)
        #expect(!viewModel.isShowingPreviousResults)
    }
}
