import ProductKit

/// One run of taps, reloads and answers in an order that is chosen step by step, with a server of
/// one product and one or more screens of it.
///
/// What is tapped is the star, or the place in a list.
///
/// An edit has three moments: it is asked by the screen, carried out or refused by the server, and
/// answered. After every step the screens must show what was confirmed plus what is pending.
@MainActor final class Race {
    struct Rules {
        var isAboutList = false
        /// Whether a cache lies between the screens and the server.
        var isCached = false
        /// How many screens are opened with what is stored, while all else goes on.
        var openings = 0
        var screens = 1
        var taps = 2
        var reloads = 1
        var refusals = true
        var cancellations = 0
        var losses = false
        var deletions = 0
    }

    /// What went wrong: a moment with the wrong star, a wrong star at rest, a lost tap, a standstill.
    struct Verdict {
        var flickers = 0
        var isWrong = false
        var isLost = false
        var isStuck = false
        var isGood: Bool { flickers == 0 && !isWrong && !isLost && !isStuck }
    }

    enum Step {
        case tap, reload, open, carryOut(Int), refuse(Int), lose(Int), answer(Int), cancel(Int),
            delete
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

    let store = ProductStore()
    /// What loads the product, over a cache.
    lazy var loader = makeLoader()
    /// How often the server said that what is stored is still good.
    var confirmations = 0
    /// How many screens were opened with what is stored.
    var opened = 0

    var steps: [Step] = []
    var verdict = Verdict()
    var rules: Rules
    var screens: [Screen] = []
    var server: Product? = .boots
    var calls: [Call] = []
    var taps: [Tap] = []
    var lastCall = 0
    var answered: Int?
    var reloadsRunning = 0
    var confirmed = false
    var confirmedAt = 0
    var isAbsent = false
    var contentAt = 0
    var isServersStateUnknown = false
    /// Whether a call was cancelled, so that no screen can know whether it was carried out.
    var isInDoubt = false

    init(_ rules: Rules) {
        self.rules = rules
        for _ in 0..<rules.screens {
            screens.append(rules.isAboutList ? listScreen(in: store) : starScreen(in: store))
        }
    }

    /// Runs to the end, and judges.
    func run(_ choices: inout some Choosing) async -> Verdict {
        if rules.isCached { await fillCache() }
        while true {
            let possible = possibleSteps()
            guard !possible.isEmpty, !verdict.isStuck else { break }
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
        if rules.openings > 0 { possible.append(.open) }
        if rules.deletions > 0 { possible.append(.delete) }
        for call in calls {
            guard call.outcome == nil else {
                possible.append(.answer(call.number))
                continue
            }
            possible.append(.carryOut(call.number))
            if rules.refusals { possible.append(.refuse(call.number)) }
            if rules.losses, call.wish != nil { possible.append(.lose(call.number)) }
        }
        if rules.cancellations > 0 {
            possible += taps.indices.filter { taps[$0].hasSucceeded == nil }.map(Step.cancel)
        }
        return possible
    }

    func take(_ step: Step) async {
        switch step {
        case .tap: await tap()
        case .reload:
            rules.reloads -= 1
            reloadsRunning += 1
            _ = await started { [self] in
                try? await screens[0].reload()
                reloadsRunning -= 1
            }
        case .open: await openStored()
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
        taps.append(Tap(wish: !screen.isOn()))
        taps[index].task = await Race.$currentTap.withValue(index) {
            await started { [self] in
                do {
                    try await screen.tap()
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
        learn(outcome, from: call)
        call.continuation.resume(with: outcome)
    }

    /// What the screens may believe from now on.
    private func learn(_ outcome: Result<Product, any Error>, from call: Call) {
        switch outcome {
        case .success where isAbsent && call.askedAt < contentAt: return
        case .success(let product):
            if call.wish != nil || call.askedAt > confirmedAt {
                confirmed = product.isFavorite
                confirmedAt = call.wish == nil ? call.askedAt : steps.count
            }
            if call.askedAt > contentAt { (contentAt, isAbsent) = (call.askedAt, false) }
        case .failure(let error):
            guard error is ProductError, call.askedAt > contentAt else { return }
            (contentAt, isAbsent) = (call.askedAt, true)
        }
    }

    private func update(_ number: Int, _ change: (inout Call) -> Void) {
        guard let index = calls.firstIndex(where: { $0.number == number }) else { return }
        change(&calls[index])
    }

    /// An action in flight.
    func hold(_ wish: Bool?) async throws -> Product {
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
        isInDoubt = true
        if case .success = call.outcome { isServersStateUnknown = true }
        call.continuation.resume(throwing: CancellationError())
    }
}

extension Product.ID {
    fileprivate static let boots = Product.boots.id
}
