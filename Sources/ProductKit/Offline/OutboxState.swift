import Foundation
import Synchronization

/// The state of an outbox in memory. Each method is one step, which no other thread can interrupt.
///
/// The methods are not inlined. The optimizer (Swift 6.3, Linux) would otherwise use the thread that
/// locked the mutex before a suspension of the caller to unlock it afterwards.
final class OutboxState: Sendable {
    /// The time from ``Outbox/start(for:sending:)`` until another user's start or the sign-out.
    struct Session: Sendable {
        let number: Int
        let user: String
        let send: Outbox.Sending
    }

    /// An edit that waits to be saved, or a change that waits to be discarded.
    struct Save: Sendable {
        enum Action {
            case save(Outbox.Edit)
            case discard(Outbox.Change.ID)
        }

        let action: Action
        /// Receives the identifier of the change; `nil` if it cannot be discarded.
        let continuation: CheckedContinuation<Outbox.Change.ID?, any Error>
        /// Receives the outcome of the next attempt; `nil` if no caller waits for it.
        var outcome: Outcome?
    }

    /// What the writer does next.
    struct Work {
        var records: [OutboxRecord] = []
        /// Whether nothing waits, so that the file can be emptied instead.
        var emptiesFile = false
        fileprivate var added: [Outbox.Change] = []
        fileprivate var saves: [(save: Save, id: Outbox.Change.ID?, isSaved: Bool)] = []
        fileprivate var refusals: [(save: Save, error: OutboxError)] = []
        fileprivate var targets: Set<Outbox.Edit.Target> = []
        fileprivate let sessionNumber: Int

        /// Whether the records must survive a loss of power.
        var isDurable: Bool { !targets.isEmpty }
    }

    /// A change to send.
    struct Attempt: Sendable {
        let change: Outbox.Change
        let session: Session
        fileprivate let round: Int

        var target: Outbox.Edit.Target { change.edit.target }
    }

    /// What the sender does next.
    struct Next {
        var attempts: [Attempt] = []
        /// The time until a wait ends; `nil` if nothing waits for time only.
        var delay: Duration?
        /// The callers that wait until nothing can be sent, and the number of changes that wait.
        var idle: (waiters: [AsyncStream<Int>.Continuation], count: Int) = ([], 0)
    }

    /// What the caller of a step must do afterwards.
    struct Effects {
        var events: [Outbox.Event] = []
        /// Whether other changes of the same target were removed, too.
        var removesOthers = false
        /// The calls that let waiting callers continue.
        var resumptions: [@Sendable () -> Void] = []

        /// Lets the waiting callers continue.
        func resume() {
            for resumption in resumptions { resumption() }
        }
    }

    typealias Outcome = AsyncStream<Result<Outbox.Confirmation, any Error>>.Continuation

    private struct Values {
        var sessionNumber = 0
        var session: Session?
        /// Whether the queue has the changes of the session's file.
        var isOpen = false
        var queue: OutboxQueue
        var rejections: [Outbox.Rejection] = []
        var unknownRecords: [Data] = []
        var saves: [Save] = []
        /// Records that need not survive a loss of power.
        var records: [OutboxRecord] = []
        var isWriting = false
        var outcomes: [Outbox.Change.ID: [Outcome]] = [:]
        var attempts: [Outbox.Change.ID: Task<Void, Never>] = [:]
        var observer: OutboxObserver?
        var idleWaiters: [AsyncStream<Int>.Continuation] = []
        /// Why the latest attempt of any change failed.
        var lastError: (any Error)?
    }

    /// The maximum number of rejections.
    private static let maximumRejections = 100

    private let width: Int
    private let limit: Int
    private let effects: SystemEffects
    private let values: Mutex<Values>

    init(width: Int, limit: Int, effects: SystemEffects) {
        self.width = width
        self.limit = limit
        self.effects = effects
        values = Mutex(Values(queue: OutboxQueue(width: width)))
    }

    /// The session, if its file is not open yet.
    var sessionToOpen: Session? {
        @inline(never) get { values.withLock { $0.isOpen ? nil : $0.session } }
    }

    /// The session; `nil` before the start and after the sign-out.
    var session: Session? {
        @inline(never) get { values.withLock(\.session) }
    }

    /// What the screens do with saved changes, if there are any screens.
    var observer: OutboxObserver? {
        @inline(never) get { values.withLock(\.observer) }
        @inline(never) set { values.withLock { $0.observer = newValue } }
    }

    /// Returns a value of the queue.
    @inline(never) func read<Value: Sendable>(_ value: (OutboxQueue) -> Value) -> Value {
        values.withLock { value($0.queue) }
    }

