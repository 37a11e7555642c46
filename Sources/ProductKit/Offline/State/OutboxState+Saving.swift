extension OutboxState {
    /// Removes rejections, also from the file; returns `false` if there are none.
    @discardableResult
    mutating func dismissRejections(where isDismissed: (Outbox.Rejection) -> Bool) -> Bool {
        let dismissed = rejections.filter(isDismissed)
        rejections.removeAll(where: isDismissed)
        inbox.records += dismissed.map { .removed($0.id) }
        return !dismissed.isEmpty
    }

    /// Begins to write what was added; returns `false` if nothing was added, or if another caller is writing.
    mutating func beginWriting() -> Bool {
        guard !inbox.isWriting, !inbox.isEmpty else { return false }
        inbox.isWriting = true
        return true
    }

    /// Lets another caller write; returns whether more was added meanwhile.
    mutating func endWriting() -> Bool {
        inbox.isWriting = false
        return !inbox.isEmpty
    }

    /// Decides what saving each added edit does, in their order; returns `nil` if the session has ended.
    mutating func takeBatch(ofSession number: Int) -> Batch? {
        guard isCurrent(number) else { return nil }
        let added = inbox
        inbox = Inbox(isWriting: true)
        var batch = Batch(
            sessionNumber: number,
            earlierRecords: added.unwrittenRecords + added.records
        )
        for save in added.saves { prepare(save, in: &batch) }
        batch.emptiesFile =
            !batch.earlierRecords.isEmpty && batch.savedRecords.isEmpty
            && queue.changes.isEmpty && rejections.isEmpty
        return batch
    }

    private mutating func prepare(_ save: Save, in batch: inout Batch) {
        let caller = save.caller
        switch save.action {
        case .discard(let id):
            guard let ids = queue.stageRemoval(of: id) else {
                return batch.resumptions.append { caller.resume(returning: (id, false)) }
            }
            batch.savedRecords += ids.map { .removed($0) }
            batch.saves.append((save, id))
        case .save(let edit):
            switch queue.decision(for: edit) {
            case .joins(let id) where queue.target(of: id) != nil:
                queue.schedule.endWaits(of: edit.target)
                addOutcome(of: save, to: id)
                batch.resumptions.append { caller.resume(returning: (id, false)) }
            // The equal change is still being saved. This caller gets the result of that.
            case .joins(let id): batch.saves.append((save, id))
            case .adds(let replaced):
                guard !replaced.isEmpty || queue.countAfterSaving < limit else {
                    return batch.resumptions.append { caller.resume(throwing: OutboxError(.full)) }
                }
                let change = Outbox.Change(edit, effects: effects)
                queue.stage(change, replacing: replaced)
                batch.savedRecords.append(.saved(change, replacing: replaced))
                batch.added.append(change)
                batch.saves.append((save, change.id))
            }
        }
    }

    /// Lets a caller wait for the next attempt of a change, unless the session has ended or nothing can be sent.
    private mutating func addOutcome(
        of save: Save,
        to id: Outbox.Change.ID,
        isCurrent: Bool = true
    ) {
        guard let outcome = save.outcome else { return }
        if !isCurrent || queue.schedule.isBlocked(at: effects.elapsed()) {
            outcome.yield(.success(.saved))
        } else {
            outcomes[id, default: []].append(outcome)
        }
    }

    /// Ends saving the edits of the batch, which have failed with an error or are on disk.
    mutating func finish(_ batch: Batch, error: OutboxError?) -> FollowUp {
        var followUp = FollowUp(sessionNumber: batch.sessionNumber)
        let isCurrent = isCurrent(batch.sessionNumber)
        let hasSignedOut = endedSessions[batch.sessionNumber]?.hasSignedOut == true
        let failure: (any Error)? = hasSignedOut ? CancellationError() : error
        if failure == nil {
            // Before one of these changes is replaced by another one.
            for (save, id) in batch.saves { addOutcome(of: save, to: id, isCurrent: isCurrent) }
            followUp.events += batch.added.map { .saved($0) }
        }
        if isCurrent { endStaging(isSaved: failure == nil, &followUp) }
        followUp.resumptions += batch.resumptions
        for (save, id) in batch.saves {
            followUp.resumptions.append {
                if let failure { return save.caller.resume(throwing: failure) }
                save.caller.resume(returning: (id, true))
            }
        }
        if let error {
            followUp.events.append(.failed(error))
            if isCurrent {
                inbox.unwrittenRecords = batch.earlierRecords
            } else {
                leftover?.records.insert(contentsOf: batch.earlierRecords, at: 0)
            }
        } else if !isCurrent, !batch.savedRecords.isEmpty {
            leftover?.contents = nil
        }
        return followUp
    }

    private mutating func endStaging(isSaved: Bool, _ followUp: inout FollowUp) {
        let targets = queue.stagedTargets
        for target in targets {
            for (removed, later) in queue.endStaging(of: target, isSaved: isSaved) {
                replace(removed, by: later?.id, &followUp)
            }
            guard isSaved else { continue }
            // The delay that the server requires stays, although the user is there.
            queue.schedule.endWaits(of: target)
            // The attempt of a change may have failed while a later one was being saved.
            if !queue.isLocked(target) { removeReplaced(of: target, &followUp) }
        }
        hold(targets, &followUp)
    }

    /// Sends nothing of some targets until the events of a step were reported.
    mutating func hold(_ targets: Set<Outbox.Edit.Target>, _ followUp: inout FollowUp) {
        for target in targets { queue.unreported[target, default: 0] += 1 }
        followUp.heldTargets = targets
    }

    /// Lets the changes be sent whose events were reported.
    mutating func endReporting(of followUp: FollowUp) {
        guard isCurrent(followUp.sessionNumber) else { return }
        for target in followUp.heldTargets {
            let count = queue.unreported[target] ?? 0
            queue.unreported[target] = count > 1 ? count - 1 : nil
        }
    }

    /// Moves the callers that wait for the outcome of a removed change to the one that replaces it.
    mutating func replace(
        _ change: Outbox.Change,
        by id: Outbox.Change.ID?,
        _ followUp: inout FollowUp
    ) {
        followUp.events.append(.removed(change))
        guard let moved = outcomes.removeValue(forKey: change.id) else { return }
        if let id { return outcomes[id, default: []] += moved }
        followUp.resumptions += moved.map { outcome in
            { outcome.yield(.failure(OutboxError(.discarded))) }
        }
    }

    /// Ends all saves of a session with an error, because its file cannot be opened.
    mutating func refuseSaves(_ error: OutboxError, ofSession number: Int) -> FollowUp {
        var followUp = FollowUp(sessionNumber: number)
        guard isCurrent(number) else { return followUp }
        for save in inbox.saves {
            followUp.resumptions.append { save.caller.resume(throwing: error) }
        }
        (inbox.saves, inbox.records) = ([], [])
        return followUp
    }
}
