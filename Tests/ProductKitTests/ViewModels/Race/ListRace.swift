import ProductKit

/// One run of searches, a next page and a tap on a product's screen, in an order that is chosen step
/// by step.
///
/// A page is asked for and then fails or is answered, with the star that the server had then or has
/// now. A tap is carried out or refused in between. After every step the rows must be those of the
/// query shown, the stars what was confirmed plus what is pending, and the error the newest one's.
@MainActor final class ListRace {
    struct Rules {
        var searches = 2
        var pages = 1
        var taps = 1
        var rests = false
        /// Which of the possible steps comes first; `nil` for any.
        var first: Int?
    }

    /// What went wrong: moments with wrong rows, a wrong star or a wrong error, callers with a wrong
    /// end, a tap that the server has not, a standstill.
    struct Verdict {
        var rows = 0
        var flickers = 0
        var errors = 0
        var ends = 0
        var isLost = false
        var isStuck = false
        var isGood: Bool { rows + flickers + errors + ends == 0 && !isLost && !isStuck }
    }

    enum Step {
        case search, nextPage, tap, wake(Int), answer(Int, isFavorite: Bool), fail(Int)
        case carryOut(Int)
    }

    enum Effect: Equatable { case sleep, page, tap }

    struct Call {
        let number: Int
        let effect: Effect
        let caller: Int
        let askedAt: Int
        let list: Int
        let favoriteThen: Bool
        let continuation: CheckedContinuation<Bool, any Error>
        var wish: Bool?
        var outcome: Result<Bool, any Error>?
    }

    enum End { case success, refusal, cancellation }

    struct Caller {
        let kind: Effect
        var query: ProductQuery = ""
        var wish = false
        var end: End?
        var expected: End?
    }

    struct Refusal: Error {}

    /// What each query finds beside the boots, one on each page.
    static let others: [ProductQuery: [Product.ID]] = [
        "": ["a", "b"], "hats": ["c", "d"], "caps": ["e", "f"],
    ]

    /// Which caller a task is of.
    @TaskLocal static var current = 0

    var steps: [Step] = []
    var verdict = Verdict()
    var rules: Rules
    var calls: [Call] = []
    var callers: [Caller] = []
    var lastCall = 0

    var serverFavorite = false
    var confirmed = false
    var confirmedAt = 0
    var searching: Int?
    var shown: (query: ProductQuery, pages: Int, list: Int) = ("", 1, 0)
    var failure: ViewModelFailure.Kind?
    var outcome = LoadingPhase.loaded

    let store = ProductStore()
    private(set) lazy var list = makeList()
    private(set) lazy var screen = makeScreen()

    init(_ rules: Rules) {
        self.rules = rules
    }

    /// Runs to the end, and judges.
    func run(_ choices: inout some Choosing) async -> Verdict {
        try? await list.search("")
        _ = screen
        while true {
            let possible = possibleSteps()
            guard !possible.isEmpty, !verdict.isStuck else { break }
            let first = steps.isEmpty ? rules.first : nil
            let step = possible[first ?? choices.choose(of: possible.count)]
            steps.append(step)
            await take(step)
            await rest()
            judgeMoment()
        }
        judgeEnd()
        return verdict
    }
}

extension ListRace {
    private func possibleSteps() -> [Step] {
        var possible: [Step] = []
        if rules.searches > 0 { possible.append(.search) }
        if rules.pages > 0 { possible.append(.nextPage) }
        if rules.taps > 0 { possible.append(.tap) }
        for call in calls {
            switch call.effect {
            case .sleep: possible.append(.wake(call.number))
            case .page:
                possible.append(.fail(call.number))
                // What must be dropped brings the wrong star.
                guard isWanted(call) else {
                    possible.append(.answer(call.number, isFavorite: !confirmed))
                    continue
                }
                possible.append(.answer(call.number, isFavorite: serverFavorite))
                guard call.favoriteThen != serverFavorite else { continue }
                possible.append(.answer(call.number, isFavorite: call.favoriteThen))
            case .tap where call.outcome == nil:
                possible += [.carryOut(call.number), .fail(call.number)]
            case .tap: possible.append(.answer(call.number, isFavorite: call.wish == true))
            }
        }
        return possible
    }