    /// The changes that the server has refused, oldest first.
    var rejections: [Outbox.Rejection] {
        @inline(never) get { values.withLock(\.rejections) }
    }
}

// MARK: - Sessions

extension OutboxState {
    /// Begins the session of a user, or continues it with another closure.
    ///
    /// Changes of another user leave the memory and stay on disk.
    @inline(never) func start(for user: String, send: @escaping Outbox.Sending) -> Effects {
        values.withLock { values in
            let isSameUser = values.session?.user == user
            let effects = isSameUser ? Effects() : end(&values)
            values.session = Session(number: values.sessionNumber, user: user, send: send)
            values.queue.endWaits()
            return effects
        }
    }

    /// Ends the session. Its attempts are cancelled, and their outcomes are dropped.
    @inline(never) func end() -> Effects {
        values.withLock { end(&$0) }
    }

    private func end(_ values: inout Values) -> Effects {
        var effects = Effects()
        for save in values.saves {
            effects.resumptions.append { save.continuation.resume(throwing: CancellationError()) }
        }
        for outcome in values.outcomes.values.joined() {
            effects.resumptions.append { outcome.yield(.failure(CancellationError())) }
        }
        for waiter in values.idleWaiters { effects.resumptions.append { waiter.yield(0) } }
        for task in values.attempts.values { effects.resumptions.append { task.cancel() } }
        let ended = values
        values = Values(sessionNumber: ended.sessionNumber + 1, queue: OutboxQueue(width: width))
        (values.isWriting, values.observer) = (ended.isWriting, ended.observer)
        return effects
    }

    /// Adds the changes of the session's file to the queue.
    @inline(never) func load(_ contents: OutboxContents, for session: Session) {
        values.withLock { values in
            guard values.sessionNumber == session.number, !values.isOpen else { return }
            for change in contents.changes { values.queue.append(change) }
            values.rejections = contents.rejections
            values.unknownRecords = contents.unknownRecords
            values.isOpen = true
        }
    }

    /// What the file must contain.
    var contents: OutboxContents {
        @inline(never) get {
            values.withLock { values in
                OutboxContents(
                    changes: values.queue.changes,
                    rejections: values.rejections,
                    unknownRecords: values.unknownRecords
                )
            }
        }
    }
}

// MARK: - Saving

extension OutboxState {
    /// Adds an edit or a discarding for the writer.
    ///
    /// - Returns: Whether the caller must write; otherwise another one does.
    @inline(never) func add(_ save: Save) -> Bool {
        values.withLock { values in
            values.saves.append(save)
            defer { values.isWriting = true }
            return !values.isWriting
        }
    }

    /// Adds the removal of a dismissed rejection for the writer.
    ///
    /// - Returns: Whether there is such a rejection.
    @inline(never) func dismiss(_ id: Outbox.Change.ID) -> Bool {
        values.withLock { values in
            let count = values.rejections.count
            values.rejections.removeAll { $0.id == id }
            guard values.rejections.count < count else { return false }
            values.records.append(.removed(id))
            return true
        }
    }

    /// Whether the caller must write what was added; otherwise there is nothing, or another one does.
    @inline(never) func beginWriting() -> Bool {
        values.withLock { values in
            guard !values.isWriting, !values.records.isEmpty || !values.saves.isEmpty else {
                return false
            }
            values.isWriting = true
            return true
        }
    }

    /// Whether more was added for the writer; otherwise it has ended.
    @inline(never) func continueWriting() -> Bool {
        values.withLock { values in
            values.isWriting = !values.records.isEmpty || !values.saves.isEmpty
            return values.isWriting
        }
    }

    /// Decides what saving each added edit does, in their order.
    @inline(never) func takeWork() -> Work {
        values.withLock { values in
            var work = Work(records: values.records, sessionNumber: values.sessionNumber)
            for save in values.saves { prepare(save, in: &work, &values) }
            (values.records, values.saves) = ([], [])
            work.emptiesFile =
                work.targets.isEmpty && values.queue.isEmpty && values.rejections.isEmpty
            return work
        }
    }

