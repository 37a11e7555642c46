import Foundation

// MARK: - Saving

extension OutboxState {
    /// Adds an edit or a discarding for the writer.
    ///
    /// - Returns: Whether the caller must write; otherwise another one does.
    mutating func add(_ save: Save) -> Bool {
        inbox.saves.append(save)
        defer { inbox.isWriting = true }
        return !inbox.isWriting
    }

    /// Adds the removal of a dismissed rejection for the writer.
    ///
    /// - Returns: Whether there is such a rejection.
    mutating func dismiss(_ id: Outbox.Change.ID) -> Bool {
        let count = rejections.count
        rejections.removeAll { $0.id == id }
        guard rejections.count < count else { return false }
        inbox.records.append(.removed(id))
        return true
    }

    /// Whether the caller must write what was added; otherwise there is nothing, or another one does.
    mutating func beginWriting() -> Bool {
        guard !inbox.isWriting, !inbox.isEmpty else { return false }
        inbox.isWriting = true
        return true
    }

    /// Whether more was added for the writer; otherwise it has ended.
    mutating func continueWriting() -> Bool {
        inbox.isWriting = !inbox.isEmpty
        return inbox.isWriting
    }

    /// Decides what saving each added edit does, in their order.
    ///
    /// - Returns: `nil` if the session of the open file has ended.
    mutating func takeBatch(ofSession number: Int) -> Batch? {
        guard isCurrent(number) else { return nil }
        let added = inbox
        inbox = Inbox(isWriting: true)
        var batch = Batch(
            earlierRecords: added.unwrittenRecords + added.records,
            sessionNumber: sessionNumber
        )
        for save in added.saves { prepare(save, in: &batch) }
        batch.emptiesFile =
            !batch.records.isEmpty && batch.targets.isEmpty && queue.isEmpty && rejections.isEmpty
        return batch
    }

    private mutating func prepare(_ save: Save, in batch: inout Batch) {
        guard isCurrent(save.sessionNumber) else {
            return batch.refusals.append((save, OutboxError(.notStarted)))
        }
        switch save.action {
        case .discard(let id, let caller):
            guard let (target, ids) = queue.stageRemoval(of: id) else {
                return batch.resumptions.append { caller.resume(returning: false) }
            }
            batch.savedRecords += ids.map { .removed($0) }
            batch.targets.insert(target)
            batch.saves.append((save, id, false))
        case .save(let edit, _):
            switch queue.decision(for: edit) {
            case .joins(let id):
                // A change that is being saved is only certain when that has ended.
                let isSaved = queue.contains(id)
                if isSaved {
                    endWaits(of: edit.target)
                    addOutcome(of: save, to: id)
                    endOutcomeIfBlocked(of: save)
                }
                batch.saves.append((save, id, isSaved))
            case .adds(let replaced):
                guard edit.byteCount <= Outbox.Edit.maximumByteCount else {
                    return batch.refusals.append((save, OutboxError(.tooLarge)))
                }
                guard !replaced.isEmpty || queue.countAfterSaving < limit else {
                    return batch.refusals.append((save, OutboxError(.full)))
                }
                let change = Outbox.Change(edit, effects: effects)
                queue.stage(change, replacing: replaced)
                batch.savedRecords.append(.saved(change, replacing: replaced))
                batch.targets.insert(edit.target)
                batch.added.append(change)
                batch.saves.append((save, change.id, false))
            }
        }
    }

    private mutating func addOutcome(of save: Save, to id: Outbox.Change.ID) {
        if let outcome = save.outcome { outcomes[id, default: []].append(outcome) }
    }

    /// Lets a caller continue if there is no next attempt that would be worth waiting for.
    private func endOutcomeIfBlocked(of save: Save) {
        guard let outcome = save.outcome, queue.schedule.isBlocked(at: effects.elapsed()) else {
            return
        }
        outcome.yield(.success(.saved))
    }

