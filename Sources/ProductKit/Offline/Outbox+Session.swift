extension Outbox {
    /// The time during which an outbox saves and sends the changes of one user.
    ///
    /// It lasts until ``removeAll()``, ``stop()`` or the start of another user. Afterwards edits throw an
    /// ``OutboxError`` with code ``OutboxError/Code-swift.struct/notStarted``, and ``changes`` is empty. No method
    /// sends, removes or returns changes of the next user.
    ///
    /// A copy is the same session.
    public struct Session: Sendable {
        let outbox: Outbox
        let number: Int

        private var state: SharedOutboxState { outbox.state }
        private var writer: OutboxWriter { outbox.writer }
        private var sender: OutboxSender { outbox.sender }

        var savesNewLists: Bool { outbox.savesNewLists }
    }
}

// MARK: - Opening and ending

extension Outbox.Session {
    /// Opens the file of the user, unless it is open.
    ///
    /// When it returns, ``changes`` contains the changes that were saved earlier, and all screens show them. The outbox
    /// opens the file in the background when the session starts, so a call is needed only to wait for that.
    ///
    /// - Throws: ``OutboxError`` if the file cannot be opened or the session has ended.
    @concurrent public func open() async throws(OutboxError) {
        if stepIfCurrent({ $0.current?.file == .open(hasUpdatedScreens: true) }) == true { return }
        try openFile()
        let observer = state.step { $0.queue.changes.isEmpty ? nil : $0.observer }
        await observer?.savedChangesDidUpdate(nil)
        guard stepIfCurrent({ $0.current?.file = .open(hasUpdatedScreens: true) }) != nil else {
            throw OutboxError(.notStarted)
        }
    }

    private func openFile() throws(OutboxError) {
        guard let isOpen = stepIfCurrent({ $0.isOpen }) else { throw OutboxError(.notStarted) }
        let error = writer.open()
        guard stepIfCurrent({ _ in }) != nil else { throw OutboxError(.notStarted) }
        if let error { throw error }
        if !isOpen { sender.sendChanges() }
    }

    /// Removes all changes of the user, in memory and on disk, as signing out requires.
    ///
    /// Attempts in flight are cancelled, and their outcomes are dropped. Callers that wait get `CancellationError`.
    ///
    /// If another user has started in the meantime, the changes that this user left on disk are removed, unless
    /// the user has started again with this outbox. Otherwise, if the session has ended, nothing happens.
    ///
    /// The session ends before the call suspends. A task that is cancelled empties the file nevertheless.
    ///
    /// - Throws: ``OutboxError`` if the file could not be emptied; call it again later. The memory is empty in any
    ///   case, and the next start of the user with this outbox empties the file first, unless another outbox has it.
    public func removeAll() async throws(OutboxError) {
        end(keepsChanges: false)
        if let error = await closeFile(reportsFailure: false) { throw error }
    }

    /// Ends the session, and leaves the changes of the user on disk, where they wait until the user starts again.
    ///
    /// The session ends before the call suspends. When it returns, another outbox can open the file. Attempts in
    /// flight are cancelled, as by ``removeAll()``.
    public func stop() async {
        end(keepsChanges: true)
        _ = await closeFile(reportsFailure: false)
    }

    /// Ends the session in memory; ``closeFile(reportsFailure:)`` must follow.
    func end(keepsChanges: Bool) {
        state.step { $0.end(session: number, keepsChanges: keepsChanges) }?.resume()
        sender.sendChanges()
    }

    /// Closes the file after the end of the session, and ends its events.
    ///
    /// - Returns: The failure of the storage, which is the last event if `reportsFailure`.
    @concurrent func closeFile(reportsFailure: Bool) async -> OutboxError? {
        let error = writer.closeFile(ofSession: number)
        if reportsFailure, let error { state.report(.failed(error), ofSession: number) }
        state.endEvents(ofSession: number)
        return error
    }
}

// MARK: - Saving

extension Outbox.Session {
    /// Saves an edit, which is then sent in the background.
    ///
    /// When it returns, the edit survives the end of the process and a loss of power, and all screens
    /// show it. If the same edit waits already, nothing is written. A task that is cancelled before the
    /// call saves nothing; one that is cancelled later has saved the edit, and this returns normally.
    ///
    /// - Parameter edit: The edit.
    /// - Returns: The identifier of the change, or of the one that waits already.
    /// - Throws: ``OutboxError``, or ``ListError/reservedName(_:)`` in the session of a service, if nothing was saved;
    ///   `CancellationError` if the task is cancelled or the session ends before the edit is on disk.
    @concurrent @discardableResult
    public func save(_ edit: Outbox.Edit) async throws -> Outbox.Change.ID {
        try await save(edit, outcome: nil)
    }