    private func prepare(_ save: Save, in work: inout Work, _ values: inout Values) {
        switch save.action {
        case .discard(let id):
            guard let target = values.queue.stageRemoval(of: id) else {
                return work.saves.append((save, nil, true))
            }
            work.records.append(.removed(id))
            work.targets.insert(target)
            work.saves.append((save, id, false))
        case .save(let edit):
            switch values.queue.decision(for: edit) {
            case .joins(let id):
                // A change that is being saved is only certain when that has ended.
                let isSaved = values.queue.contains(id)
                if isSaved { addOutcome(of: save, to: id, &values) }
                work.saves.append((save, id, isSaved))
            case .adds(let replaced):
                guard !replaced.isEmpty || values.queue.count + work.targets.count < limit else {
                    return work.refusals.append((save, OutboxError(.full)))
                }
                let change = Outbox.Change(edit, effects: effects)
                guard OutboxRecord.saved(change, replacing: []).isStorable else {
                    return work.refusals.append((save, OutboxError(.tooLarge)))
                }
                values.queue.stage(change, replacing: replaced)
                // A deletion may replace more changes than one record can contain.
                let (first, others) = (replaced.prefix(100), replaced.dropFirst(100))
                work.records.append(.saved(change, replacing: Array(first)))
                work.records += others.map { .removed($0) }
                work.targets.insert(edit.target)
                work.added.append(change)
                work.saves.append((save, change.id, false))
            }
        }
    }

    private func addOutcome(of save: Save, to id: Outbox.Change.ID, _ values: inout Values) {
        guard let outcome = save.outcome else { return }
        guard !values.queue.isBlocked(at: effects.elapsed()) else {
            // There is no next attempt that would be worth waiting for.
            outcome.yield(.failure(SavedForLater(id, reason: values.lastError)))
            return
        }
        values.outcomes[id, default: []].append(outcome)
    }

    /// Ends saving the edits of the work.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - error: The error with which writing failed; `nil` if everything was saved.
    @inline(never) func finish(_ work: Work, error: OutboxError?) -> Effects {
        values.withLock { values in
            var effects = Effects()
            let isCurrent = work.sessionNumber == values.sessionNumber
            if isCurrent { endStaging(of: work, isSaved: error == nil, &values, &effects) }
            for (save, error) in work.refusals {
                effects.resumptions.append { save.continuation.resume(throwing: error) }
            }
            for (save, id, isSaved) in work.saves {
                let failure: (any Error)? = isSaved ? nil : isCurrent ? error : CancellationError()
                if !isSaved, failure == nil, let id { addOutcome(of: save, to: id, &values) }
                effects.resumptions.append {
                    if let failure {
                        save.continuation.resume(throwing: failure)
                    } else {
                        save.continuation.resume(returning: id)
                    }
                }
            }
            if let error { effects.events.append(.failed(error)) }
            return effects
        }
    }

    private func endStaging(
        of work: Work,
        isSaved: Bool,
        _ values: inout Values,
        _ effects: inout Effects
    ) {
        if isSaved { effects.events += work.added.map { .saved($0) } }
        for target in work.targets {
            for (removed, later) in values.queue.endStaging(of: target, isSaved: isSaved) {
                replace(removed, by: later?.id, &values, &effects)
            }
            // The user is there, so nothing but the server's own delay is worth waiting for.
            if isSaved { values.queue.endWaits(of: target) }
        }
    }

    /// Moves the callers that wait for the outcome of a removed change to the one that replaces it.
    private func replace(
        _ change: Outbox.Change,
        by id: Outbox.Change.ID?,
        _ values: inout Values,
        _ effects: inout Effects
    ) {
        effects.events.append(.removed(change))
        guard let outcomes = values.outcomes.removeValue(forKey: change.id) else { return }
        if let id { return values.outcomes[id, default: []] += outcomes }
        effects.resumptions += outcomes.map { outcome in
            { outcome.yield(.failure(CancellationError())) }
        }
    }

    /// Ends all saves with an error, because the file cannot be opened.
    @inline(never) func refuseSaves(_ error: OutboxError) -> Effects {
        values.withLock { values in
            var effects = Effects()
            for save in values.saves {
                effects.resumptions.append { save.continuation.resume(throwing: error) }
            }
            values.saves = []
            // Nothing was written in this session, so these are of no session.
            values.records = []
            return effects
        }
    }
}

// MARK: - Sending

extension OutboxState {
    /// Adds a caller that waits until nothing can be sent any longer, and ends all waits.
    @inline(never) func addIdleWaiter(_ waiter: AsyncStream<Int>.Continuation) {
        values.withLock { values in
            values.queue.endWaits()
            values.idleWaiters.append(waiter)
        }
    }

    /// Ends all waits.
    @inline(never) func endWaits() {
        values.withLock { $0.queue.endWaits() }
    }

    /// Decides what to send next.
    @inline(never) func next() -> Next {
        values.withLock { values in
            var next = Next()
            guard let session = values.session, values.isOpen else {
                swap(&next.idle.waiters, &values.idleWaiters)
                return next
            }
            let now = effects.elapsed()
            while let change = values.queue.next(at: now) {
                let round = values.queue.round
                next.attempts.append(Attempt(change: change, session: session, round: round))
            }
            next.delay = values.queue.nextWaitEnd.map { $0 - now }
            next.idle.count = values.queue.count
            // Whatever was sent has ended, and nothing more can be sent.
            if values.queue.inFlightCount == 0 {
                swap(&next.idle.waiters, &values.idleWaiters)
            }
            return next
        }
    }

