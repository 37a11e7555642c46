import Foundation
import ProductKit
import Synchronization

/// A model checker for screens whose edits an outbox saves.
///
/// One run performs edits, reloads, outages, refusals and restarts in one order. The order is chosen
/// step by step: `EveryChoice` enumerates all orders, `SeededChoice` draws random ones. The screens,
/// their store and the outbox are real. The server is a model with one value: the favorite status of a
/// product, or its membership in a list.
///
/// An attempt to send a change has three steps, which interleave with other steps: the outbox sends
/// it, the server applies or refuses it, and the response arrives or is lost. Or it does not reach the
/// server. A restart replaces everything except the bytes of the outbox.
///
/// These invariants are checked after every step:
///
/// - Every screen shows the value of the last change that waits. If none waits, it shows the last value
///   that the server confirmed.
/// - The value has changed at most once in the step, and not at all if it is the same as before.
/// - Every screen marks the value as unsent while a change waits.
/// - The next change is sent, unless an outage delays it.
///
/// These are checked at the end, when nothing waits:
///
/// - The server has the value of the last edit, unless it has refused it.
/// - The changes were applied in the order of saving, and each once if the server recognizes them.
/// - After a reload, every screen shows the value on the server.
@MainActor final class OutageRace {
    /// The number of steps of each kind, and the kind of the server.
    struct Configuration {
        /// Whether edits change the membership in a list instead of the favorite status.
        var editsMembership = false
        var screens = 1
        var edits = 2
        var reloads = 0
        var refusals = 0
        /// The number of attempts whose response is lost.
        var lostResponses = 0
        /// The number of attempts that do not reach the server.
        var outages = 0
        var restarts = 0
        /// Whether the server recognizes a change that it has applied already.
        var recognizesChanges = true
        /// Whether a confirmation contains the product.
        var returnsProduct = true
    }

    /// An invariant that a run has violated.
    enum Violation {
        /// A screen showed a wrong value after a step, another value for a moment, or a wrong mark.
        case wrongValue, flicker, wrongMark
        case wrongEnd, lostEdit, wrongOrder, isStuck
    }

    /// A step of a run, with the number of a request.
    enum Step {
        case edit, reload, apply(Int), refuse(Int), loseResponse(Int), miss(Int), respond(Int)
        case resume, restart
    }

    /// A request in flight.
    private struct Call {
        let number: Int
        /// The change that is sent; `nil` for a reload.
        let change: Outbox.Change?
        /// The number of steps before the request started.
        let startedAt: Int
        let continuation: CheckedContinuation<Bool, any Error>
        /// The value that the server returns, as soon as it has one.
        var result: Result<Bool, any Error>?
    }

    /// The configuration, with the numbers of the steps that are left.
    private(set) var configuration: Configuration
    private(set) var steps: [Step] = []

    private var violations: Set<Violation> = []
    private var session: OutageSession
    @Observed private var calls: [Call] = []
    private var lastCall = 0
    private var editsMade = 0
    @Observed private var reloadsInFlight = 0
    /// The number of attempts of this session that have ended.
    private var outcomes = 0

    /// Whether an outage delays the next attempt.
    private var isDelayed = false

    /// The value on the server.
    private var server = false
    /// The changes in the order of saving, and those that the server has applied, in their order.
    private var (saved, applied): ([Outbox.Change.ID], [Outbox.Change.ID]) = ([], [])
    private var refused: Set<Outbox.Change.ID> = []
    private var lastEdit: (value: Bool, change: Outbox.Change.ID)?
    /// The last value that the server confirmed, and when the request for it started.
    private var (confirmed, confirmedAt) = (false, 0)

    init(_ configuration: Configuration) {
        self.configuration = configuration
        session = OutageSession(configuration, storage: .inMemory())
        session.open(for: self)
    }

    /// Performs steps until none is left, and checks the invariants.
    func run(_ choices: inout some Choosing) async -> Set<Violation> {
        while true {
            let possible = possibleSteps()
            guard !possible.isEmpty, !violations.contains(.isStuck) else { break }
            await perform(possible[choices.choose(of: possible.count)])
        }
        await checkEnd()
        await end(session)
        return violations
    }

