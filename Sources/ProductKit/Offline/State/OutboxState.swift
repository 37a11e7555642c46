/// The state of an outbox in memory.
///
/// Each method is one step, during which nothing else happens. A step never waits, and calls no code
/// of the app except the system effects. It returns the further steps of its caller.
struct OutboxState: Sendable {
    /// The user of an ``Outbox/Session``, and the closures that send and check the edits of that user.
    struct Login: Sendable {
        /// The number of the session.
        let number: Int
        let user: String
        let send: Outbox.Sending
        /// Throws an error for an edit that could never be sent.
        let check: @Sendable (Outbox.Edit) throws -> Void
    }

    /// An edit that waits to be saved, or a change that waits to be discarded.
    struct Save: Sendable {
        enum Action: Sendable {
            case save(Outbox.Edit)
            case discard(Outbox.Change.ID)
        }

        /// The change, and whether anything was written for it: not if an equal edit waits already, or if the
        /// change cannot be discarded.
        typealias Value = (id: Outbox.Change.ID, isWritten: Bool)

        let action: Action
        let caller: CheckedContinuation<Value, any Error>
        /// Receives the outcome of the next attempt; `nil` if no caller waits for it.
        var outcome: Outcome?
    }

    /// What was added for the writer, in this session.
    struct Inbox: Sendable {
        var saves: [Save] = []
        /// Records that need not survive a loss of power.
        var records: [OutboxRecord] = []
        /// Such records that could not be written; the next writing includes them.
        var unwrittenRecords: [OutboxRecord] = []
        var isWriting = false

        var isEmpty: Bool { records.isEmpty && saves.isEmpty }
    }

    /// The state of the file of the session.
    enum FilePhase: Equatable {
        case closed
        /// It could not be opened at the last attempt.
        case failedToOpen
        /// The queue has its changes; `hasUpdatedScreens` when ``Outbox/Session/open()`` has shown them.
        case open(hasUpdatedScreens: Bool)
    }

    /// What the writer writes together, with one sync.
    struct Batch: Sendable {
        let sessionNumber: Int
        /// The records that need not survive a loss of power.
        let earlierRecords: [OutboxRecord]
        /// The records of the saves, which must survive it.
        var savedRecords: [OutboxRecord] = []
        /// Whether nothing waits, so that the file can be emptied instead.
        var emptiesFile = false
        var added: [Outbox.Change] = []
        /// The saves whose outcome depends on the writing, with their changes.
        var saves: [(save: Save, id: Outbox.Change.ID)] = []
        /// The calls that let all other callers continue.
        var resumptions: [@Sendable () -> Void] = []

        var records: [OutboxRecord] { earlierRecords + savedRecords }
    }

    /// What the sender does next.
    struct SendingPlan: Sendable {
        var attempts: [Attempt] = []
        /// The time until a wait ends; `nil` if nothing waits for time only.
        var delay: Duration?
        /// The callers that wait until nothing can be sent, and the number of changes that wait.
        var idle: (waiters: [Int: AsyncStream<Int>.Continuation], count: Int) = ([:], 0)
    }

    /// The further steps of the caller of a step.
    struct FollowUp: Sendable {
        let sessionNumber: Int
        var events: [Outbox.Event] = []
        /// The targets of which nothing is sent until the events were reported.
        var heldTargets: Set<Outbox.Edit.Target> = []
        /// Whether other changes of the same target were removed, too.
        var removesOthers = false
        /// The calls that let waiting callers continue.
        var resumptions: [@Sendable () -> Void] = []

        func resume() {
            for resumption in resumptions { resumption() }
        }
    }

    typealias Outcome =
        AsyncStream<Result<EditOutcome<Outbox.Confirmation>, any Error>>.Continuation

    /// The maximum delay that a server can require.
    static let maximumRequiredDelay = Duration.seconds(86_400)
    /// The delay before a file that could not be opened is opened again.
    static let openingDelay = Duration.seconds(60)

    let limit: Int
    let effects: SystemEffects

    private(set) var lastSessionNumber = 0
    /// The session and its file; `nil` before the first start, and after the end of a session until the next start.
    var current: (login: Login, file: FilePhase)?
    /// The sessions that have ended, by their numbers, with users who have signed out or still may.
    ///
    /// After a sign-out, a session stays until the file was emptied. Before, another user's start has ended it, or
    /// another outbox had the file, and it stays until the user starts again or keeps the changes.
    private(set) var endedSessions: [Int: (user: String, hasSignedOut: Bool)] = [:]
    /// What the session of the writer's open file has left, if it has ended.
    ///
    /// These are the records that were not written yet, and what the file must contain. That is `nil` if the file
    /// contains more, which was being written at the end.
    var leftover: (records: [OutboxRecord], contents: OutboxFileContents?)?
    var queue = OutboxQueue()
    var rejections: [Outbox.Rejection] = []
    /// The parts of the server's state that an attempt may have changed, with the latest such change, and whether an
    /// earlier session may have sent it, with keys that are not known any longer.
    ///
    /// They stay although the change is replaced, refused or discarded, until one is confirmed.
    var uncertain: [Outbox.Edit.Part: (id: Outbox.Change.ID, isFromFile: Bool)] = [:]
    var inbox = Inbox()
    var outcomes: [Outbox.Change.ID: [Outcome]] = [:]
    var attempts: [Outbox.Change.ID: Task<Outbox.Confirmation, any Error>] = [:]
    /// The reactions of the store that has observed last.
    var observer: OutboxObserver?
    /// The callers of `sendAll()` that wait until nothing can be sent any longer, by their numbers.
    var idleWaiters: [Int: AsyncStream<Int>.Continuation] = [:]
    var lastWaiterNumber = 0
}

// MARK: - Sessions