    /// Ends the delays of a target, except that of the server: the user is there.
    private mutating func endWaits(of target: Outbox.Edit.Target) {
        queue.schedule.endWaits(of: target)
    }

    /// Ends saving the edits of the batch.
    ///
    /// - Parameters:
    ///   - batch: The batch.
    ///   - error: The error with which writing failed; `nil` if everything was saved.
    /// - Returns: The further steps of the caller.
    mutating func finish(_ batch: Batch, error: OutboxError?) -> FollowUp {
        var followUp = FollowUp(sessionNumber: batch.sessionNumber)
        let isCurrent = batch.sessionNumber == sessionNumber
        if isCurrent, error == nil {
            // Before one of these changes is replaced by another one.
            for case (let save, let id, false) in batch.saves { addOutcome(of: save, to: id) }
        }
        let isRemoved = userToErase(ofSession: batch.sessionNumber) != nil
        if isCurrent {
            endStaging(of: batch, isSaved: error == nil, &followUp)
        } else if error == nil, !isRemoved {
            followUp.events += batch.added.map { .saved($0) }
        }
        followUp.resumptions += batch.resumptions
        for (save, error) in batch.refusals {
            followUp.resumptions.append { save.end(throwing: error) }
        }
        for (save, id, isSaved) in batch.saves {
            let ending: (any Error)? = isRemoved ? CancellationError() : error
            let failure = isSaved ? nil : ending
            if isCurrent, !isSaved, failure == nil { endOutcomeIfBlocked(of: save) }
            // No attempt of an ended session follows.
            if !isCurrent, let outcome = save.outcome {
                followUp.resumptions.append { outcome.yield(.success(.saved)) }
            }
            followUp.resumptions.append {
                if let failure { save.end(throwing: failure) } else { save.end(with: id) }
            }
        }
        if let error {
            followUp.events.append(.failed(error))
            if isCurrent {
                inbox.unwrittenRecords = batch.earlierRecords
            } else {
                endedSessions[batch.sessionNumber]?.records.insert(
                    contentsOf: batch.earlierRecords,
                    at: 0
                )
            }
        } else if !isCurrent, !batch.savedRecords.isEmpty {
            endedSessions[batch.sessionNumber]?.contents = nil
        }
        return followUp
    }

    private mutating func endStaging(
        of batch: Batch,
        isSaved: Bool,
        _ followUp: inout FollowUp
    ) {
        if isSaved { followUp.events += batch.added.map { .saved($0) } }
        for target in batch.targets {
            for (removed, later) in queue.endStaging(of: target, isSaved: isSaved) {
                replace(removed, by: later?.id, &followUp)
            }
            guard isSaved else { continue }
            endWaits(of: target)
            // The attempt of a change may have failed while a later one was being saved.
            if !queue.isLocked(target) { removeReplaced(of: target, &followUp) }
        }
        hold(batch.targets, &followUp)
    }

    /// Sends nothing of some targets until the events of a step were reported.
    mutating func hold(_ targets: Set<Outbox.Edit.Target>, _ followUp: inout FollowUp) {
        queue.unreported.formUnion(targets)
        followUp.heldTargets = targets
    }

    /// Lets the changes be sent whose events were reported.
    mutating func endReporting(of followUp: FollowUp) {
        guard isCurrent(followUp.sessionNumber) else { return }
        queue.unreported.subtract(followUp.heldTargets)
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

    /// Ends all saves with an error, because the file of a session cannot be opened.
    ///
    /// Nothing happens if another session has started meanwhile.
    mutating func refuseSaves(_ error: OutboxError, ofSession number: Int?) -> FollowUp {
        var followUp = FollowUp(sessionNumber: sessionNumber)
        guard session?.number == number else { return followUp }
        for save in inbox.saves {
            let isOfSession = save.sessionNumber == number
            followUp.resumptions.append {
                save.end(throwing: isOfSession ? error : OutboxError(.notStarted))
            }
        }
        // Nothing was written in this session, so the records are of no session.
        (inbox.saves, inbox.records) = ([], [])
        return followUp
    }
}
