import ProductKit
import Testing

/// What backends put on their pages: products twice, nothing at all, cursors that go in circles.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct EndlessListTests {
    // Rule: catalog/duplicates-keep-place (25)
    @Test
    func `met twice within a page, a product keeps its first place and takes its newest value`()
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
    @Test func `met again on a later page, it keeps its place and takes its newest value`()
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
    func `a cursor that was followed already ends the list`(last: PageCursor) async throws {
        var asked: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                asked.append(query.at(cursor))
                return switch cursor {
                case nil: .of("boots", next: "2")
                case "2": .of("hat", next: "3")
                default: .of("pan", next: last)
                }
            })
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        #expect(viewModel.hasNextPage)

        try await viewModel.loadNextPage()
        #expect(!viewModel.hasNextPage && viewModel.ids == ["boots", "hat", "pan"])
        try await viewModel.loadNextPage()

        #expect(asked == [":first", ":2", ":3"])
    }

    // Rule: catalog/known-pages-are-skipped (27)
    @Test func `empty pages and pages of known products are passed over`() async throws {
        var asked: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                asked.append(query.at(cursor))
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

        #expect(asked == [":first", ":2", ":3", ":4"])
        #expect(viewModel.rows.map(\.title) == ["New", "hat"] && viewModel.hasNextPage)
    }

    // Rule: catalog/known-pages-are-skipped (27)
    @Test func `an empty page at the end ends the list`() async throws {
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
    @Test func `when a page behind an empty one fails, the list goes on from there`() async throws {
        var asked: [String] = []
        var isOffline = true
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                asked.append(query.at(cursor))
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

        #expect(asked == [":first", ":2", ":3", ":3"] && viewModel.ids == ["boots", "hat"])
    }

    // Rule: catalog/known-pages-are-skipped (27)
    @Test func `a search passes over empty pages too, since nobody could scroll to the next`()
        async throws
    {
        var asked: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                asked.append(query.at(cursor))
                return cursor == "3" ? .of("hat", next: "4") : .of(next: cursor == nil ? "2" : "3")
            })
        )

        try await viewModel.search("hats")

        #expect(asked == ["hats:first", "hats:2", "hats:3"])
        #expect(viewModel.ids == ["hat"] && viewModel.hasNextPage)
    }

    // Rule: catalog/ten-empty-pages (28)
    @Test func `after ten pages without a new product the call returns`() async throws {
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
    @Test func `after ten empty pages a search returns`() async throws {
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
    func `only a row near the end asks for the next page`(count: Int?, calls: Int) async throws {
        var asked = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                asked += 1
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

        #expect(asked == calls)
    }

    // Rule: catalog/near-end-requests-page (29)
    @Test func `a row that is shown no longer asks for nothing`() async throws {
        var asked: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                asked.append(query.at(cursor))
                return .of(query == "" ? "boots" : "hat", next: "2")
            })
        )
        try await viewModel.search("")
        let row = try #require(viewModel.rows.last)
        try await viewModel.search("hats")

        try await viewModel.loadNextPage(ifNearEnd: row)

        #expect(asked == [":first", "hats:first"])
    }

    // Rule: catalog/rejected-elements-are-reported (30)
    @Test func `what could not be read is kept beside the rows and is no error`() async throws {
        let bad = ["name", "prices[1].amount", "id"].map {
            RejectedElement(index: 1, member: $0, reason: "It is missing.")
        }
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                let boots = Product(id: "boots", name: "Boots")
                if query == "hats" { return .of("hat") }
                guard cursor != nil else { return Page([boots], next: "2", rejected: [bad[0]]) }
                return Page([Product(id: "pan", name: "Pan")], rejected: [bad[1], bad[2]])
            })
        )

        try await viewModel.search("")
        #expect(viewModel.rejected == [bad[0]] && viewModel.ids == ["boots"])
        try await viewModel.loadNextPage()
        #expect(viewModel.rejected == bad && viewModel.ids == ["boots", "pan"])
        #expect(viewModel.lastError == nil && viewModel.phase == .loaded)

        try await viewModel.search("hats")
        #expect(viewModel.rejected.isEmpty)
    }
}