extension OutboxState {
    /// Begins the session of a user, or continues it with another closure; ends that of another user.
    mutating func start(
        for user: String,
        send: @escaping Outbox.Sending,
        check: @escaping @Sendable (Outbox.Edit) throws -> Void
    ) -> (number: Int, followUp: FollowUp) {
        let last = login
        let isSameUser = last?.user.hasSameBytes(as: user) == true
        let ended = isSameUser ? nil : end()
        if !isSameUser { lastSessionNumber += 1 }
        endedSessions = endedSessions.filter {
            $0.value.hasSignedOut || !$0.value.user.hasSameBytes(as: user)
        }
        let login = Login(number: lastSessionNumber, user: user, send: send, check: check)
        current = (login, current?.file ?? .closed)
        queue.schedule.endWaits()
        var followUp = ended ?? FollowUp(sessionNumber: login.number)
        // The closures of the app are released outside of the lock.
        followUp.resumptions.append { withExtendedLifetime(last) {} }
        return (login.number, followUp)
    }

    /// Ends a session at the request of its user.
    ///
    /// If another user's start has ended it, the user still decides about the changes on disk. The changes of
    /// a user who has signed out cannot be kept any longer.
    ///
    /// - Returns: `nil` if it has ended already.
    mutating func end(session number: Int, keepsChanges: Bool) -> FollowUp? {
        let followUp = isCurrent(number) ? end() : nil
        if !keepsChanges {
            endedSessions[number]?.hasSignedOut = true
        } else if endedSessions[number]?.hasSignedOut == false {
            endedSessions[number] = nil
        }
        return followUp
    }

    /// Whether a user has signed out, so that the file must be emptied before it is read.
    func mustErase(fileOf user: String) -> Bool {
        endedSessions.values.contains { $0.hasSignedOut && $0.user.hasSameBytes(as: user) }
    }

    /// Ends an attempt to empty the file of a user.
    ///
    /// After a failure, the next start of the user tries again, and so does another sign-out from the session.
    /// If another outbox has the file, its user has not signed out. Then only the other sign-out tries again, and
    /// only if the user has not started again.
    mutating func endErasure(ofFileOf user: String, error: OutboxError?) {
        if let error, error.code != .inUse { return }
        let hasStartedAgain = login?.user.hasSameBytes(as: user) == true
        for (number, ended) in endedSessions
        where ended.hasSignedOut && ended.user.hasSameBytes(as: user) {
            endedSessions[number] = error == nil || hasStartedAgain ? nil : (user, false)
        }
    }

    var login: Login? { current?.login }

    /// Whether the queue has the changes of the session's file.
    var isOpen: Bool { if case .open? = current?.file { true } else { false } }

    func isCurrent(_ number: Int) -> Bool { number == login?.number }

    /// Ends the session: its attempts are cancelled, and their outcomes are dropped.
    private mutating func end() -> FollowUp? {
        guard let login else { return nil }
        var followUp = FollowUp(sessionNumber: login.number)
        for save in inbox.saves {
            followUp.resumptions.append { save.caller.resume(throwing: CancellationError()) }
        }
        for outcome in outcomes.values.joined() {
            followUp.resumptions.append { outcome.yield(.failure(CancellationError())) }
        }
        for waiter in idleWaiters.values { followUp.resumptions.append { waiter.finish() } }
        for task in attempts.values { followUp.resumptions.append { task.cancel() } }
        let ended = self
        self = OutboxState(limit: limit, effects: effects)
        lastSessionNumber = ended.lastSessionNumber
        endedSessions = ended.endedSessions
        endedSessions[login.number] = (login.user, hasSignedOut: false)
        leftover = ended.leftover
        inbox.isWriting = ended.inbox.isWriting
        if ended.isOpen {
            leftover = (
                ended.inbox.unwrittenRecords + ended.inbox.records,
                ended.contents(ofSession: login.number)
            )
        }
        if let observer = ended.observer {
            // Its screens no longer show the changes of the user.
            followUp.resumptions.append { Task { await observer.savedChangesDidUpdate(nil) } }
        }
        // The closures of the app are released outside of the lock.
        followUp.resumptions.append { withExtendedLifetime(login) {} }
        return followUp
    }

    /// Adds the changes of the session's file to the queue.
    ///
    /// The file may contain a change that a later one replaces: it was in flight when the later one was
    /// saved, or its removal was lost with the power. Nothing is in flight now, so it leaves unsent.
    ///
    /// - Returns: The changes that wait; `nil` if the session has ended. Then nothing has changed.
    mutating func load(
        _ contents: OutboxFileContents,
        for login: Login
    ) -> [Outbox.Change]? {
        guard isCurrent(login.number) else { return nil }
        for change in contents.changes {
            let replaced: [Outbox.Change.ID]
            switch queue.decision(for: change.edit) {
            // Changes between them may need the list.
            case .joins where change.edit.subject == .listExistence:
                inbox.records.append(.removed(change.id))
                continue
            case .joins(let id): replaced = [id]
            case .adds(let ids): replaced = ids
            }
            queue.append(change)
            // It may have been in flight when the app ended.
            setUncertain(change, isFromFile: true)
            for id in replaced {
                _ = queue.remove(id)
                inbox.records.append(.removed(id))
            }
        }
        rejections = contents.rejections
        for rejection in rejections { setUncertain(rejection.change, isFromFile: true) }
        current?.file = .open(hasUpdatedScreens: false)
        return queue.changes
    }

    /// Returns the contents that the open file, which is that of a session, must have; `nil` if the session has
    /// ended, and they are not known any longer.
    func contents(ofSession number: Int) -> OutboxFileContents? {
        guard isCurrent(number) else { return leftover?.contents }
        return OutboxFileContents(changes: queue.changes, rejections: rejections)
    }
}
