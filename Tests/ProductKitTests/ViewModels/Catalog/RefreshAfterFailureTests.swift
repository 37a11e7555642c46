import ProductKit
import Testing

/// Refreshes after failures and of empty screens, and failures that new rows clear.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct RefreshAfterFailureTests {
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
    }
}