    /// Suspends a request until its response arrives.
    func suspend(_ change: Outbox.Change?, of session: OutageSession) async throws -> Bool {
        // An attempt of an earlier session may start after the restart.
        guard session === self.session else { throw CancellationError() }
        lastCall += 1
        let number = lastCall
        return try await withCheckedThrowingContinuation { continuation in
            calls.append(
                Call(
                    number: number,
                    change: change,
                    startedAt: steps.count,
                    continuation: continuation
                )
            )
        }
    }
}

// The steps.
extension OutageRace {
    private var waiting: [Outbox.Change] { session.outbox.changes }
    private var attempts: [Call] { calls.filter { $0.change != nil } }

    private func possibleSteps() -> [Step] {
        var possible: [Step] = []
        if configuration.edits > 0 { possible.append(.edit) }
        if configuration.reloads > 0 { possible.append(.reload) }
        if configuration.restarts > 0 { possible.append(.restart) }
        if attempts.isEmpty, !waiting.isEmpty { possible.append(.resume) }
        for call in calls {
            guard call.result == nil else {
                possible.append(.respond(call.number))
                continue
            }
            possible.append(.apply(call.number))
            guard let change = call.change else { continue }
            // A server that has applied a change does not refuse it later.
            if configuration.refusals > 0, !applied.contains(change.id) {
                possible.append(.refuse(call.number))
            }
            if configuration.lostResponses > 0 { possible.append(.loseResponse(call.number)) }
            if configuration.outages > 0 { possible.append(.miss(call.number)) }
        }
        return possible
    }

    /// Performs a step, waits until its effects have ended, and checks the invariants.
    private func perform(_ step: Step) async {
        steps.append(step)
        let before = session.values
        session.resetNotifications()
        switch step {
        case .edit:
            isDelayed = false
            await edit()
        case .reload: await reload()
        case .apply(let number): apply(number)
        case .refuse(let number):
            configuration.refusals -= 1
            update(number) { $0.result = .failure(NetworkError(.forbidden)) }
        case .loseResponse(let number):
            configuration.lostResponses -= 1
            apply(number)
            update(number) { $0.result = .failure(NetworkError(.connectionLost)) }
            respond(to: number)
            isDelayed = true
        case .miss(let number):
            configuration.outages -= 1
            update(number) { $0.result = .failure(NetworkError(.unreachable)) }
            respond(to: number)
            isDelayed = true
        case .respond(let number): respond(to: number)
        case .resume:
            isDelayed = false
            session.outbox.resume()
        case .restart: await restart()
        }
        await waitUntilIdle()
        if case .edit = step { recordEdit() }
        if case .restart = step {
            session.resetNotifications()
        } else {
            checkFlickers(since: before)
        }
        checkStep()
    }

    /// Toggles the value on the next screen, which returns when the change is saved.
    private func edit() async {
        configuration.edits -= 1
        let screen = session.screens[editsMade % session.screens.count]
        editsMade += 1
        do { try await screen.toggle() } catch { violations.insert(.lostEdit) }
    }

    private func recordEdit() {
        guard let change = waiting.last else {
            violations.insert(.lostEdit)
            return
        }
        lastEdit = (session.values[0], change.id)
        if !saved.contains(change.id) { saved.append(change.id) }
        if change.edit.value != lastEdit?.value { violations.insert(.lostEdit) }
    }

    private func reload() async {
        configuration.reloads -= 1
        reloadsInFlight += 1
        let session = session
        _ = await started { [self] in
            try? await session.screens[0].reload()
            if session === self.session { reloadsInFlight -= 1 }
        }
    }

    /// Lets the server apply a request.
    private func apply(_ number: Int) {
        update(number) { call in
            if let change = call.change {
                let isKnown = applied.contains(change.id)
                if !isKnown { applied.append(change.id) }
                if !isKnown || !configuration.recognizesChanges {
                    server = change.edit.value ?? server
                }
            }
            call.result = .success(server)
        }
    }

