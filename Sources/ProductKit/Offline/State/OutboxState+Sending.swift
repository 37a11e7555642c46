import Foundation

extension OutboxState {
    /// A change to send.
    struct Attempt: Sendable {
        let change: Outbox.Change
        let login: Login
        let round: Int
        let context: ChangeAttempt

        var target: Outbox.Edit.Target { change.edit.target }
    }

    /// The error of an attempt, and what it says, read outside of a step: it may be code of the app.
    struct Failure: Error {
        let error: any Error
        let message: String
        let mayHaveReachedServer: Bool

        init(_ error: any Error) {
            self.error = error
            message = error.localizedDescription
            mayHaveReachedServer = error.mayHaveReachedServer
        }
    }

    /// Whether the sender has something to do now; otherwise an attempt must end or the user must sign in first.
    var canSend: Bool {
        !isOpen || !idleWaiters.isEmpty || !queue.isFull && !queue.schedule.needsSignIn
    }

    mutating func planSending() -> SendingPlan {
        var plan = SendingPlan()
        guard let login, isOpen else {
            swap(&plan.idle.waiters, &idleWaiters)
            // The device may be locked, or another process may have the file.
            plan.delay = current?.file == .failedToOpen ? Self.openingDelay : nil
            return plan
        }
        let now = effects.elapsed()
        // While a caller waits until nothing can be sent, time ends no delay. It would wait for ever if
        // one attempt failed again and again while another one is in flight.
        while true {
            if let change = queue.beginNext(at: now, endsWaits: idleWaiters.isEmpty) {
                plan.attempts.append(attempt(of: change, for: login))
            } else if !idleWaiters.isEmpty, queue.isIdle {
                plan.idle.count = queue.changes.count
                swap(&plan.idle.waiters, &idleWaiters)
            } else {
                break
            }
        }
        // While the width is used up, or a caller waits, the end of an attempt is the next step.
        if !queue.isFull, idleWaiters.isEmpty {
            plan.delay = queue.schedule.nextWaitEnd.map { $0 - now }
        }
        return plan
    }

    /// Creates an attempt to send a change.
    ///
    /// Each unsafe request has an `Idempotency-Key`: the identifier of the change, and a checksum of the
    /// request. So it is the same when the change is sent again, also after a restart, until it is renewed.
    func attempt(of change: Outbox.Change, for login: Login) -> Attempt {
        let keyNumber = queue.schedule.keyNumber(of: change.edit.target)
        let suffix = keyNumber == 0 ? "" : "-\(keyNumber)"
        let earlier = uncertain[change.edit.part]
        let context = ChangeAttempt(
            mayBeCarriedOut: earlier != nil,
            isKnownByKey: earlier?.id == change.id && earlier?.isFromFile == false
                && keyNumber == 0,
            key: { [id = change.id] request in "\(id)-\(request.checksum)\(suffix)" }
        )
        let round = queue.schedule.round
        return Attempt(change: change, login: login, round: round, context: context)
    }

    /// Records that the server may have carried out a change.
    mutating func setUncertain(_ change: Outbox.Change, isFromFile: Bool = false) {
        let part = change.edit.part
        let wasFromFile = uncertain[part].map { $0.id == change.id && $0.isFromFile } ?? false
        uncertain[part] = (change.id, isFromFile || wasFromFile)
    }

    func isCurrent(_ attempt: Attempt) -> Bool {
        isCurrent(attempt.login.number)
    }

    /// Removes a change that the server has carried out or refused; returns `nil` if the session has ended.
    mutating func conclude(
        _ attempt: Attempt,
        with result: Result<Outbox.Confirmation, Failure>
    ) -> FollowUp? {
        guard isCurrent(attempt) else { return nil }
        var followUp = FollowUp(sessionNumber: attempt.login.number)
        let (change, isConfirmed) = (attempt.change, (try? result.get()) != nil)
        let equal = queue.conclude(attempt.target, isConfirmed: isConfirmed)
        switch result {
        case .success:
            inbox.records.append(.removed(change.id))
            followUp.events.append(.sent(change))
            dismissRejections { $0.change.edit == change.edit }
            uncertain[change.edit.part] = nil
        case .failure(let failure):
            if failure.mayHaveReachedServer { setUncertain(change) }
            reject(change, message: failure.message)
            followUp.events.append(.rejected(change, failure.error))
        }
        if let equal {
            inbox.records.append(.removed(equal.id))
            followUp.events.append(.sent(equal))
        }
        for id in [change.id, equal?.id].compactMap(\.self) {
            for outcome in outcomes.removeValue(forKey: id) ?? [] {
                followUp.resumptions.append {
                    outcome.yield(result.map { .confirmed($0) }.mapError(\.error))
                }
            }
        }
        return followUp
    }

