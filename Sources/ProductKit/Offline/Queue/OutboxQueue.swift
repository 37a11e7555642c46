/// The changes that wait, in the order of saving for each target.
///
/// The changes of one target are sent one at a time. Those of different targets are sent
/// concurrently, up to a width; see ``OutboxSchedule`` for the order and the delays.
///
/// A value without effects. Each step takes a time that depends only on the number of changes of its
/// target, except for ``changes`` and ``listEdits``.
package struct OutboxQueue {
    private struct TargetQueue {
        /// The changes in the order of saving; the first one may be in flight.
        var changes: ArraySlice<Outbox.Change> = []
        /// The last change of each subject since the last creation or deletion of the list.
        var latest: [Outbox.Edit.Subject: Outbox.Change] = [:]
        /// The number of changes that create or delete the list.
        var barriers = 0
        /// The changes that are being saved, and those that they replace.
        ///
        /// Until they are saved, nothing of the target is sent. An element without a change only
        /// removes others.
        var staged: [(change: Outbox.Change?, replacing: [Outbox.Change.ID])] = []
        /// The change that is in flight; it is not the first one after it was removed.
        var inFlight: Outbox.Change.ID?
        /// Whether the change in flight is one of the number that the width limits.
        var countsAsInFlight = false

        var isFirstInFlight: Bool { inFlight != nil && changes.first?.id == inFlight }

        /// The changes that a new edit may join or replace, the last one first.
        var replaceable: [Outbox.Change] {
            let replaced = Set(staged.flatMap(\.replacing))
            let waiting = changes.dropFirst(isFirstInFlight ? 1 : 0) + staged.compactMap(\.change)
            return waiting.reversed().filter { !replaced.contains($0.id) }
        }

        /// The changes of `replaceable` that matter for an edit, found without a search if possible.
        func replaceable(by edit: Outbox.Edit) -> [Outbox.Change] {
            guard !edit.isDeletion, staged.isEmpty else { return replaceable }
            guard let change = latest[edit.subject], change.id != inFlight else {
                return []
            }
            return [change]
        }

        mutating func append(_ change: Outbox.Change) {
            if change.edit.subject == .listExistence {
                latest = [:]
                barriers += 1
            }
            latest[change.edit.subject] = change
            changes.append(change)
        }

        mutating func remove(at index: Int) -> Outbox.Change {
            let isFirst = index == changes.startIndex
            let change = isFirst ? changes.removeFirst() : changes.remove(at: index)
            let subject = change.edit.subject
            if subject == .listExistence { barriers -= 1 }
            if latest[subject]?.id == change.id {
                latest[subject] = isFirst ? nil : last(of: subject)
            }
            return change
        }

        /// Removes changes that are not in flight, and returns them.
        mutating func removeAll(where isRemoved: (Outbox.Change) -> Bool) -> [Outbox.Change] {
            let removed = changes.filter { $0.id != inFlight && isRemoved($0) }
            let rest = changes.filter { $0.id == inFlight || !isRemoved($0) }
            (changes, latest, barriers) = ([], [:], 0)
            for change in rest { append(change) }
            return Array(removed)
        }

        /// The last change of a subject, if no creation or deletion of the list follows it.
        private func last(of subject: Outbox.Edit.Subject) -> Outbox.Change? {
            let change = changes.last { [subject, .listExistence].contains($0.edit.subject) }
            return change?.edit.subject == subject ? change : nil
        }

        /// The first change of a subject, if no creation or deletion of the list precedes it.
        func first(of subject: Outbox.Edit.Subject) -> Outbox.Change? {
            guard barriers > 0 else { return latest[subject] }
            let change = changes.first { [subject, .listExistence].contains($0.edit.subject) }
            return change?.edit.subject == subject ? change : nil
        }

        /// The change that makes the first one unnecessary, if any.
        func replacement(of first: Outbox.Change) -> Outbox.Change? {
            if barriers > 0, let deletion = changes.dropFirst().first(where: \.edit.isDeletion) {
                return deletion
            }
            guard first.edit.subject != .listExistence else { return nil }
            var rest = self
            _ = rest.remove(at: changes.startIndex)
            return rest.first(of: first.edit.subject)
        }

        /// Whether the first change may be sent when the schedule permits it.
        var canBeSent: Bool { !changes.isEmpty && inFlight == nil && staged.isEmpty }
    }

    /// The maximum number of targets with a change in flight.
    private let width: Int
    private var targets: [Outbox.Edit.Target: TargetQueue] = [:]
    /// The target of each change, and its number in the order of saving.
    private var positions: [Outbox.Change.ID: (number: Int, target: Outbox.Edit.Target)] = [:]
    private var lastNumber = 0
    /// The edits that create, rename or delete a list, by the number of the change.
    private var numberedListEdits: [Int: Outbox.Edit] = [:]

    /// The number of changes in flight.
    package private(set) var inFlightCount = 0
    /// The order of the targets, and their delays.
    package var schedule = OutboxSchedule()

    /// Creates an empty queue.
    ///
    /// - Parameter width: The maximum number of targets with a change in flight.
    package init(width: Int = 4) {
        self.width = max(1, width)
    }

    /// The number of changes, those in flight included.
    package var count: Int { positions.count }

    /// Whether as many changes are in flight as may be.
    var isFull: Bool { inFlightCount >= width }

    /// Whether a change is in flight.
    package func isInFlight(_ id: Outbox.Change.ID) -> Bool {
        positions[id].map { targets[$0.target]?.inFlight == id } ?? false
    }

    /// The target of a change; `nil` if it does not wait.
    package func target(of id: Outbox.Change.ID) -> Outbox.Edit.Target? { positions[id]?.target }

    /// Whether there are no changes.
    package var isEmpty: Bool { positions.isEmpty }

    /// Whether a change waits or is in flight.
    package func contains(_ id: Outbox.Change.ID) -> Bool { positions[id] != nil }

    /// All changes in the order of saving.
    package var changes: [Outbox.Change] {
        targets.values.flatMap { $0.changes }
            .sorted { positions[$0.id]?.number ?? 0 < positions[$1.id]?.number ?? 0 }
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
    /// A change in flight is never joined or replaced. Nothing is joined or replaced across a
    /// creation or a deletion of the list, except by a deletion, which replaces everything that
    /// waits for the list.
    package func decision(for edit: Outbox.Edit) -> Decision {
        var replaced: [Outbox.Change.ID] = []
        for change in targets[edit.target]?.replaceable(by: edit) ?? [] {
            if edit.isDeletion {
                if change.edit == edit, replaced.isEmpty { return .joins(change.id) }
                replaced.append(change.id)
            } else if change.edit.subject == edit.subject {
                if change.edit == edit { return .joins(change.id) }
                return .adds(replacing: edit.subject == .listExistence ? [] : [change.id])
            } else if change.edit.subject == .listExistence {
                break
            }
        }
        return .adds(replacing: replaced.reversed())
    }

    /// Begins to save a change.
    ///
    /// Until ``endStaging(of:isSaved:)``, nothing of its target is sent.
    package mutating func stage(_ change: Outbox.Change, replacing replaced: [Outbox.Change.ID]) {
        targets[change.edit.target, default: TargetQueue()].staged.append((change, replaced))
    }

    /// Begins to remove a change at the user's request.
    ///
    /// Until ``endStaging(of:isSaved:)``, nothing of its target is sent.
    ///
    /// With the creation of a list, the changes behind it are removed that need the list.
    ///
    /// - Returns: The target, and the changes; `nil` if the change does not wait or is in flight.
    package mutating func stageRemoval(
        of id: Outbox.Change.ID
    ) -> (target: Outbox.Edit.Target, ids: [Outbox.Change.ID])? {
        guard let target = positions[id]?.target, let queue = targets[target],
            queue.inFlight != id, !queue.staged.contains(where: { $0.replacing.contains(id) })
        else { return nil }
        var ids = [id]
        if let index = index(of: id, in: queue.changes),
            case .createList = queue.changes[index].edit
        {
            ids += queue.changes[(index + 1)...]
                .prefix { $0.edit.subject != .listExistence }.map(\.id)
        }
        targets[target]?.staged.append((nil, ids))
        return (target, ids)
    }

    /// Ends saving the staged changes of a target.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - isSaved: Whether they were saved; otherwise they are dropped.
    /// - Returns: The changes that were removed, each with the one that replaces it, if any.
    package mutating func endStaging(
        of target: Outbox.Edit.Target,
        isSaved: Bool
    ) -> [(removed: Outbox.Change, by: Outbox.Change?)] {
        guard let staged = targets[target]?.staged, !staged.isEmpty else { return [] }
        targets[target]?.staged = []
        var removed: [(Outbox.Change, Outbox.Change?)] = []
        for (change, replacing) in isSaved ? staged : [] {
            if let change { append(change) }
            removed += remove(replacing, of: target).map { ($0, change) }
        }
        removeIfEmpty(target)
        schedule(target)
        return removed
    }

    /// Adds a change that was saved.
    package mutating func append(_ change: Outbox.Change) {
        lastNumber += 1
        positions[change.id] = (lastNumber, change.edit.target)
        targets[change.edit.target, default: TargetQueue()].append(change)
        if change.edit.isOfListItself { numberedListEdits[lastNumber] = change.edit }
        schedule(change.edit.target)
    }

    /// Removes a change that is not in flight, and returns it.
    package mutating func remove(
        _ id: Outbox.Change.ID,
        of target: Outbox.Edit.Target
    ) -> Outbox.Change? {
        guard let queue = targets[target], let index = index(of: id, in: queue.changes),
            id != queue.inFlight
        else { return nil }
        return remove(at: index, of: target)
    }

    /// Removes changes that are not in flight, and returns them.
    private mutating func remove(
        _ ids: [Outbox.Change.ID],
        of target: Outbox.Edit.Target
    ) -> [Outbox.Change] {
        // A deletion may replace thousands of changes of a list.
        guard ids.count > 8 else { return ids.compactMap { remove($0, of: target) } }
        let ids = Set(ids)
        let removed = targets[target]?.removeAll { ids.contains($0.id) } ?? []
        for change in removed { removeFromIndexes(change) }
        removeIfEmpty(target)
        return removed
    }

    /// Finds a change by its number, because a list may have many.
    private func index(of id: Outbox.Change.ID, in changes: ArraySlice<Outbox.Change>) -> Int? {
        guard let number = positions[id]?.number else { return nil }
        var range = changes.startIndex..<changes.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if changes[middle].id == id { return middle }
            let isBefore = positions[changes[middle].id].map { $0.number < number } ?? true
            range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    private mutating func remove(at index: Int, of target: Outbox.Edit.Target) -> Outbox.Change? {
        guard let change = targets[target]?.remove(at: index) else { return nil }
        removeFromIndexes(change)
        removeIfEmpty(target)
        return change
    }

    private mutating func removeFirst(of target: Outbox.Edit.Target) -> Outbox.Change? {
        guard let index = targets[target]?.changes.indices.first else { return nil }
        return remove(at: index, of: target)
    }

    private mutating func removeIfEmpty(_ target: Outbox.Edit.Target) {
        guard let queue = targets[target], queue.changes.isEmpty, queue.staged.isEmpty,
            queue.inFlight == nil
        else { return }
        targets[target] = nil
        schedule.remove(target)
    }

    private mutating func removeFromIndexes(_ change: Outbox.Change) {
        guard let position = positions.removeValue(forKey: change.id) else { return }
        numberedListEdits[position.number] = nil
    }
}

// MARK: - Sending

extension OutboxQueue {
    /// Begins to send the next change, which is in flight from then on.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - endsWaits: Whether delays end that have passed.
    /// - Returns: The change; `nil` if none may be sent now.
    package mutating func next(at now: Duration, endsWaits: Bool = true) -> Outbox.Change? {
        guard !isFull else { return nil }
        while let target = schedule.next(at: now, endsWaits: endsWaits) {
            guard let queue = targets[target], queue.canBeSent, !schedule.isWaiting(target) else {
                continue
            }
            targets[target]?.inFlight = queue.changes.first?.id
            targets[target]?.countsAsInFlight = true
            inFlightCount += 1
            return queue.changes.first
        }
        return nil
    }

    /// Adds a target to the schedule if its first change may be sent.
    private mutating func schedule(_ target: Outbox.Edit.Target) {
        guard let queue = targets[target], queue.canBeSent, let change = queue.changes.first else {
            return
        }
        schedule.add(target, number: positions[change.id]?.number ?? 0)
    }

    /// Removes the change in flight of a target, which the server has carried out or refused.
    ///
    /// The target stays locked until ``endAttempt(of:)``.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - isConfirmed: Whether the server has carried it out. Then the next change of the same
    ///     subject leaves with it if it is equal.
    /// - Returns: The change that leaves with it, if any.
    package mutating func conclude(
        _ target: Outbox.Edit.Target,
        isConfirmed: Bool
    ) -> Outbox.Change? {
        schedule.succeed(target)
        guard let change = removeFirst(of: target), isConfirmed,
            let next = targets[target]?.first(of: change.edit.subject), next.edit == change.edit,
            let index = targets[target].flatMap({ index(of: next.id, in: $0.changes) })
        else { return nil }
        return remove(at: index, of: target)
    }

    /// Lets another target be sent in place of this one, whose attempt does not end.
    ///
    /// The target stays locked until ``endAttempt(of:)``.
    package mutating func giveWay(_ target: Outbox.Edit.Target) {
        guard targets[target]?.countsAsInFlight == true else { return }
        targets[target]?.countsAsInFlight = false
        inFlightCount -= 1
    }

    /// Ends the attempt of a target.
    package mutating func endAttempt(of target: Outbox.Edit.Target) {
        guard targets[target]?.inFlight != nil else { return }
        giveWay(target)
        targets[target]?.inFlight = nil
        removeIfEmpty(target)
        schedule(target)
    }

    /// Removes the change in flight of a target, whose attempt has just failed, if a later change
    /// replaces it.
    ///
    /// - Returns: The change, and the one that replaces it.
    package mutating func removeReplaced(
        of target: Outbox.Edit.Target
    ) -> (replaced: Outbox.Change, by: Outbox.Change.ID)? {
        guard let queue = targets[target], let change = queue.changes.first,
            let later = queue.replacement(of: change)
        else { return nil }
        return removeFirst(of: target).map { ($0, later.id) }
    }
}

// MARK: - Display

extension OutboxQueue {
    /// Returns the favorite status that a product should have; `nil` if no change of it waits.
    package func favoriteStatus(of product: Product.ID) -> Bool? {
        guard case .setFavorite(_, let status) = targets[.favorite(product)]?.changes.last?.edit
        else { return nil }
        return status
    }

    /// Returns whether a list should contain a product; `nil` if no change of it waits.
    package func membership(of product: Product.ID, in list: ProductList.ID) -> Bool? {
        let last = targets[.list(list)]?.latest[.membership(product)]
        return last.map { $0.edit == .addProduct(product, toList: list) }
    }

    /// The edits that create, rename or delete a list, in the order of saving.
    package var listEdits: [Outbox.Edit] {
        numberedListEdits.sorted { $0.key < $1.key }.map(\.value)
    }
}
