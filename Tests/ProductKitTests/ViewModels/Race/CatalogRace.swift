import ProductKit

/// A model checker for the catalog, and for the screen of a product in it.
///
/// One run performs searches, a next page, a toggle of the favorite status, responses and failures
/// in one order. The order is chosen step by step: `EveryChoice` enumerates all orders,
/// `SeededChoice` draws random ones. The screens are real view models. The server is a model with
/// two pages for each query, and one product is on every page.
///
/// A response with a page has the favorite status either at the time of the request or at the time
/// of the response. A toggle is applied or rejected by the server before its response arrives.
///
/// These invariants are checked after every step:
///
/// - The rows, the query and `hasNextPage` belong to the last search whose response was applied.
/// - The product has the favorite status of the pending toggle, or else the one that the server
///   confirmed last, on its screen and in its row.
/// - `lastError`, `phase` and `isLoadingNextPage` belong to the newest request.
/// - No caller is stuck: all of them have ended, except those that wait for a response, and a next
///   page that waits for the search in flight.
///
/// These are checked at the end, when nothing is in flight:
///
/// - Every call has ended as expected: normally, with an error, or with a `CancellationError`.
/// - The toggle is not lost: the screen shows the status on the server.
@MainActor final class CatalogRace {
    /// The number of steps of each kind, and the events that can occur.
    struct Configuration {
        var searches = 2
        var pages = 1
        var toggles = 1
        /// Whether the delay of a search is suspended; otherwise it ends immediately.
        var suspendsDebounce = false
        /// The first step; `nil` for any.
        var first: Step?
    }

    /// The invariants that a run has violated, with the number of steps or calls.
    struct Violations {
        var rows = 0
        var flickers = 0
        var states = 0
        var ends = 0
        var hasLostToggle = false
        var isStuck = false

        var isEmpty: Bool { rows + flickers + states + ends == 0 && !hasLostToggle && !isStuck }
    }

    /// A step of a run, with the number of a suspended action.
    enum Step {
        case search, nextPage, toggle, endDebounce(Int), apply(Int), fail(Int)
        case respond(Int, isFavorite: Bool)
    }

    private enum Action { case debounce, page, toggle }

    /// A suspended action.
    private struct Call {
        let number: Int
        let action: Action
        /// The index of the caller.
        let caller: Int
        /// The number of steps before the call.
        let startedAt: Int
        /// The generation of the rows that were shown at the time of the call.
        let generation: Int
        /// The favorite status on the server at the time of the call.
        let statusAtStart: Bool
        let continuation: CheckedContinuation<Bool, any Error>
        /// The value to set; `nil` unless the action is a toggle.
        var value: Bool?
        /// The result of a toggle, as soon as the server has one.
        var result: Result<Bool, any Error>?
    }

    private enum Operation { case search, nextPage, toggle }

    private enum End { case success, failure, cancellation }

    /// A task that calls a view model.
    private struct Caller {
        let operation: Operation
        var query: ProductQuery = ""
        var value = false
        var end: End?
        var expectedEnd: End?
    }

    private struct Rejection: Error {}

    /// The products of each query apart from the boots, one for each page.
    private static let others: [ProductQuery: [Product.ID]] = [
        "": ["a", "b"], "hats": ["c", "d"], "caps": ["e", "f"],
    ]

    /// The index of the caller whose task is the current one.
    @TaskLocal private static var currentCaller = 0

    private(set) var steps: [Step] = []
    private var configuration: Configuration
    private var violations = Violations()
    @Observed private var calls: [Call] = []
    @Observed private var callers: [Caller] = []
    private var lastCall = 0

    /// The favorite status on the server.
    private var serverStatus = false
    /// The last status that the server confirmed, and when the request for it started.
    private var (confirmed, confirmedAt) = (false, 0)
    /// The caller of the search in flight.
    private var currentSearch: Int?
    /// The query, the number of pages and the generation of the rows that have to be shown.
    private var shown: (query: ProductQuery, pages: Int, generation: Int) = ("", 1, 0)
    private var expectedFailure: ViewModelFailure.Kind?
    /// The phase to show when no search is in flight.
    private var phaseAtRest = LoadingPhase.loaded

    private let store = ProductStore()
    private lazy var catalog = makeCatalog()
    private lazy var screen = makeScreen()

    init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// Performs steps until none is left, and checks the invariants.
    func run(_ choices: inout some Choosing) async -> Violations {
        try? await catalog.search("")
        _ = screen
        while true {
            let possible = possibleSteps()
            guard !possible.isEmpty, !violations.isStuck else { break }
            let first = steps.isEmpty ? configuration.first : nil
            await perform(first ?? possible[choices.choose(of: possible.count)])
            await waitUntilIdle()
            checkStep()
        }
        checkEnd()
        return violations
    }
}