    /// Saves an edit, and waits for the next attempt to send it.
    ///
    /// - Parameter edit: The edit.
    /// - Returns: The response of the server; ``EditOutcome/saved`` if the change must be sent later. A
    ///   ``Event/postponed(_:_:)`` of this or an earlier attempt has the reason, unless the session has ended while
    ///   the edit was being saved.
    /// - Throws: The error with which the server has refused the change; ``OutboxError`` if nothing was saved or the
    ///   change was discarded; ``ListError/reservedName(_:)`` in the session of a service; `CancellationError` if the
    ///   task is cancelled or the session ends. A task that is cancelled while it waits has saved the edit.
    @concurrent public func perform(
        _ edit: Outbox.Edit
    ) async throws -> EditOutcome<Outbox.Confirmation> {
        let (outcomes, outcome) = AsyncStream.makeStream(
            of: Result<EditOutcome<Outbox.Confirmation>, any Error>.self
        )
        try await save(edit, outcome: outcome)
        for await outcome in outcomes { return try outcome.get() }
        throw CancellationError()
    }

    /// Saves an edit of a loader or a list manager; with `awaitsServer`, waits for the next attempt.
    func outcome(
        of edit: Outbox.Edit,
        awaitsServer: Bool
    ) async throws -> EditOutcome<Outbox.Confirmation> {
        try await ServiceOperation.outside(of: .current) {
            if awaitsServer { return try await perform(edit) }
            try await save(edit)
            return .saved
        }
    }

    @discardableResult
    private func save(
        _ edit: Outbox.Edit,
        outcome: OutboxState.Outcome?
    ) async throws -> Outbox.Change.ID {
        try Task.checkCancellation()
        guard edit.isComplete else { throw OutboxError(.invalidEdit) }
        guard let login = stepIfCurrent({ $0.login }) ?? nil else {
            throw OutboxError(.notStarted)
        }
        try login.check(edit)
        guard !edit.isTooLarge else { throw OutboxError(.tooLarge) }
        // Also after a failure: it may have opened the file, whose other changes can be sent. Waking the sender
        // costs as much as the rest of saving, apart from the disk.
        defer { if state.step({ $0.canSend }) { sender.sendChanges() } }
        let id = try await write(.save(edit), outcome: outcome).id
        await state.step { $0.observer }?.savedChangesDidUpdate(edit.target)
        return id
    }

    /// Removes a change that waits, at the request of the user.
    ///
    /// With the creation of a list, the changes of that list behind it are removed as well.
    ///
    /// - Parameter id: The identifier of the change.
    /// - Returns: Whether it was removed; `false` if it is in flight, was sent already, or is unknown.
    /// - Throws: ``OutboxError`` if the file cannot be opened, the removal could not be saved or the session has ended;
    ///   `CancellationError` if it ends meanwhile. Then the change still waits, unless the user has signed out.
    @concurrent public func discard(_ id: Outbox.Change.ID) async throws -> Bool {
        try openFile()
        guard let target = stepIfCurrent({ $0.queue.target(of: id) }) ?? nil else { return false }
        defer { sender.sendChanges() }
        let isDiscarded = try await write(.discard(id)).isWritten
        if isDiscarded { await state.step { $0.observer }?.savedChangesDidUpdate(target) }
        return isDiscarded
    }

    /// Removes a rejection that the user has seen.
    ///
    /// - Parameter id: The identifier of the rejection, which is that of the change.
    /// - Returns: Whether there was one.
    @discardableResult public func dismiss(_ id: Outbox.Rejection.ID) -> Bool {
        guard stepIfCurrent({ $0.dismissRejections { $0.id == id } }) == true else { return false }
        sender.write()
        return true
    }

    /// Sends an edit again that the server has refused, for example for a reason that has passed.
    ///
    /// It is saved as a new change, with a new identifier, and behind the changes that wait. Then the
    /// rejection is removed. If the server refuses it again, there is a new rejection.
    ///
    /// - Parameter id: The identifier of the rejection.
    /// - Returns: The identifier of the new change, or of an equal one that waits already; `nil` if the
    ///   rejection does not exist any longer, for example at the second call.
    /// - Throws: The errors of ``open()`` and ``save(_:)``. Then the rejection stays.
    @concurrent @discardableResult
    public func resend(_ id: Outbox.Rejection.ID) async throws -> Outbox.Change.ID? {
        try await open()
        guard let rejection = rejections.first(where: { $0.id == id }) else { return nil }
        let change = try await save(rejection.change.edit)
        dismiss(id)
        return change
    }

