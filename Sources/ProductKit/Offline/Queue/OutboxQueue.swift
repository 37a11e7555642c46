/// The changes that wait, in the order of saving.
///
/// The changes of one target are sent one at a time. Those of different targets are sent
/// concurrently, up to a width; see ``OutboxSchedule`` for the delays.
///
/// A value without effects. Each step scans the changes, of which there are at most a few hundred.
package struct OutboxQueue {
    /// A change that is being saved, and those that it replaces.
    private struct Staged {
        let target: Outbox.Edit.Target
        /// The change; `nil` if others are only removed.
        let change: Outbox.Change?
        let replaced: [Outbox.Change.ID]
    }

    /// The maximum number of targets with a change in flight.
    private let width: Int
    /// All changes in the order of saving, those in flight included.
    package private(set) var changes: [Outbox.Change] = []
    /// The changes that are being saved; their targets send nothing until that has ended.
    private var staged: [Staged] = []
    /// The changes in flight, which may have left the queue already, and whether they count towards the width.
    private var inFlight: [Outbox.Edit.Target: (id: Outbox.Change.ID, counts: Bool)] = [:]
    /// The number of steps of each target whose events were not reported yet; until then, the target sends nothing.
    package var unreported: [Outbox.Edit.Target: Int] = [:]
    package var schedule = OutboxSchedule()

    package init(width: Int = 4) {
        self.width = width
    }

    /// The number of changes when those that are being saved are saved.
    var countAfterSaving: Int {
        changes.count + staged.count(where: { $0.change != nil })
            - Set(staged.flatMap(\.replaced)).count
    }

    /// The number of changes in flight that count towards the width.
    package var inFlightCount: Int { inFlight.values.count(where: \.counts) }

    /// Whether the width permits no further change in flight.
    var isFull: Bool { inFlightCount >= width }

    /// Whether no change is being saved, reported or sent, except for attempts that do not count towards the width.
    var isIdle: Bool { staged.isEmpty && unreported.isEmpty && inFlightCount == 0 }

    /// The targets of which a change is being saved or discarded.
    var stagedTargets: Set<Outbox.Edit.Target> { Set(staged.map(\.target)) }

    /// The target of a change; `nil` if it is not in the queue.
    func target(of id: Outbox.Change.ID) -> Outbox.Edit.Target? {
        changes.first { $0.id == id }?.edit.target
    }

    /// Whether an attempt of a target has not ended.
    func isLocked(_ target: Outbox.Edit.Target) -> Bool { inFlight[target] != nil }

    /// Whether a change is in flight and still in the queue.
    func isInFlight(_ id: Outbox.Change.ID) -> Bool {
        target(of: id).map { inFlight[$0]?.id == id } ?? false
    }
}

// MARK: - Saving

extension OutboxQueue {
    /// The effect of saving an edit.
    package enum Decision: Equatable {
        /// The same edit waits already, as this change: nothing is written.
        case joins(Outbox.Change.ID)
        /// The edit becomes a change, which replaces others that wait.
        case adds(replacing: [Outbox.Change.ID])
    }

    /// Decides what saving an edit does.
    ///
    /// A change in flight is never joined or replaced. Nothing is joined or replaced across a creation or a deletion of
    /// the list, except by a deletion, which replaces everything that waits for the list.
    package func decision(for edit: Outbox.Edit) -> Decision {
        let found = replaceable(of: edit.target)
        let last = edit.isDeletion ? found.last : first(ofSubjectOf: edit, in: found.reversed())
        if let last, last.edit == edit { return .joins(last.id) }
        if edit.isDeletion { return .adds(replacing: found.map(\.id)) }
        guard let last, !edit.isCreation else { return .adds(replacing: []) }
        return .adds(replacing: [last.id])
    }

    /// The changes of a target that a new edit may join or replace, in the order of saving.
    private func replaceable(of target: Outbox.Edit.Target) -> [Outbox.Change] {
        let staged = staged.filter { $0.target == target }
        let waiting = changes.filter { $0.edit.target == target && $0.id != inFlight[target]?.id }
        return (waiting + staged.compactMap(\.change))
            .filter { change in !staged.contains { $0.replaced.contains(change.id) } }
    }

    /// Begins to save a change, until ``endStaging(of:isSaved:)``.
    package mutating func stage(_ change: Outbox.Change, replacing replaced: [Outbox.Change.ID]) {
        staged.append(Staged(target: change.edit.target, change: change, replaced: replaced))
    }

    /// Begins to remove a change at the user's request, until ``endStaging(of:isSaved:)``.
    ///
    /// With the creation of a list, the later changes that need it are removed, also those that are being saved.
    ///
    /// - Returns: The removed changes; `nil` if the change does not wait or is in flight.
    package mutating func stageRemoval(of id: Outbox.Change.ID) -> [Outbox.Change.ID]? {
        guard let index = changes.firstIndex(where: { $0.id == id }) else { return nil }
        let change = changes[index]
        let target = change.edit.target
        guard inFlight[target]?.id != id, !staged.contains(where: { $0.replaced.contains(id) })
        else { return nil }
        var ids = [id]
        if change.edit.isCreation {
            ids += (changes[(index + 1)...] + staged.compactMap(\.change))
                .filter { $0.edit.target == target }
                .prefix { $0.edit.subject != .listExistence }.map(\.id)
        }
        staged.append(Staged(target: target, change: nil, replaced: ids))
        return ids
    }

