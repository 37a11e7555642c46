import ProductKit

/// One run of taps, reloads and answers in an order that is chosen step by step, with a server of
/// one product and one or more screens of it.
///
/// An edit has three moments: it is asked by the screen, carried out or refused by the server, and
/// answered. After every step the screens must show what was confirmed plus what is pending.
@MainActor final class Race {
    struct Rules {
        var screens = 1
        var taps = 2
        var reloads = 1
        var refusals = true
        var cancellations = 0
        var losses = false
        var deletions = 0
    }

    /// What went wrong: a moment with the wrong star, a wrong star at rest, a lost tap.
    struct Verdict {
        var flickers = 0
        var isWrong = false
        var isLost = false
        var isGood: Bool { flickers == 0 && !isWrong && !isLost }
    }

    enum Step {
        case tap, reload, carryOut(Int), refuse(Int), lose(Int), answer(Int), cancel(Int), delete
    }

    struct Call {
        let number: Int
        let tap: Int?
        let wish: Bool?
        let askedAt: Int
        let continuation: CheckedContinuation<Product, any Error>
        var outcome: Result<Product, any Error>?
    }

    struct Tap {
        let wish: Bool
        var task: Task<Void, any Error>?
        var hasSucceeded: Bool?
    }

    struct Refusal: Error {}

    /// Which tap a task is about.
    @TaskLocal private static var currentTap: Int?

    private(set) var steps: [Step] = []
    private(set) var verdict = Verdict()
    private var rules: Rules
    private var screens: [ProductViewModel] = []
    private var server: Product? = .boots
    private var calls: [Call] = []
    private var taps: [Tap] = []
    private var lastCall = 0
    private var answered: Int?
    private var reloadsRunning = 0
    private var confirmed = false
    private var confirmedAt = 0
    private var isServersStateUnknown = false

    init(_ rules: Rules) {
        self.rules = rules
        let store = ProductStore()
        for _ in 0..<rules.screens {
            let actions = ProductViewModel.Actions.only(
                reload: { [unowned self] in try await hold(nil) },
                toggleFavorite: { [unowned self] isFavorite in try await hold(isFavorite) }
            )
            screens.append(ProductViewModel(actions, store: store))
        }
    }

    /// Runs to the end, and judges.
    func run(_ choices: inout some Choosing) async -> Verdict {
        while true {
            let possible = possibleSteps()
            guard !possible.isEmpty else { break }
            let step = possible[choices.choose(of: possible.count)]
            steps.append(step)
            await take(step)
            await rest(after: step)
            judgeMoment()
        }
        await judgeEnd()
        return verdict
    }
}

extension Race {
    private func possibleSteps() -> [Step] {
        var possible: [Step] = []
        if rules.taps > 0 { possible.append(.tap) }
        if rules.reloads > 0 { possible.append(.reload) }
        if rules.deletions > 0 { possible.append(.delete) }
        for call in calls {
            guard call.outcome == nil else {
                possible.append(.answer(call.number))
                continue
            }
            possible.append(.carryOut(call.number))
            if rules.refusals, call.wish != nil { possible.append(.refuse(call.number)) }
            if rules.losses, call.wish != nil { possible.append(.lose(call.number)) }
        }
        if rules.cancellations > 0 {
            possible += taps.indices.filter { taps[$0].hasSucceeded == nil }.map(Step.cancel)
        }
        return possible
    }

    private func take(_ step: Step) async {
        switch step {
        case .tap: await tap()
        case .reload:
            rules.reloads -= 1
            reloadsRunning += 1
            _ = await started { [self] in
                try? await screens[0].reload()
                reloadsRunning -= 1
            }
        case .carryOut(let number): carryOut(number)
        case .refuse(let number): update(number) { $0.outcome = .failure(Refusal()) }
        case .lose(let number):
            carryOut(number)
            isServersStateUnknown = true
            update(number) { $0.outcome = .failure(Refusal()) }
        case .answer(let number): answer(number)
        case .cancel(let index):
            rules.cancellations -= 1
            abandonCall(of: index)
            taps[index].task?.cancel()
        case .delete:
            rules.deletions -= 1
            server = server == nil ? .boots : nil
            isServersStateUnknown = true
        }
    }