// The steps.
extension CatalogRace {
    private func possibleSteps() -> [Step] {
        var possible: [Step] = []
        if configuration.searches > 0 { possible.append(.search) }
        if configuration.pages > 0 { possible.append(.nextPage) }
        if configuration.toggles > 0 { possible.append(.toggle) }
        for call in calls {
            switch call.action {
            case .debounce: possible.append(.endDebounce(call.number))
            case .page:
                possible.append(.fail(call.number))
                // A response that must be dropped has a wrong status, which must not be shown.
                guard isCurrent(call) else {
                    possible.append(.respond(call.number, isFavorite: !confirmed))
                    continue
                }
                possible.append(.respond(call.number, isFavorite: serverStatus))
                guard call.statusAtStart != serverStatus else { continue }
                possible.append(.respond(call.number, isFavorite: call.statusAtStart))
            case .toggle where call.result == nil:
                possible += [.apply(call.number), .fail(call.number)]
            case .toggle: possible.append(.respond(call.number, isFavorite: call.value == true))
            }
        }
        return possible
    }

    private func perform(_ step: Step) async {
        steps.append(step)
        switch step {
        case .search:
            let query: ProductQuery = configuration.searches.isMultiple(of: 2) ? "hats" : "caps"
            configuration.searches -= 1
            // A search for the query that is shown sends no request, and discards a failed search.
            let isShown = query == shown.query
            currentSearch = isShown ? nil : callers.count
            if isShown {
                phaseAtRest = .loaded
                if expectedFailure == .search { expectedFailure = nil }
            }
            let end: End? = isShown ? .success : nil
            await call(Caller(operation: .search, query: query, expectedEnd: end)) { [self] in
                try await catalog.search(query.text)
            }
        case .nextPage:
            configuration.pages -= 1
            await call(Caller(operation: .nextPage)) { [self] in try await catalog.loadNextPage() }
        case .toggle:
            configuration.toggles -= 1
            await call(Caller(operation: .toggle, value: !screen.isFavorite)) { [self] in
                try await screen.toggleProductFavoriteStatus()
            }
        case .endDebounce(let number):
            guard let call = removeCall(number) else { return }
            if call.caller != currentSearch { callers[call.caller].expectedEnd = .cancellation }
            call.continuation.resume(returning: true)
        case .apply(let number):
            guard let index = calls.firstIndex(where: { $0.number == number }) else { return }
            serverStatus = calls[index].value == true
            calls[index].result = .success(serverStatus)
        case .respond(let number, let isFavorite):
            guard let call = removeCall(number) else { return }
            let result = call.result ?? .success(isFavorite)
            updateModel(with: result, of: call)
            call.continuation.resume(with: result)
        case .fail(let number):
            guard let call = removeCall(number) else { return }
            updateModel(with: .failure(Rejection()), of: call)
            call.continuation.resume(throwing: Rejection())
        }
    }

    private func call(
        _ caller: Caller,
        _ body: @escaping @MainActor () async throws -> Void
    ) async {
        let index = callers.count
        callers.append(caller)
        await CatalogRace.$currentCaller.withValue(index) {
            _ = await started { [self] in
                do {
                    try await body()
                    callers[index].end = .success
                } catch {
                    callers[index].end = error is CancellationError ? .cancellation : .failure
                }
            }
        }
    }

    private func removeCall(_ number: Int) -> Call? {
        calls.firstIndex { $0.number == number }.map { calls.remove(at: $0) }
    }

    /// Suspends an action until a step resumes it.
    private func suspend(_ action: Action, value: Bool? = nil) async throws -> Bool {
        lastCall += 1
        let number = lastCall
        return try await withCheckedThrowingContinuation { continuation in
            calls.append(
                Call(
                    number: number,
                    action: action,
                    caller: CatalogRace.currentCaller,
                    startedAt: steps.count,
                    generation: shown.generation,
                    statusAtStart: serverStatus,
                    continuation: continuation,
                    value: value
                )
            )
        }
    }

    private func makeCatalog() -> CatalogViewModel {
        CatalogViewModel(
            .only(
                loadPage: { [unowned self] query, cursor in
                    let isFirst = query == "" && cursor == nil
                    let isFavorite = isFirst ? false : try await suspend(.page)
                    return page(of: query, at: cursor, isFavorite: isFavorite)
                },
                sleep: { [unowned self] _ in
                    if configuration.suspendsDebounce { _ = try await suspend(.debounce) }
                }
            ),
            store: store
        )
    }

