import Dispatch
import Foundation
import Synchronization

/// Sends the changes of an outbox, each in a task of its own.
///
/// A task that is created on the dispatch queue inherits no task-local values, such as the policy or
/// the user of the operation in which an edit was saved. Attempts in flight retain the sender; a
/// delay does not.
final class OutboxSender: Sendable {
    private struct Timer {
        let end: Duration
        let task: Task<Void, Never>
    }

    /// The maximum duration of an attempt, for closures without a deadline of their own.
    private static let maximumDuration = Duration.seconds(120)

    private let state: SharedOutboxState
    private let writer: OutboxWriter
    private let events: OutboxEvents
    private let effects: SystemEffects
    private let disposition: @Sendable (any Error) -> Outbox.Disposition
    private let queue = DispatchQueue(label: "ProductKit.Outbox")
    private let timer = Mutex<Timer?>(nil)

    init(
        state: SharedOutboxState,
        writer: OutboxWriter,
        events: OutboxEvents,
        effects: SystemEffects,
        disposition: @escaping @Sendable (any Error) -> Outbox.Disposition
    ) {
        self.state = state
        self.writer = writer
        self.events = events
        self.effects = effects
        self.disposition = disposition
    }

    deinit {
        timer.withLock { $0?.task.cancel() }
    }

    /// Calls a closure on the dispatch queue, outside of all tasks.
    func enqueue(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }

    /// Sends all changes that may be sent now.
    func send() {
        queue.async { [self] in sendNow() }
    }

    /// Writes what was added for the writer.
    func write() {
        queue.async { [writer] in writer.writeAll() }
    }

    private func sendNow() {
        openFile()
        let next = state.step { $0.next() }
        for attempt in next.attempts {
            let task = Task { await run(attempt) }
            if !state.step({ $0.setTask(task, of: attempt) }) { task.cancel() }
        }
        for waiter in next.idle.waiters { waiter.yield(next.idle.count) }
        wait(for: next.delay)
    }

    /// Opens the file of the session, and updates the screens if it has any changes.
    private func openFile() {
        guard state.step({ $0.sessionToOpen }) != nil, writer.open() == nil else { return }
        let (observer, isEmpty) = state.step { ($0.observer, $0.queue.isEmpty) }
        if let observer, !isEmpty { Task { await observer.savedChangesDidUpdate(nil) } }
    }

    private func wait(for delay: Duration?) {
        let end = delay.map { effects.elapsed() + $0 }
        timer.withLock { timer in
            if let timer, let end, timer.end <= end, timer.end > effects.elapsed() { return }
            timer?.task.cancel()
            timer = nil
            guard let delay, let end else { return }
            let task = Task { [weak self, sleep = effects.sleep] in
                do { try await sleep(delay) } catch { return }
                self?.endTimer(at: end)
            }
            timer = Timer(end: end, task: task)
        }
    }

    private func endTimer(at end: Duration) {
        timer.withLock { if $0?.end == end { $0 = nil } }
        send()
    }
}

// MARK: - Attempts

extension OutboxSender {
    private func run(_ attempt: OutboxState.Attempt) async {
        let observer = state.step { $0.observer }
        let completion = await observer?.willSend(attempt.change)
        // The user may have signed out in the meantime.
        guard state.step({ $0.isCurrent(attempt) }) else { return }
        let result = await result(of: attempt)
        await finish(attempt, result, completion)
        state.step { $0.endAttempt(attempt) }
        write()
        send()
    }

    private func result(
        of attempt: OutboxState.Attempt
    ) async -> Result<Outbox.Confirmation, any Error> {
        let (change, send) = (attempt.change, attempt.session.send)
        do {
            let confirmation = try await effects.wait(
                atMost: Self.maximumDuration,
                orThrow: NetworkError(.timedOut)
            ) {
                try await Outbox.Change.$current.withValue(change) { try await send(change) }
            }
            return .success(confirmation)
        } catch {
            return .failure(error)
        }
    }

    private func finish(
        _ attempt: OutboxState.Attempt,
        _ result: Result<Outbox.Confirmation, any Error>,
        _ completion: OutboxObserver.Completion?
    ) async {
        guard case .failure(let error) = result else {
            return await conclude(attempt, result, completion)
        }
        let disposition = disposition(error)
        switch disposition {
        case .confirmed: await conclude(attempt, .success(Outbox.Confirmation()), completion)
        case .rejected: await conclude(attempt, result, completion)
        case .conflict, .retryLater, .retryAllLater, .waitForSignIn:
            let followUp = state.step { $0.postpone(attempt, as: disposition, error: error) }
            guard let followUp else { return await conclude(attempt, result, completion) }
            events.report(followUp.events)
            followUp.resume()
            guard followUp.removesOthers, let observer = state.step({ $0.observer }) else { return }
            await observer.savedChangesDidUpdate(attempt.target)
        }
    }

    /// Removes a change that the server has carried out or refused, and updates the screens.
    ///
    /// Both happen in the same turn of the main actor. Without screens, it is not needed.
    private func conclude(
        _ attempt: OutboxState.Attempt,
        _ result: Result<Outbox.Confirmation, any Error>,
        _ completion: OutboxObserver.Completion?
    ) async {
        var followUp: OutboxState.FollowUp?
        if completion == nil {
            followUp = state.step { $0.conclude(attempt, with: result, withoutScreens: true) }
        }
        if followUp == nil, state.step({ $0.isCurrent(attempt) }) {
            followUp = await concludeOnScreens(attempt, result, completion)
        }
        guard let followUp else { return }
        events.report(followUp.events)
        followUp.resume()
    }

    @MainActor private func concludeOnScreens(
        _ attempt: OutboxState.Attempt,
        _ result: Result<Outbox.Confirmation, any Error>,
        _ completion: OutboxObserver.Completion?
    ) -> OutboxState.FollowUp? {
        let (followUp, observer) = state.step { state in
            let followUp = state.conclude(attempt, with: result, withoutScreens: false)
            return (followUp, state.observer)
        }
        guard let followUp else { return nil }
        switch (result, completion) {
        case (.success(let confirmation), let completion?): completion(.confirmed(confirmation))
        case (.failure(let error), let completion?): completion(.rejected(error))
        // The first screen was created while the request was in flight. The content may be older
        // than what the screen has.
        case (.success, nil): observer?.willSend(attempt.change)(.confirmed(Outbox.Confirmation()))
        case (.failure(let error), nil): observer?.willSend(attempt.change)(.rejected(error))
        }
        observer?.savedChangesDidUpdate(attempt.target)
        return followUp
    }
}