    /// Returns when the writer has written an edit or a discard, or had nothing to write.
    private func write(
        _ action: OutboxState.Save.Action,
        outcome: OutboxState.Outcome? = nil
    ) async throws -> OutboxState.Save.Value {
        try await withCheckedThrowingContinuation { caller in
            let save = OutboxState.Save(action: action, caller: caller, outcome: outcome)
            // The first caller writes itself. Those that come meanwhile share the next sync.
            let writes = stepIfCurrent { state in
                state.inbox.saves.append(save)
                return state.beginWriting()
            }
            guard let writes else { return caller.resume(throwing: OutboxError(.notStarted)) }
            guard writes else { return }
            writer.writeBatch()
            if state.step({ $0.endWriting() }) { sender.write() }
        }
    }
}

// MARK: - Sending

extension Outbox.Session {
    /// Sends everything that can be sent now, and returns how many changes still wait.
    ///
    /// It ends all delays except those that the server has required, and waits until nothing is in
    /// flight and nothing more can be sent. Offline, it returns after one attempt. An attempt in flight counts.
    /// If the task is cancelled, it throws immediately, and sending continues.
    ///
    /// - Parameter ignoringRetryAfter: Whether it also ends a delay that the server has required.
    ///   Use `true` when a person requests it, as ``PendingChangesViewModel`` does.
    /// - Returns: The number of changes that still wait.
    /// - Throws: ``OutboxError`` if the session has ended or its file cannot be opened; `CancellationError` if
    ///   the task is cancelled or the session ends meanwhile.
    @concurrent @discardableResult
    public func sendAll(ignoringRetryAfter: Bool = false) async throws -> Int {
        try Task.checkCancellation()
        try openFile()
        let (counts, waiter) = AsyncStream.makeStream(of: Int.self)
        let number = stepIfCurrent { state in
            state.queue.schedule.endWaits(includingRequired: ignoringRetryAfter)
            state.lastWaiterNumber += 1
            state.idleWaiters[state.lastWaiterNumber] = waiter
            return state.lastWaiterNumber
        }
        guard let number else { throw CancellationError() }
        waiter.onTermination = { [self] _ in
            // Without this caller, time ends delays again.
            guard stepIfCurrent({ $0.idleWaiters.removeValue(forKey: number) }) ?? nil != nil
            else { return }
            sender.sendChanges()
        }
        sender.sendChanges()
        for await count in counts {
            writer.writeAll()
            return count
        }
        throw CancellationError()
    }

    /// Ends all delays except those that the server has required, and tries to send again.
    ///
    /// Call it when the network may be reachable again, or when the user has signed in again.
    public func resume() {
        guard stepIfCurrent({ $0.queue.schedule.endWaits() }) != nil else { return }
        sender.sendChanges()
    }
}

// MARK: - Reading

extension Outbox.Session {
    /// The changes that wait or are in flight, in the order of saving.
    ///
    /// There are none before the file is open; see ``open()``.
    public var changes: [Outbox.Change] {
        stepIfCurrent { $0.queue.changes } ?? []
    }

    /// The changes that the server has refused and that were neither dismissed nor sent again.
    ///
    /// The oldest is the first. There are at most as many as changes may wait, and none before the file is open.
    public var rejections: [Outbox.Rejection] {
        stepIfCurrent { $0.rejections } ?? []
    }

    /// Returns all events of this session from now on.
    ///
    /// Each call returns a stream of its own, which ends with the session.
    public func events() -> AsyncStream<Outbox.Event> {
        let events = state.events(ofSession: number)
        if !state.step({ $0.isCurrent(number) }) { state.endEvents(ofSession: number) }
        return events
    }

    /// Returns a product with the favorite status that it should have, for code without a ``ProductStore``.
    public func applyingChanges(to product: Product) -> Product {
        let edits = lastEdits(of: .favorite(product.id)).values
        var product = product
        for case .setFavorite(_, let status) in edits { product.isFavorite = status }
        return product
    }

    /// Carries out a step; returns `nil` if the session of this outbox has ended.
    private func stepIfCurrent<Value: Sendable>(_ step: (inout OutboxState) -> Value) -> Value? {
        state.step { $0.isCurrent(number) ? step(&$0) : nil }
    }
}

// For the store and the screens.
extension Outbox.Session {
    /// Sets the only observer, which replaces an earlier one.
    func observe(_ observer: OutboxObserver) {
        _ = stepIfCurrent { $0.observer = observer }
    }

    func lastEdits(of target: Outbox.Edit.Target? = nil) -> [Outbox.Edit.Part: Outbox.Edit] {
        stepIfCurrent { $0.queue.lastEdits(of: target) } ?? [:]
    }

    var savedListEdits: [Outbox.Edit] {
        stepIfCurrent { $0.queue.listEdits } ?? []
    }
}