    private func makeScreen() -> ProductViewModel {
        ProductViewModel(
            .only(toggleFavorite: { [unowned self] value in
                let isFavorite = try await suspend(.toggle, value: value)
                return .boots.with { $0.isFavorite = isFavorite }
            }),
            store: store
        )
    }

    /// A page with the boots and another product.
    ///
    /// Every page contains the boots, so that every response could change their favorite status.
    private func page(
        of query: ProductQuery,
        at cursor: PageCursor?,
        isFavorite: Bool
    ) -> Page<Product> {
        let boots = Product.boots.with { $0.isFavorite = isFavorite }
        let others = (CatalogRace.others[query] ?? []).map { Product(id: $0, name: "Other") }
        return cursor == nil ? Page([boots, others[0]], next: "2") : Page([others[1], boots])
    }
}

// The model and the invariants.
extension CatalogRace {
    /// Updates what the screens have to show, and how callers have to end.
    private func updateModel(with result: Result<Bool, any Error>, of call: Call) {
        let caller = callers[call.caller]
        guard isCurrent(call) else {
            callers[call.caller].expectedEnd = .cancellation
            return
        }
        switch (result, caller.operation) {
        case (.failure, let operation):
            callers[call.caller].expectedEnd = .failure
            if operation == .search {
                (expectedFailure, phaseAtRest, currentSearch) = (.search, .failed, nil)
            }
            if operation == .nextPage { expectedFailure = .nextPage }
        case (.success(let isFavorite), .toggle):
            callers[call.caller].expectedEnd = .success
            (confirmed, confirmedAt) = (isFavorite, steps.count)
        case (.success(let isFavorite), let operation):
            callers[call.caller].expectedEnd = .success
            if call.startedAt > confirmedAt {
                (confirmed, confirmedAt) = (isFavorite, call.startedAt)
            }
            if operation == .nextPage {
                shown.pages += 1
                if expectedFailure == .nextPage { expectedFailure = nil }
            } else {
                showRows(of: caller.query)
            }
        }
    }

    /// Whether the response to a call is applied; otherwise it is superseded.
    private func isCurrent(_ call: Call) -> Bool {
        switch callers[call.caller].operation {
        case .search: call.caller == currentSearch
        case .nextPage: call.generation == shown.generation
        case .toggle: true
        }
    }

    private func showRows(of query: ProductQuery) {
        shown = (query, 1, shown.generation + 1)
        (expectedFailure, phaseAtRest, currentSearch) = (nil, .loaded, nil)
        // A next page that was waiting for the search is cancelled without a request.
        for index in callers.indices where callers[index].operation == .nextPage {
            let isRequested = calls.contains { $0.caller == index }
            if callers[index].end == nil, !isRequested {
                callers[index].expectedEnd = .cancellation
            }
        }
    }

    /// Lets tasks run until all callers have ended or wait for a response.
    ///
    /// Only a run that violates an invariant reaches the time limit of its test.
    private func waitUntilIdle() async {
        if await !eventually({ isIdle }) { violations.isStuck = true }
    }

    private var isIdle: Bool {
        callers.indices.allSatisfy { index in
            let caller = callers[index]
            if caller.end != nil { return true }
            if caller.expectedEnd != nil { return false }
            return calls.contains { $0.caller == index }
                || caller.operation == .nextPage && currentSearch != nil
        }
    }

    private func checkStep() {
        let others = (CatalogRace.others[shown.query] ?? []).prefix(shown.pages)
        let hasRightRows =
            catalog.ids == [Product.boots.id] + others && catalog.query == shown.query
            && catalog.hasNextPage == (shown.pages == 1)
        if !hasRightRows { violations.rows += 1 }

        let pending = callers.first { $0.operation == .toggle && $0.end == nil }?.value
        let statuses = [screen.isFavorite] + catalog.rows.prefix(1).map(\.isFavorite)
        if statuses.contains(where: { $0 != pending ?? confirmed }) { violations.flickers += 1 }

        let isLoadingNextPage = calls.contains {
            callers[$0.caller].operation == .nextPage && $0.generation == shown.generation
        }
        let hasRightState =
            catalog.lastError?.kind == expectedFailure
            && catalog.phase == (currentSearch == nil ? phaseAtRest : .loading)
            && catalog.isLoadingNextPage == isLoadingNextPage
        if !hasRightState { violations.states += 1 }
    }

    private func checkEnd() {
        violations.ends = callers.count {
            $0.end == nil || $0.expectedEnd != nil && $0.end != $0.expectedEnd
        }
        violations.hasLostToggle = serverStatus != screen.isFavorite
    }
}
