import Dispatch

/// Sends the changes of an outbox, each in a task of its own.
///
/// A task that is created on the dispatch queue inherits no task-local values, such as the policy of the operation in
/// which an edit was saved. Attempts in flight retain the sender; a delay does not.
final class OutboxSender: Sendable {
    /// The call that applies an outcome to the screens of an observer.
    private typealias Completion = (observer: OutboxObserver, apply: OutboxObserver.Completion)
    private typealias Timer = (end: Duration, task: Task<Void, Never>)

    /// The maximum duration of an attempt, for closures without a deadline of their own.
    private static let maximumDuration = Duration.seconds(120)

    private let state: SharedOutboxState
    private let writer: OutboxWriter
    private let effects: SystemEffects
    private let disposition: @Sendable (any Error) -> Outbox.Disposition
    private let queue = DispatchQueue(label: "ProductKit.Outbox")
    private let timer = Locked<Timer?>(nil)
    private let wakeUps: @Sendable () -> AsyncStream<Void>
    private let wakeUpTask = Locked<Task<Void, Never>?>(nil)

    init(
        state: SharedOutboxState,
        writer: OutboxWriter,
        effects: SystemEffects,
        wakeUps: @escaping @Sendable () -> AsyncStream<Void>,
        disposition: @escaping @Sendable (any Error) -> Outbox.Disposition
    ) {
        self.state = state
        self.writer = writer
        self.effects = effects
        self.wakeUps = wakeUps
        self.disposition = disposition
    }

    deinit {
        timer.withLock(\.self)?.task.cancel()
        wakeUpTask.withLock(\.self)?.cancel()
    }

    /// Begins to send again whenever the network may be reachable again.
    func observeWakeUps() {
        queue.async { [weak self] in
            guard let self else { return }
            wakeUpTask.withLock { task in
                guard task == nil else { return }
                task = Task { [weak self, stream = wakeUps()] in
                    for await _ in stream { self?.resume() }
                }
            }
        }
    }

    /// Ends all delays except those that the server has required and the wait for a sign-in, and sends what may be sent.
    func resume() {
        state.step { $0.queue.schedule.endWaits(includingSignIn: false) }
        sendChanges()
    }

    /// Sends all changes that may be sent now.
    func sendChanges() {
        queue.async { [self] in
            // The file of a session that has ended is closed, also if no other one has started.
            if state.step({ !$0.isOpen }) { writer.open() }
            let plan = state.step { $0.planSending() }
            for attempt in plan.attempts {
                Task(priority: .medium) { await run(attempt) }
            }
            for waiter in plan.idle.waiters.values { waiter.yield(plan.idle.count) }
            wait(for: plan.delay)
        }
    }

    func write() {
        queue.async { [writer] in writer.writeAll() }
    }

    private func wait(for delay: Duration?) {
        let end = delay.map { effects.elapsed() + $0 }
        let replaced = timer.withLock { timer -> Timer? in
            if let timer, let end, timer.end <= end, timer.end > effects.elapsed() { return nil }
            let replaced = timer
            timer = nil
            guard let delay, let end else { return replaced }
            let task = Task { [weak self, sleep = effects.sleep] in
                do { try await sleep(delay) } catch { return }
                self?.timer.withLock { if $0?.end == end { $0 = nil } }
                self?.sendChanges()
            }
            timer = (end, task)
            return replaced
        }
        replaced?.task.cancel()
    }
}

// MARK: - Attempts

extension OutboxSender {
    private func run(_ attempt: OutboxState.Attempt) async {
        let completion = await willSend(attempt.change)
        let exchange = Task { [state] in
            // Nothing is sent after the user has signed out.
            guard state.step({ $0.isCurrent(attempt) }) else { throw CancellationError() }
            return try await ServiceOperation.carryOut(attempt.context) {
                try await attempt.login.send(attempt.change)
            }
        }
        // It is cancelled when the session ends.
        let isCurrent = state.step { state in
            guard state.isCurrent(attempt) else { return false }
            state.attempts[attempt.change.id] = exchange
            return true
        }
        if !isCurrent { exchange.cancel() }
        let (result, hasTimedOut) = await result(of: exchange)
        let isPostponed = await finish(attempt, result, hasTimedOut, completion)
        if hasTimedOut {
            state.step { if $0.isCurrent(attempt) { $0.queue.freePlace(of: attempt.target) } }
            write()
            sendChanges()
            // The server may still carry it out, so no other change of the target is sent.
            _ = await exchange.result
        }
        if hasTimedOut || !isPostponed {
            await finish(state.step { $0.endAttempt(attempt) }, of: attempt.target)
        }
        write()
        sendChanges()
    }