    private func tap() async {
        rules.taps -= 1
        let screen = screens[taps.count % screens.count]
        let index = taps.count
        taps.append(Tap(wish: !screen.isFavorite))
        taps[index].task = await Race.$currentTap.withValue(index) {
            await started { [self] in
                do {
                    try await screen.toggleProductFavoriteStatus()
                    taps[index].hasSucceeded = true
                } catch {
                    taps[index].hasSucceeded = false
                }
            }
        }
    }

    private func carryOut(_ number: Int) {
        update(number) { call in
            if let wish = call.wish { server?.isFavorite = wish }
            call.outcome = server.map { .success($0) } ?? .failure(ProductError.notFound(.boots))
        }
    }

    private func answer(_ number: Int) {
        guard let index = calls.firstIndex(where: { $0.number == number }) else { return }
        let call = calls.remove(at: index)
        answered = call.tap
        guard let outcome = call.outcome else { return }
        if case .success(let product) = outcome {
            if call.wish != nil {
                confirmed = product.isFavorite
                confirmedAt = steps.count
            } else if call.askedAt > confirmedAt {
                confirmed = product.isFavorite
                confirmedAt = call.askedAt
            }
        }
        call.continuation.resume(with: outcome)
    }

    private func update(_ number: Int, _ change: (inout Call) -> Void) {
        guard let index = calls.firstIndex(where: { $0.number == number }) else { return }
        change(&calls[index])
    }

    /// An action in flight.
    private func hold(_ wish: Bool?) async throws -> Product {
        lastCall += 1
        let number = lastCall
        return try await withCheckedThrowingContinuation { continuation in
            calls.append(
                Call(
                    number: number,
                    tap: Race.currentTap,
                    wish: wish,
                    askedAt: steps.count,
                    continuation: continuation
                )
            )
        }
    }

    /// Ends the action of a cancelled tap, as a transport does at once, whatever the server did.
    private func abandonCall(of tap: Int) {
        guard let index = calls.firstIndex(where: { $0.tap == tap }) else { return }
        let call = calls.remove(at: index)
        if case .success = call.outcome { isServersStateUnknown = true }
        call.continuation.resume(throwing: CancellationError())
    }
}

extension Race {
    /// Lets everything that a step has set off get as far as it can.
    ///
    /// The bound ends only runs that go wrong: where somebody waits, and nobody is being served.
    private func rest(after step: Step) async {
        for _ in 0..<1_000 {
            guard !isAtRest(after: step) else { return }
            await Task.yield()
        }
    }

    private func isAtRest(after step: Step) -> Bool {
        switch step {
        case .answer where answered.map { taps[$0].hasSucceeded == nil } == true: return false
        case .cancel(let index) where taps[index].hasSucceeded == nil: return false
        default: break
        }
        let reloads = calls.count { $0.wish == nil }
        let edits = calls.count - reloads
        return reloadsRunning == reloads
            && (edits > 0 || taps.allSatisfy { $0.hasSucceeded != nil })
    }

    private func judgeMoment() {
        let pending = taps.last { $0.hasSucceeded == nil }?.wish
        if screens.contains(where: { $0.isFavorite != pending ?? confirmed }) {
            verdict.flickers += 1
        }
    }

    private func judgeEnd() async {
        if isServersStateUnknown {
            // An answer was lost: only the server can tell, so the screen asks, as a user would.
            rules.reloads = 1
            for step in [Step.reload, .carryOut(lastCall + 1), .answer(lastCall + 1)] {
                steps.append(step)
                await take(step)
                await rest(after: step)
            }
        } else {
            let wanted = taps.last { $0.hasSucceeded == true }?.wish ?? false
            verdict.isLost = server?.isFavorite != wanted
        }
        verdict.isWrong = screens.contains { screen in
            guard let server else { return screen.phase != .deleted }
            return screen.isFavorite != server.isFavorite
        }
        if taps.contains(where: { $0.hasSucceeded == nil }) || !calls.isEmpty {
            verdict.isWrong = true
        }
    }
}

extension Product.ID {
    fileprivate static let boots = Product.boots.id
}