    private func respond(to number: Int) {
        guard let index = calls.firstIndex(where: { $0.number == number }) else { return }
        let call = calls.remove(at: index)
        guard let result = call.result else { return }
        if let change = call.change {
            outcomes += 1
            if case .failure(let error as NetworkError) = result, error.code == .forbidden {
                refused.insert(change.id)
            }
        }
        if let value = try? result.get() {
            if let change = call.change {
                let returnsValue = configuration.returnsProduct && !configuration.editsMembership
                confirmed = returnsValue ? value : change.edit.value ?? value
                confirmedAt = steps.count
            } else if call.startedAt > confirmedAt {
                (confirmed, confirmedAt) = (value, call.startedAt)
            }
        }
        call.continuation.resume(with: result)
    }

    private func update(_ number: Int, _ change: (inout Call) -> Void) {
        guard let index = calls.firstIndex(where: { $0.number == number }) else { return }
        change(&calls[index])
    }

    /// Ends the process, and opens the screens with the first value, as from a cache.
    private func restart() async {
        configuration.restarts -= 1
        let former = session
        session = OutageSession(configuration, storage: former.copyOfStorage())
        await end(former)
        (reloadsInFlight, outcomes, isDelayed) = (0, 0, false)
        (confirmed, confirmedAt) = (false, steps.count)
        session.open(for: self)
        try? await session.outbox.open()
    }

    /// Ends the requests of a session that has ended.
    private func end(_ session: OutageSession) async {
        let ended = calls
        calls = []
        try? await session.outbox.removeAll()
        for call in ended { call.continuation.resume(throwing: CancellationError()) }
    }
}

// The invariants.
extension OutageRace {
    /// Lets tasks run until the outcomes are applied and the next change is in flight.
    ///
    /// Only a run that violates an invariant reaches the time limit of its test.
    private func waitUntilIdle() async {
        if await !eventually({ isIdle }) { violations.insert(.isStuck) }
    }

    private var isIdle: Bool {
        // The outbox and its storage are read again after each further step.
        _ = session.progress.count
        let isSending = attempts.count == 1 || waiting.isEmpty || isDelayed
        return session.outcomes == outcomes && isSending
            && reloadsInFlight == calls.count - attempts.count && session.hasWrittenOutcomes
    }

    private func checkStep() {
        let expected = waiting.last?.edit.value ?? confirmed
        if session.values.contains(where: { $0 != expected }) { violations.insert(.wrongValue) }
        let isUnsent = !waiting.isEmpty
        if session.screens.contains(where: { $0.isUnsent() != isUnsent }) {
            violations.insert(.wrongMark)
        }
    }

    private func checkFlickers(since before: [Bool]) {
        for (index, value) in session.values.enumerated() {
            let expected = value == before[index] ? 0 : 1
            if session.notifications[index] != expected { violations.insert(.flicker) }
        }
    }

    private func checkEnd() async {
        guard !violations.contains(.isStuck) else { return }
        if let lastEdit, !refused.contains(lastEdit.change), server != lastEdit.value {
            violations.insert(.lostEdit)
        }
        let order = applied.compactMap { saved.firstIndex(of: $0) }
        if order != order.sorted() || order.count != applied.count {
            violations.insert(.wrongOrder)
        }
        configuration.reloads = 1
        await perform(.reload)
        await perform(.apply(lastCall))
        await perform(.respond(lastCall))
        if session.values.contains(where: { $0 != server }) || !calls.isEmpty || !waiting.isEmpty {
            violations.insert(.wrongEnd)
        }
    }
}

extension Outbox.Edit {
    /// The value that the edit sets.
    fileprivate var value: Bool? {
        // If it is inlined, the optimizer of Swift 6.3 ends with an error.
        @inline(never) get {
            switch self {
            case .setFavorite(_, let value): value
            case .addProduct: true
            case .removeProduct: false
            default: nil
            }
        }
    }
}