    private func take(_ step: Step) async {
        switch step {
        case .search:
            let query: ProductQuery = rules.searches.isMultiple(of: 2) ? "hats" : "caps"
            rules.searches -= 1
            // What is shown already is not asked for.
            let isShown = query == shown.query && outcome == .loaded
            searching = isShown ? nil : callers.count
            let caller = Caller(kind: .sleep, query: query, expected: isShown ? .success : nil)
            await call(caller) { [self] in
                try await list.search(query.text)
            }
        case .nextPage:
            rules.pages -= 1
            await call(Caller(kind: .page)) { [self] in try await list.loadNextPage() }
        case .tap:
            rules.taps -= 1
            await call(Caller(kind: .tap, wish: !screen.isFavorite)) { [self] in
                try await screen.toggleProductFavoriteStatus()
            }
        case .wake(let number):
            guard let call = remove(number) else { return }
            if call.caller != searching { callers[call.caller].expected = .cancellation }
            call.continuation.resume(returning: true)
        case .carryOut(let number):
            guard let index = calls.firstIndex(where: { $0.number == number }) else { return }
            serverFavorite = calls[index].wish == true
            calls[index].outcome = .success(serverFavorite)
        case .answer(let number, let isFavorite):
            guard let call = remove(number) else { return }
            let outcome = call.outcome ?? .success(isFavorite)
            learn(outcome, from: call)
            call.continuation.resume(with: outcome)
        case .fail(let number):
            guard let call = remove(number) else { return }
            learn(.failure(Refusal()), from: call)
            call.continuation.resume(throwing: Refusal())
        }
    }

    private func makeList() -> CatalogViewModel {
        CatalogViewModel(
            .only(
                loadPage: { [unowned self] query, cursor in
                    let isFirst = query == "" && cursor == nil
                    let isFavorite = isFirst ? false : try await hold(.page)
                    return page(of: query, at: cursor, isFavorite: isFavorite)
                },
                sleep: { [unowned self] _ in if rules.rests { _ = try await hold(.sleep) } }
            ),
            store: store
        )
    }

    private func makeScreen() -> ProductViewModel {
        ProductViewModel(
            .only(toggleFavorite: { [unowned self] wish in
                let isFavorite = try await hold(.tap, wish: wish)
                return .boots.with { $0.isFavorite = isFavorite }
            }),
            store: store
        )
    }

    private func call(
        _ caller: Caller,
        _ body: @escaping @MainActor () async throws -> Void
    ) async {
        let index = callers.count
        callers.append(caller)
        await ListRace.$current.withValue(index) {
            _ = await started { [self] in
                do {
                    try await body()
                    callers[index].end = .success
                } catch {
                    callers[index].end = error is CancellationError ? .cancellation : .refusal
                }
            }
        }
    }

    private func remove(_ number: Int) -> Call? {
        calls.firstIndex { $0.number == number }.map { calls.remove(at: $0) }
    }

    /// An action in flight.
    private func hold(_ effect: Effect, wish: Bool? = nil) async throws -> Bool {
        lastCall += 1
        let number = lastCall
        return try await withCheckedThrowingContinuation { continuation in
            calls.append(
                Call(
                    number: number,
                    effect: effect,
                    caller: ListRace.current,
                    askedAt: steps.count,
                    list: shown.list,
                    favoriteThen: serverFavorite,
                    continuation: continuation,
                    wish: wish
                )
            )
        }
    }

    /// Every page holds the boots, so every page could bring a star back.
    private func page(
        of query: ProductQuery,
        at cursor: PageCursor?,
        isFavorite: Bool
    ) -> Page<Product> {
        let boots = Product.boots.with { $0.isFavorite = isFavorite }
        let others = (ListRace.others[query] ?? []).map { Product(id: $0, name: "Other") }
        return cursor == nil ? Page([boots, others[0]], next: "2") : Page([others[1], boots])
    }
}