    /// Stores the task of an attempt, to cancel it when the session ends.
    ///
    /// - Returns: Whether the session still lasts.
    @inline(never) func setTask(_ task: Task<Void, Never>, of attempt: Attempt) -> Bool {
        values.withLock { values in
            guard values.sessionNumber == attempt.session.number else { return false }
            // An attempt that has ended already is no longer in flight.
            if values.queue.isInFlight(attempt.change) {
                values.attempts[attempt.change.id] = task
            }
            return true
        }
    }

    /// Whether the session of an attempt still lasts.
    @inline(never) func isCurrent(_ attempt: Attempt) -> Bool {
        values.withLock { $0.sessionNumber == attempt.session.number }
    }

    /// Removes a change that the server has carried out or refused.
    ///
    /// - Parameters:
    ///   - attempt: The attempt.
    ///   - result: What the server returned, or the error with which it has refused the change.
    ///   - withoutScreens: Whether the caller updates no screens.
    /// - Returns: `nil` if the session has ended, or if there are screens to update although the
    ///   caller updates none. Then nothing has changed.
    @inline(never) func conclude(
        _ attempt: Attempt,
        with result: Result<Outbox.Confirmation, any Error>,
        withoutScreens: Bool
    ) -> Effects? {
        values.withLock { values in
            guard values.sessionNumber == attempt.session.number else { return nil }
            if withoutScreens, values.observer != nil { return nil }
            var effects = Effects()
            let (change, isConfirmed) = (attempt.change, (try? result.get()) != nil)
            let equal = values.queue.conclude(attempt.target, isConfirmed: isConfirmed)
            switch result {
            case .success:
                values.records.append(.removed(change.id))
                effects.events.append(.sent(change))
            case .failure(let error):
                reject(change, error, &values)
                effects.events.append(.rejected(change, error))
            }
            if let equal {
                values.records.append(.removed(equal.id))
                effects.events.append(.sent(equal))
                effects.removesOthers = true
            }
            for id in [change.id, equal?.id].compactMap(\.self) {
                for outcome in values.outcomes.removeValue(forKey: id) ?? [] {
                    effects.resumptions.append { outcome.yield(result) }
                }
            }
            return effects
        }
    }

    private func reject(_ change: Outbox.Change, _ error: any Error, _ values: inout Values) {
        let rejection = Outbox.Rejection(change: change, message: error.localizedDescription)
        values.rejections.append(rejection)
        values.records.append(.rejected(change.id, message: rejection.message))
        if values.rejections.count > Self.maximumRejections {
            values.records.append(.removed(values.rejections.removeFirst().id))
        }
    }

    /// Delays a change that could not be sent.
    ///
    /// - Returns: `nil` if the change is rejected instead, because it has had too many conflicts, or
    ///   if the session has ended.
    @inline(never) func postpone(
        _ attempt: Attempt,
        as disposition: Outbox.Disposition,
        error: any Error
    ) -> Effects? {
        values.withLock { values in
            guard values.sessionNumber == attempt.session.number else { return nil }
            let (now, random) = (effects.elapsed(), effects.random)
            switch disposition {
            case .conflict:
                guard values.queue.delayAfterConflict(attempt.target, at: now, random: random)
                else { return nil }
            case .retryAllLater(let required):
                values.queue.delayAll(
                    required: required,
                    round: attempt.round,
                    at: now,
                    random: random
                )
            case .waitForSignIn: values.queue.waitForSignIn()
            case .confirmed, .rejected, .retryLater:
                values.queue.delay(attempt.target, at: now, random: random)
            }
            values.lastError = error
            var effects = Effects()
            let change = attempt.change
            effects.events.append(.postponed(change, error))
            for outcome in values.outcomes.removeValue(forKey: change.id) ?? [] {
                let later = SavedForLater(change.id, reason: error)
                effects.resumptions.append { outcome.yield(.failure(later)) }
            }
            if let (replaced, _) = values.queue.removeReplaced(of: attempt.target) {
                values.records.append(.removed(replaced.id))
                effects.events.append(.removed(replaced))
                effects.removesOthers = true
            }
            return effects
        }
    }

    /// Ends an attempt, so that the next change of its target can be sent.
    @inline(never) func endAttempt(_ attempt: Attempt) {
        values.withLock { values in
            guard values.sessionNumber == attempt.session.number else { return }
            values.attempts[attempt.change.id] = nil
            values.queue.endAttempt(of: attempt.target)
        }
    }
}
