import Foundation
import ProductKit
import Testing

/// Searches: their texts, debouncing, phases and failures.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CatalogSearchTests {
    // Rule: catalog/empty-search-lists-everything (1)
    @Test func `the empty text requests the first page of all products`() async throws {
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                return .of("boots", "hat", next: "2", total: 7)
            })
        )
        #expect(viewModel.phase == .idle && viewModel.rows.isEmpty && !viewModel.hasNextPage)

        try await viewModel.search("")

        #expect(requests == [":first"])
        #expect(
            viewModel.ids == ["boots", "hat"] && viewModel.rows.map(\.title) == ["boots", "hat"]
        )
        #expect(viewModel.total == 7 && viewModel.hasNextPage && viewModel.query == "")
        #expect(viewModel.phase == .loaded && viewModel.lastError == nil)
    }

    // Rule: catalog/searching-until-response (2)
    @Test(arguments: ["", "boots"])
    func `the phase is loading from the call to the response`(text: String) async throws {
        let sleeping = ActionGate<Void>()
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(
                loadPage: { _, _ in
                    try await held.hold()
                },
                sleep: { _ in try await sleeping.hold() }
            )
        )

        let search = await started { try await viewModel.search(text) }
        #expect(viewModel.phase == .loading && viewModel.isSearching)
        if !text.isEmpty { try sleeping.release() }
        await held.waitForCalls(1)
        #expect(viewModel.phase == .loading && viewModel.isSearching && !viewModel.isRefreshing)
        #expect(!viewModel.isShowingPreviousResults)

        try held.release(returning: .of("boots"))
        try await search.value
        #expect(viewModel.phase == .loaded && !viewModel.isSearching)
    }

    // Rule: catalog/text-is-debounced (3)
    @Test func `a text is requested once, after its debounce interval`() async throws {
        var steps: [String] = []
        let viewModel = CatalogViewModel(
            .only(
                loadPage: { query, cursor in
                    steps.append(query.at(cursor))
                    return .of("boots")
                },
                sleep: { steps.append("\($0)") }
            )
        )

        try await viewModel.search("boots")
        #expect(steps == ["0.3 seconds", "boots:first"])

        viewModel.debounce = .seconds(1)
        try await viewModel.search("hats")
        #expect(steps.suffix(2) == ["1.0 seconds", "hats:first"] && steps.count == 4)
    }

    // Rule: catalog/empty-text-is-not-debounced (4)
    @Test func `the empty text is not debounced`() async throws {
        let viewModel = CatalogViewModel(
            .only(
                loadPage: { _, _ in .of("boots") },
                sleep: { _ in Issue.record("The empty text was debounced.") }
            )
        )

        try await viewModel.search("")

        #expect(viewModel.ids == ["boots"])
    }

    // Rule: catalog/white-space-is-ignored (5)
    @Test(arguments: [" boots", "boots \n", "\t boots\u{3000}"])
    func `white space around a text is ignored`(text: String) async throws {
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                return .of("boots")
            })
        )

        try await viewModel.search(text)
        try await viewModel.search("boots")
        #expect(requests == ["boots:first"] && viewModel.query == "boots")

        try await viewModel.search("  \n")
        #expect(requests == ["boots:first", ":first"] && viewModel.query == "")
    }

    // Rule: catalog/short-text-requests-nothing (6)
    @Test func `a text that is too short requests nothing and leaves the rows unchanged`()
        async throws
    {
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                return .of("boots", next: "2")
            })
        )
        #expect(viewModel.minimumLength == 1)
        try await viewModel.search("靴")
        viewModel.minimumLength = 3

        try await viewModel.search("ha")
        try await viewModel.search(" ha ")
        #expect(requests == ["靴:first"] && viewModel.ids == ["boots"])
        #expect(viewModel.query == "靴" && viewModel.phase == .loaded && viewModel.hasNextPage)

        try await viewModel.search("hat")
        try await viewModel.search("")
        #expect(requests == ["靴:first", "hat:first", ":first"])
    }

    // Rule: catalog/short-text-requests-nothing (6)
    @Test func `a text that is too short supersedes a search in flight`() async throws {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in try await held.hold() })
        )
        viewModel.minimumLength = 2
        let search = await started { try await viewModel.search("boots") }

        try await viewModel.search("b")
        #expect(!viewModel.isSearching && viewModel.phase == .idle)
        try held.release(returning: .of("boots"))

        await #expect(throws: CancellationError.self) { try await search.value }
        #expect(viewModel.rows.isEmpty && viewModel.phase == .idle)
    }

    // Rule: catalog/short-text-requests-nothing (6)
    @Test func `after a text that is too short the rows are marked as previous results`()
        async throws
    {
        let viewModel = CatalogViewModel(.only(loadPage: { _, _ in .of("boots") }))
        viewModel.minimumLength = 2
        try await viewModel.search("h")
        #expect(!viewModel.isShowingPreviousResults)
        try await viewModel.search("")

        try await viewModel.search("h")
        #expect(viewModel.isShowingPreviousResults && viewModel.phase == .loaded)
        try await viewModel.search("")
        #expect(!viewModel.isShowingPreviousResults)

        try await viewModel.search("h")
        try await viewModel.refresh()
        #expect(viewModel.isShowingPreviousResults && viewModel.query == "")
        try await viewModel.search("hats")
        #expect(!viewModel.isShowingPreviousResults && viewModel.query == "hats")

        viewModel.minimumLength = 5
        try await viewModel.search("hats")
        #expect(!viewModel.isShowingPreviousResults)
    }

    // Rule: catalog/short-text-requests-nothing (6); catalog/failed-search-is-discarded (55)
    @Test(arguments: [true, false], [true, false])
    func `a text that is too short discards a failed search`(
        hasRows: Bool,
        isRepeated: Bool
    ) async throws {
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, _ in
                if query == "hats" { throw Offline() }
                return .of("boots")
            })
        )
        viewModel.minimumLength = 2
        if hasRows { try await viewModel.search("") }
        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        if isRepeated { await #expect(throws: Offline()) { try await viewModel.refresh() } }

        try await viewModel.search("h")

        #expect(viewModel.phase == (hasRows ? .loaded : .idle) && viewModel.lastError == nil)
        #expect(viewModel.isShowingPreviousResults == hasRows)
    }

    // Rule: catalog/failed-refresh-keeps-rows (33); catalog/failed-search-is-discarded (55)
    @Test func `a text that is too short leaves the failures of the rows shown`() async throws {
        var isOffline = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                if isOffline { throw Offline() }
                return .of("boots", next: "2")
            })
        )
        viewModel.minimumLength = 2
        try await viewModel.search("")
        isOffline = true
        await #expect(throws: Offline()) { try await viewModel.refresh() }

        try await viewModel.search("h")
        #expect(viewModel.phase == .failed && viewModel.lastError?.kind == .refresh)

        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        await #expect(throws: Offline()) { try await viewModel.loadNextPage() }
        try await viewModel.search("h")
        #expect(viewModel.phase == .loaded && viewModel.lastError?.kind == .nextPage)
    }

    // Rule: catalog/failed-search-keeps-rows (11)
    @Test func `a failed search keeps the rows, and its error is thrown and stored`() async throws {
        var isOffline = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                if isOffline { throw Offline() }
                return .of("boots", next: "2", total: 3)
            })
        )
        try await viewModel.search("")
        let rows = viewModel.rows
        isOffline = true

        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        #expect(viewModel.rows == rows && viewModel.query == "" && viewModel.total == 3)
        #expect(viewModel.hasNextPage && viewModel.isShowingPreviousResults)
        #expect(viewModel.lastError?.kind == .search && viewModel.phase == .failed)
        #expect(viewModel.lastError?.underlying as? Offline == Offline())

        viewModel.lastError = nil
        #expect(viewModel.phase == .failed)
    }

    // Rule: catalog/failed-search-keeps-rows (11)
    @Test func `a failed first search leaves a failed screen without rows`() async {
        let unsupported = UnsupportedOperation("search")
        let viewModel = CatalogViewModel(.only(loadPage: { _, _ in throw unsupported }))

        await #expect(throws: unsupported) { try await viewModel.search("") }

        #expect(viewModel.rows.isEmpty && viewModel.phase == .failed)
        #expect(!viewModel.isShowingPreviousResults)
        #expect(viewModel.lastError?.localizedDescription == unsupported.localizedDescription)
    }

    // Rule: catalog/empty-result-is-a-result (15)
    @Test func `a response without products is shown as an empty result`() async throws {
        var page = Page.of("boots", next: "2", total: 2)
        let viewModel = CatalogViewModel(.only(loadPage: { _, _ in page }))
        try await viewModel.search("")
        page = .of()

        try await viewModel.search("unicorns")

        #expect(viewModel.rows.isEmpty && viewModel.phase == .loaded && !viewModel.hasNextPage)
        #expect(viewModel.query == "unicorns" && viewModel.lastError == nil)
    }

    // Rule: catalog/total-matches-rows (16)
    @Test func `the total of the previous query is not shown for the new one`() async throws {
        var total: Int? = 40
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in .of("boots", total: total) })
        )
        try await viewModel.search("")
        #expect(viewModel.total == 40)
        total = nil

        try await viewModel.search("boots")

        #expect(viewModel.total == nil)
    }
}