    /// Ends saving the staged changes of a target; those that were not saved are dropped.
    ///
    /// Returns the changes that were removed, each with the one that replaces it, if any.
    package mutating func endStaging(
        of target: Outbox.Edit.Target,
        isSaved: Bool
    ) -> [(removed: Outbox.Change, by: Outbox.Change?)] {
        let ended = staged.filter { $0.target == target }
        staged.removeAll { $0.target == target }
        var removed: [(Outbox.Change, Outbox.Change?)] = []
        for item in isSaved ? ended : [] {
            if let change = item.change { append(change) }
            for id in item.replaced {
                if let change = remove(id) { removed.append((change, item.change)) }
            }
        }
        forgetIfEmpty(target)
        return removed
    }

    package mutating func append(_ change: Outbox.Change) { changes.append(change) }

    /// Removes a change that is not in flight, and returns it.
    package mutating func remove(_ id: Outbox.Change.ID) -> Outbox.Change? {
        guard let index = changes.firstIndex(where: { $0.id == id }), !isInFlight(id) else {
            return nil
        }
        return remove(at: index)
    }

    private mutating func remove(at index: Int) -> Outbox.Change {
        let change = changes.remove(at: index)
        let target = change.edit.target
        if !changes[..<index].contains(where: { $0.edit.target == target }) {
            schedule.firstChangeDidLeave(target)
        }
        forgetIfEmpty(target)
        return change
    }

    /// Ends the delays of a target of which nothing waits any longer.
    private mutating func forgetIfEmpty(_ target: Outbox.Edit.Target) {
        guard inFlight[target] == nil, !staged.contains(where: { $0.target == target }),
            !changes.contains(where: { $0.edit.target == target })
        else { return }
        schedule.remove(target)
    }
}

// MARK: - Sending

extension OutboxQueue {
    /// Begins to send the next change, which is in flight from then on; `nil` if none may be sent now.
    ///
    /// Of each target only the first change is considered, and only if the target has no delay and
    /// nothing of it is being saved, reported or sent. The oldest of these is next. Without `endsWaits`, delays that
    /// are over still block their targets.
    package mutating func beginNext(at now: Duration, endsWaits: Bool = true) -> Outbox.Change? {
        if endsWaits { schedule.endWaits(until: now) }
        guard !isFull, schedule.permitsSending else { return nil }
        var blocked = Set(unreported.keys).union(inFlight.keys).union(stagedTargets)
        for change in changes where blocked.insert(change.edit.target).inserted {
            guard !schedule.isWaiting(change.edit.target) else { continue }
            inFlight[change.edit.target] = (change.id, counts: true)
            return change
        }
        return nil
    }

    /// Removes the change in flight of a target, which the server has carried out or refused.
    ///
    /// The target stays locked until ``endAttempt(of:)``.
    ///
    /// - Returns: The next change of the same subject, if it equals the confirmed one and all events of the target
    ///   were reported. It leaves the queue, too.
    package mutating func conclude(
        _ target: Outbox.Edit.Target,
        isConfirmed: Bool
    ) -> Outbox.Change? {
        schedule.succeed(target)
        guard let index = changes.firstIndex(where: { $0.edit.target == target }) else {
            return nil
        }
        let change = remove(at: index)
        guard isConfirmed, unreported[target] == nil,
            let next = first(ofSubjectOf: change.edit, in: changes), next.edit == change.edit
        else { return nil }
        return remove(next.id)
    }

    /// Lets another target be sent in place of this one, which stays locked because its attempt does not end.
    mutating func freePlace(of target: Outbox.Edit.Target) {
        inFlight[target]?.counts = false
    }

    package mutating func endAttempt(of target: Outbox.Edit.Target) {
        guard inFlight.removeValue(forKey: target) != nil else { return }
        forgetIfEmpty(target)
    }

    /// Removes the first change of a target after its attempt has failed, if a later change replaces it.
    ///
    /// The later one has not replaced it because it was in flight.
    package mutating func removeReplaced(
        of target: Outbox.Edit.Target
    ) -> (removed: Outbox.Change, by: Outbox.Change)? {
        guard let first = changes.firstIndex(where: { $0.edit.target == target }) else {
            return nil
        }
        let (edit, rest) = (changes[first].edit, changes[(first + 1)...])
        var later = rest.first { $0.edit.target == target && $0.edit.isDeletion }
        if later == nil, edit.subject != .listExistence {
            later = self.first(ofSubjectOf: edit, in: rest)
        }
        return later.map { (remove(at: first), $0) }
    }

    /// Finds the first change of an edit's subject, if no creation or deletion of the list precedes it.
    private func first(
        ofSubjectOf edit: Outbox.Edit,
        in changes: some Sequence<Outbox.Change>
    ) -> Outbox.Change? {
        let first = changes.first { change in
            change.edit.target == edit.target
                && [edit.subject, .listExistence].contains(change.edit.subject)
        }
        return first?.edit.subject == edit.subject ? first : nil
    }
}

// MARK: - Display

extension OutboxQueue {
    /// Returns the last edit of each part that waits, of one target or, for `nil`, of all.
    ///
    /// Edits from before a creation or a deletion of the list do not count.
    package func lastEdits(
        of target: Outbox.Edit.Target? = nil
    ) -> [Outbox.Edit.Part: Outbox.Edit] {
        var edits: [Outbox.Edit.Part: Outbox.Edit] = [:]
        for change in changes.reversed() where target == nil || change.edit.target == target {
            let edit = change.edit
            let existence = Outbox.Edit.Part(target: edit.target, subject: .listExistence)
            if edits[existence] == nil, edits[edit.part] == nil { edits[edit.part] = edit }
        }
        return edits
    }

    /// The edits that create, rename or delete a list, in the order of saving.
    package var listEdits: [Outbox.Edit] { changes.map(\.edit).filter(\.isOfListItself) }
}