    /// Notifies the screens of an attempt.
    private func willSend(_ change: Outbox.Change) async -> Completion? {
        guard let observer = state.step({ $0.observer }) else { return nil }
        return (observer, await observer.completion(change, false))
    }

    /// Waits for an exchange, and cancels it at the end of the maximum duration.
    ///
    /// - Returns: The result, and whether the exchange may not have ended yet.
    private func result(
        of exchange: Task<Outbox.Confirmation, any Error>
    ) async -> (Result<Outbox.Confirmation, OutboxState.Failure>, hasTimedOut: Bool) {
        do {
            let confirmation = try await effects.wait(
                atMost: Self.maximumDuration,
                orThrow: AttemptTimedOut()
            ) {
                try await withTaskCancellationHandler {
                    try await exchange.value
                } onCancel: {
                    exchange.cancel()
                }
            }
            return (.success(confirmation), false)
        } catch is AttemptTimedOut {
            return (.failure(OutboxState.Failure(NetworkError(.timedOut))), true)
        } catch {
            return (.failure(OutboxState.Failure(error)), false)
        }
    }

    /// Carries out the consequence of a result.
    ///
    /// - Returns: Whether the change is sent again later. Then the attempt has ended, unless it has timed out.
    private func finish(
        _ attempt: OutboxState.Attempt,
        _ result: Result<Outbox.Confirmation, OutboxState.Failure>,
        _ hasTimedOut: Bool,
        _ completion: Completion?
    ) async -> Bool {
        var result = result
        if case .failure(let failure) = result {
            let disposition = disposition(failure.error)
            if disposition == .confirmed { result = .success(Outbox.Confirmation()) }
            let followUp = state.step {
                $0.postpone(attempt, as: disposition, failure: failure, hasTimedOut: hasTimedOut)
            }
            if let followUp {
                await finish(followUp, of: attempt.target)
                return true
            }
        }
        await conclude(attempt, result, completion)
        return false
    }

    /// Finishes a step, and updates the screens if it has removed other changes of the target.
    private func finish(
        _ followUp: OutboxState.FollowUp,
        of target: Outbox.Edit.Target
    ) async {
        state.finish(followUp)
        if followUp.removesOthers, let observer = state.step({ $0.observer }) {
            await observer.savedChangesDidUpdate(target)
        }
    }

    /// Removes a change that the server has carried out or refused, and updates the screens.
    ///
    /// Both happen in the same turn of the main actor. Without screens, it is not needed.
    private func conclude(
        _ attempt: OutboxState.Attempt,
        _ result: Result<Outbox.Confirmation, OutboxState.Failure>,
        _ completion: Completion?
    ) async {
        var followUp = state.step {
            completion == nil && $0.observer == nil ? $0.conclude(attempt, with: result) : nil
        }
        if followUp == nil, state.step({ $0.isCurrent(attempt) }) {
            followUp = await concludeOnScreens(attempt, result, completion)
        }
        if let followUp { state.finish(followUp) }
    }

    @MainActor private func concludeOnScreens(
        _ attempt: OutboxState.Attempt,
        _ result: Result<Outbox.Confirmation, OutboxState.Failure>,
        _ completion: Completion?
    ) -> OutboxState.FollowUp? {
        let (followUp, observer) = state.step { ($0.conclude(attempt, with: result), $0.observer) }
        guard let followUp else { return nil }
        let outcome = result.mapError(\.error)
        completion?.apply(outcome)
        // The store may have been created while the request was in flight.
        if let observer, observer !== completion?.observer {
            observer.completion(attempt.change, true)(outcome)
        }
        return followUp
    }
}

/// The error of an attempt that has taken the maximum duration.
private struct AttemptTimedOut: Error {}
