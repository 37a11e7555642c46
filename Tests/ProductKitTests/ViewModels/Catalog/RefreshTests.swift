import Foundation
import ProductKit
import Testing

/// Refreshes of the rows shown.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct RefreshTests {
    // Rule: catalog/refresh-reloads-shown-pages (31)
    @Test func `a refresh reloads as many pages as are shown along the new cursors`() async throws {
        var requests: [String] = []
        var name = "old"
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                return switch cursor {
                case nil: .of("boots", next: "\(name)2")
                case "\(name)2": .of("\(name) hat", next: "\(name)3")
                case "\(name)3": .of("\(name) pan", next: "\(name)4", total: 4)
                default: .of("\(name) cup")
                }
            })
        )
        try await viewModel.search("things")
        try await viewModel.loadNextPage()
        try await viewModel.loadNextPage()
        (requests, name) = ([], "new")

        try await viewModel.refresh()
        #expect(requests == ["things:first", "things:new2", "things:new3"])
        #expect(viewModel.ids == ["boots", "new hat", "new pan"])
        #expect(viewModel.query == "things" && viewModel.total == 4 && viewModel.hasNextPage)

        try await viewModel.loadNextPage()
        #expect(requests.last == "things:new4" && viewModel.ids.last == "new cup")
    }

    // Rule: catalog/refresh-shows-all-at-once (32)
    @Test func `nothing on the screen changes before the last page arrives`() async throws {
        let held = HeldPages()
        var isFirst = true
        let store = ProductStore()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                if isFirst {
                    return cursor == nil ? .of("boots", next: "2") : .of("hat", next: "3")
                }
                return try await held.hold()
            }),
            store: store
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        isFirst = false
        let rows = viewModel.rows
        let screen = Watcher {
            (viewModel.rows, viewModel.query, viewModel.total, viewModel.hasNextPage)
        }
        let values = Watcher { rows.map(\.product) }

        let refresh = await started { try await viewModel.refresh() }
        #expect(viewModel.phase == .loading && viewModel.isRefreshing && !viewModel.isSearching)
        try held.release(returning: Page([Product(id: "boots", name: "New")], next: "b", total: 1))
        await held.waitForCalls(2)
        #expect(viewModel.isRefreshing && screen.changes == 0 && values.changes == 0)

        try held.release(returning: Page([Product(id: "hat", name: "New")], next: "c", total: 2))
        try await refresh.value
        #expect(viewModel.rows == rows && rows.map(\.title) == ["New", "New"])
        #expect(viewModel.total == 2 && !viewModel.isRefreshing && viewModel.phase == .loaded)
    }

    // Rule: catalog/failed-refresh-keeps-rows (33)
    @Test(arguments: 1...3)
    func `a failure on any page leaves all previous rows unchanged`(page: Int) async throws {
        var number = 0
        var isFirst = true
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                number += 1
                let id = Product.ID("\(number)")
                if isFirst { return .of(id, next: "\(number + 1)", total: 9) }
                if number == page { throw Offline() }
                return Page([Product(id: id, name: "New")], next: "new\(number + 1)", total: 8)
            })
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        try await viewModel.loadNextPage()
        let rows = viewModel.rows
        (isFirst, number) = (false, 0)

        await #expect(throws: Offline()) { try await viewModel.refresh() }

        #expect(number == page && viewModel.rows == rows && rows.map(\.title) == ["1", "2", "3"])
        #expect(viewModel.total == 9 && viewModel.hasNextPage && viewModel.phase == .failed)
        #expect(viewModel.lastError?.kind == .refresh && !viewModel.isRefreshing)
        #expect(!viewModel.isShowingPreviousResults)

        (isFirst, number) = (true, 3)
        try await viewModel.loadNextPage()
        #expect(viewModel.ids == ["1", "2", "3", "4"])
    }

    // Rule: catalog/refresh-requests-ten-pages (58)
    @Test func `a refresh requests ten pages and keeps the rows of further pages`() async throws {
        let rejected = RejectedElement(index: 0, member: "name", reason: "It is missing.")
        let cached = FetchSource.cache(asOf: .distantPast)
        var cursors: [PageCursor?] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                cursors.append(cursor)
                let number = cursor.flatMap { Int($0.rawValue) } ?? 1
                var page = Page.of(Product.ID("\(number)"), next: "\(number + 1)")
                if number == 12 { (page.source, page.rejected) = (cached, [rejected]) }
                return page
            })
        )
        try await viewModel.search("")
        for _ in 2...12 { try await viewModel.loadNextPage() }
        cursors = []
        let rows = Watcher { viewModel.rows }

        try await viewModel.refresh()
        #expect(cursors == [nil] + (2...10).map { PageCursor("\($0)") } && rows.changes == 0)
        #expect(viewModel.ids == (1...12).map { Product.ID("\($0)") })
        #expect(viewModel.rejected == [rejected] && viewModel.source == cached)

        try await viewModel.loadNextPage()
        #expect(cursors.last == "13" && viewModel.ids.last == "13")
    }

    // Rule: catalog/refresh-requests-ten-pages (58)
    @Test(arguments: [
        "insert", "insert and swap", "remove", "move", "move to the end", "replace all",
    ])
    func `a refresh of many pages keeps the rows that follow and shows no product twice`(
        change: String
    ) async throws {
        var catalog = (1...30).map { Product.ID("\($0)") }
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                let start = cursor.flatMap { Int($0.rawValue) } ?? 0
                let ids = catalog[start..<(start + 2)]
                return Page(
                    ids.map { Product(id: $0, name: $0.rawValue) },
                    next: PageCursor("\(start + 2)")
                )
            })
        )
        try await viewModel.search("")
        for _ in 2...12 { try await viewModel.loadNextPage() }
        switch change {
        case "insert": catalog.insert("new", at: 0)
        case "insert and swap":
            catalog.insert("new", at: 0)
            catalog.swapAt(19, 20)
        case "remove": catalog.remove(at: 2)
        case "move": catalog.insert(catalog.remove(at: 22), at: 0)
        case "move to the end": catalog.insert(catalog.remove(at: 22), at: 19)
        default: catalog = catalog.map { "new \($0)" }
        }

        try await viewModel.refresh()
        let expected: Int =
            switch change {
            case "insert", "insert and swap": 25
            case "remove": 23
            case "replace all": 20
            default: 24
            }
        #expect(viewModel.ids == Array(catalog.prefix(expected)) && viewModel.hasNextPage)

        try await viewModel.loadNextPage()
        #expect(Set(viewModel.ids).count == viewModel.ids.count)
        #expect(viewModel.ids.starts(with: catalog.prefix(expected)))
        #expect(viewModel.ids.count > expected)
        if change == "replace all" { #expect(viewModel.ids == Array(catalog.prefix(22))) }
    }

    // Rule: catalog/shorter-catalog-ends-early (34)
    @Test func `a shorter catalog ends where the backend ends it`() async throws {
        var requests: [String] = []
        var isShort = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                return switch cursor {
                case nil: .of("boots", next: "2")
                case "2": .of("hat", next: isShort ? nil : "3")
                default: .of("pan")
                }
            })
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        try await viewModel.loadNextPage()
        (requests, isShort) = ([], true)

        try await viewModel.refresh()

        #expect(requests == [":first", ":2"] && viewModel.ids == ["boots", "hat"])
        #expect(!viewModel.hasNextPage)
    }

    // Rule: catalog/repeated-cursor-ends-catalog (26); catalog/refresh-reloads-shown-pages (31)
    @Test func `a repeated cursor ends a refresh`() async throws {
        var requests: [String] = []
        var repeatsCursor = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                switch cursor {
                case nil: return .of("boots", next: "2")
                case "2": return .of("hat", next: repeatsCursor ? "2" : "3")
                default: return .of("pan", next: "4")
                }
            })
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        try await viewModel.loadNextPage()
        (requests, repeatsCursor) = ([], true)

        try await viewModel.refresh()

        #expect(requests == [":first", ":2", ":2"] && !viewModel.hasNextPage)
    }

    // Rule: catalog/refresh-reloads-shown-pages (31)
    @Test func `an empty page counts as one of the pages to reload`() async throws {
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                return switch cursor {
                case nil: .of("boots", next: "2")
                case "2": .of(next: "3")
                default: .of("hat", next: "4")
                }
            })
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        requests = []

        try await viewModel.refresh()

        #expect(requests == [":first", ":2", ":3"] && viewModel.ids == ["boots", "hat"])
    }

    // Rule: catalog/duplicates-keep-place (25); catalog/refresh-reloads-shown-pages (31)
    @Test func `a product on two pages of a refresh gets the value of the later page`()
        async throws
    {
        var isFirst = true
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                if isFirst { return cursor == nil ? .of("boots", next: "2") : .of("hat") }
                guard cursor != nil else {
                    return Page([Product(id: "boots", name: "Older")], next: "2")
                }
                return Page([.init(id: "hat", name: "Hat"), .init(id: "boots", name: "Newer")])
            })
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        isFirst = false
        let title = Watcher { viewModel.rows[0].title }

        try await viewModel.refresh()

        #expect(viewModel.rows.map(\.title) == ["Newer", "Hat"] && title.changes == 1)
    }

    // Rule: catalog/refresh-repeats-failed-search (38)
    @Test func `after a failed search a refresh repeats that search without debouncing it`()
        async throws
    {
        var isOffline = false
        var steps: [String] = []
        let viewModel = CatalogViewModel(
            .only(
                loadPage: { query, cursor in
                    steps.append(query.at(cursor))
                    if isOffline { throw Offline() }
                    return .of(query == "" ? "boots" : "hat", next: "2")
                },
                sleep: { _ in steps.append("sleep") }
            )
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        (isOffline, steps) = (true, [])
        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        await #expect(throws: Offline()) { try await viewModel.refresh() }
        #expect(viewModel.lastError?.kind == .refresh && viewModel.isShowingPreviousResults)
        isOffline = false

        try await viewModel.refresh()

        #expect(steps == ["sleep", "hats:first", "hats:first", "hats:first"])
        #expect(viewModel.ids == ["hat"] && viewModel.query == "hats")
        #expect(viewModel.lastError == nil && !viewModel.isShowingPreviousResults)
    }

    // Rule: catalog/short-text-requests-nothing (6); catalog/refresh-repeats-failed-search (38)
    @Test func `after a text that is too short a refresh reloads the rows shown`() async throws {
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                if query == "hats" { throw Offline() }
                return .of("boots")
            })
        )
        viewModel.minimumLength = 2
        try await viewModel.search("")
        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        try await viewModel.search("h")

        try await viewModel.refresh()

        #expect(requests == [":first", "hats:first", ":first"] && viewModel.phase == .loaded)
    }

    // Rule: catalog/refresh-loads-first-page (39)
    @Test func `on an empty screen a refresh loads the first page`() async throws {
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                if requests.count == 1 { throw Offline() }
                return .of("boots", next: "2")
            })
        )

        await #expect(throws: Offline()) { try await viewModel.refresh() }
        #expect(viewModel.phase == .failed && viewModel.lastError?.kind == .refresh)
        try await viewModel.refresh()

        #expect(requests == [":first", ":first"] && viewModel.ids == ["boots"])
        #expect(viewModel.phase == .loaded && viewModel.hasNextPage)
    }

    // Rule: catalog/new-rows-clear-failures (40)
    @Test(
        arguments: [
            ViewModelFailure.Kind.search, .refresh, .nextPage,
        ],
        [true, false]
    )
    func `new rows clear every failure`(
        kind: ViewModelFailure.Kind,
        bySearch: Bool
    ) async throws {
        var isOffline = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                if isOffline { throw Offline() }
                return .of("boots", next: "2")
            })
        )
        try await viewModel.search("")
        isOffline = true
        await #expect(throws: Offline()) {
            switch kind {
            case .search: try await viewModel.search("hats")
            case .refresh: try await viewModel.refresh()
            default: try await viewModel.loadNextPage()
            }
        }
        #expect(viewModel.lastError?.kind == kind)
        isOffline = false

        if bySearch { try await viewModel.search("pans") } else { try await viewModel.refresh() }

        #expect(viewModel.lastError == nil && viewModel.phase == .loaded)
        #expect(!viewModel.isShowingPreviousResults)
    }
}
