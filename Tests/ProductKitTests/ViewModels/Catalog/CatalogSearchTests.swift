import Foundation
import ProductKit
import Testing

/// Searches: their texts, debouncing, phases and failures.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CatalogSearchTests {
    // Rule: catalog/empty-search-lists-everything (1); catalog/empty-text-is-not-debounced (4)
    @Test func `the empty text requests the first page of all products, without a delay`()
        async throws
    {
        let server = PageServer([":first": .of("boots", "hat", next: "2", total: 7)])
        var actions = server.actions
        actions.sleep = { _ in Issue.record("The empty text was debounced.") }
        let viewModel = CatalogViewModel(actions)
        #expect(viewModel.phase == .idle && viewModel.rows.isEmpty && !viewModel.hasNextPage)

        try await viewModel.search("")

        #expect(server.requests == [":first"] && viewModel.ids == ["boots", "hat"])
        #expect(viewModel.rows.map(\.title) == ["boots", "hat"])
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
                loadPage: { _, _ in try await held.hold() },
                sleep: { _ in try await sleeping.hold() }
            )
        )

        let search = await started { try await viewModel.search(text) }
        #expect(viewModel.phase == .loading)
        if !text.isEmpty { try sleeping.release() }
        await held.waitForCalls(1)
        #expect(viewModel.phase == .loading)
        #expect(!viewModel.isShowingPreviousResults)

        try held.release(returning: .of("boots"))
        try await search.value
        #expect(viewModel.phase == .loaded)
    }

    // Rule: catalog/text-is-debounced (3)
    @Test func `a text is requested once, after its debounce interval`() async throws {
        let server = PageServer(["boots:first": .of("boots"), "hats:first": .of("hat")])
        var actions = server.actions
        actions.sleep = { server.requests.append("\($0)") }
        let viewModel = CatalogViewModel(actions)

        try await viewModel.search("boots")
        viewModel.debounce = .seconds(1)
        try await viewModel.search("hats")

        #expect(
            server.requests == ["0.3 seconds", "boots:first", "1.0 seconds", "hats:first"]
        )
    }

    // Rule: catalog/white-space-is-ignored (5)
    @Test(arguments: [" boots", "boots \n", "\t boots\u{3000}"])
    func `white space around a text is ignored`(text: String) async throws {
        let server = PageServer(["boots:first": .of("boots"), ":first": .of("hat")])
        let viewModel = CatalogViewModel(server.actions)

        for text in [text, "boots"] { try await viewModel.search(text) }
        #expect(server.requests == ["boots:first"] && viewModel.query == "boots")

        try await viewModel.search("  \n")
        #expect(server.requests == ["boots:first", ":first"] && viewModel.query == "")
    }

    // Rule: catalog/short-text-requests-nothing (6)
    @Test func `a text that is too short requests nothing and leaves the rows unchanged`()
        async throws
    {
        let server = PageServer()
        server.pages["靴:first"] = .of("boots", next: "2")
        server.pages["hat:first"] = .of("hat")
        let viewModel = CatalogViewModel(server.actions)
        #expect(viewModel.minimumLength == 1)
        try await viewModel.search("靴")
        viewModel.minimumLength = 3

        for text in ["ha", " ha "] { try await viewModel.search(text) }
        #expect(server.requests == ["靴:first"] && viewModel.ids == ["boots"])
        #expect(viewModel.query == "靴" && viewModel.phase == .loaded && viewModel.hasNextPage)

        for text in ["hat", ""] { try await viewModel.search(text) }
        #expect(server.requests == ["靴:first", "hat:first", ":first"])
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
        #expect(viewModel.phase == .idle)
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
        let server = PageServer()
        let viewModel = CatalogViewModel(server.actions)
        viewModel.minimumLength = 2
        if hasRows { try await viewModel.search("") }
        server.failure = Offline()
        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        if isRepeated { await #expect(throws: Offline()) { try await viewModel.refresh() } }

        try await viewModel.search("h")

        #expect(viewModel.phase == (hasRows ? .loaded : .idle) && viewModel.lastError == nil)
        #expect(viewModel.isShowingPreviousResults == hasRows)
    }

    // Rule: catalog/failed-refresh-keeps-rows (33); catalog/failed-search-is-discarded (55)
    @Test func `a text that is too short leaves the failures of the rows shown`() async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        viewModel.minimumLength = 2
        server.failure = Offline()
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
        let server = PageServer([":first": .of("boots", next: "2", total: 3)])
        let viewModel = try await server.openCatalog()
        server.failure = Offline()

        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        #expect(viewModel.ids == ["boots"] && viewModel.query == "" && viewModel.total == 3)
        #expect(viewModel.hasNextPage && viewModel.isShowingPreviousResults)
        #expect(viewModel.lastError?.kind == .search && viewModel.phase == .failed)
        #expect(viewModel.lastError?.underlying as? Offline == Offline())

        viewModel.lastError = nil
        #expect(viewModel.phase == .failed && viewModel.lastError == nil)
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

    // Rule: catalog/empty-result-is-a-result (15); catalog/total-matches-rows (16)
    @Test func `a response without products is shown as an empty result, without a total`()
        async throws
    {
        let server = PageServer([":first": .of("boots", next: "2", total: 2)])
        let viewModel = try await server.openCatalog()
        #expect(viewModel.total == 2)
        server.pages["unicorns:first"] = .of()

        try await viewModel.search("unicorns")

        #expect(viewModel.rows.isEmpty && viewModel.phase == .loaded && !viewModel.hasNextPage)
        #expect(viewModel.query == "unicorns" && viewModel.lastError == nil)
        #expect(viewModel.total == nil)
    }
}