    private mutating func reject(_ change: Outbox.Change, message: String) {
        // The edit may have been sent again.
        dismissRejections { $0.change.edit == change.edit }
        rejections.append(Outbox.Rejection(change: change, message: message))
        inbox.records.append(.rejected(change.id, message: message))
        if rejections.count > limit {
            inbox.records.append(.removed(rejections.removeFirst().id))
        }
    }

    /// Delays a change that could not be sent, and ends the attempt, unless that has timed out and goes on.
    ///
    /// - Returns: `nil` if the change is not sent again: the server has carried it out or refused it, or it
    ///   has had too many conflicts; also if the session has ended.
    mutating func postpone(
        _ attempt: Attempt,
        as disposition: Outbox.Disposition,
        failure: Failure,
        hasTimedOut: Bool
    ) -> FollowUp? {
        guard isCurrent(attempt) else { return nil }
        let (now, random) = (effects.elapsed(), effects.random)
        var delaysAll = false
        if disposition != .conflict { queue.schedule.endConflicts(of: attempt.target) }
        switch disposition {
        case .confirmed, .rejected: return nil
        case .conflict:
            guard queue.schedule.delayAfterConflict(attempt.target, at: now, random: random)
            else { return nil }
        case .retryAllLater(let required):
            delaysAll = true
            queue.schedule.delayAll(
                required: required.map { min($0, Self.maximumRequiredDelay) },
                round: attempt.round,
                at: now,
                random: random
            )
        case .waitForSignIn:
            delaysAll = true
            queue.schedule.waitForSignIn()
        case .retryLater: queue.schedule.delay(attempt.target, at: now, random: random)
        }
        let isServerError = (failure.error as? NetworkError)?.isCompleteServerError == true
        if isServerError, !attempt.change.edit.isCreation {
            queue.schedule.renewKey(of: attempt.target)
        }
        if failure.mayHaveReachedServer { setUncertain(attempt.change) }
        var followUp = FollowUp(sessionNumber: attempt.login.number)
        followUp.events.append(.postponed(attempt.change, failure.error))
        // The callers of the change, of those behind it, and of all others if nothing can be sent.
        for id in outcomes.keys
        where queue.target(of: id) == attempt.target || delaysAll && !queue.isInFlight(id) {
            for outcome in outcomes.removeValue(forKey: id) ?? [] {
                followUp.resumptions.append { outcome.yield(.success(.saved)) }
            }
        }
        removeReplaced(of: attempt.target, &followUp)
        if !hasTimedOut {
            unlock(attempt)
            hold([attempt.target], &followUp)
        }
        return followUp
    }

    /// Ends an attempt, so that the next change of its target can be sent.
    mutating func endAttempt(_ attempt: Attempt) -> FollowUp {
        var followUp = FollowUp(sessionNumber: attempt.login.number)
        guard isCurrent(attempt) else { return followUp }
        unlock(attempt)
        // The user may have saved another change while an attempt that had timed out went on.
        removeReplaced(of: attempt.target, &followUp)
        if !followUp.events.isEmpty { hold([attempt.target], &followUp) }
        return followUp
    }

    private mutating func unlock(_ attempt: Attempt) {
        attempts[attempt.change.id] = nil
        queue.endAttempt(of: attempt.target)
    }

    /// Removes a change whose attempt has failed if a later one replaces it.
    mutating func removeReplaced(of target: Outbox.Edit.Target, _ followUp: inout FollowUp) {
        guard let (removed, later) = queue.removeReplaced(of: target) else { return }
        inbox.records.append(.removed(removed.id))
        replace(removed, by: later.id, &followUp)
        followUp.removesOthers = true
    }
}

extension OutgoingRequest {
    /// A checksum of the method, the URL and the body, in 16 hexadecimal digits.
    fileprivate var checksum: String {
        var sum = UInt64.checksum(of: method)
        sum = .checksum(of: url.absoluteString, startingWith: sum)
        sum = (body ?? Data()).withUnsafeBytes { .checksum(of: $0, startingWith: sum) }
        return sum.hexadecimalDigits
    }
}
