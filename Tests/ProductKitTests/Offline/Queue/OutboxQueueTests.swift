import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxQueueTests {
    // Rule: outbox/equal-edit-joins-waiting (4); outbox/later-edit-replaces-earlier (5)
    @Test(
        arguments: [
            (
                .setFavorite("boots", to: true), .setFavorite("boots", to: false),
                .setFavorite("socks", to: false)
            ),
            (
                .addProduct("boots", toList: "winter"), .removeProduct("boots", fromList: "winter"),
                .removeProduct("socks", fromList: "winter")
            ),
            (
                .renameList("winter", name: "Cold"), .renameList("winter", name: "Warm"),
                .addProduct("boots", toList: "winter")
            ),
        ] as [(Outbox.Edit, Outbox.Edit, Outbox.Edit)]
    )
    func `an edit joins an equal one that waits, and replaces another one of the same subject`(
        earlier: Outbox.Edit,
        later: Outbox.Edit,
        ofOtherSubject: Outbox.Edit
    ) {
        var queue = OutboxQueue([earlier])
        #expect(queue.decision(for: ofOtherSubject) == .adds(replacing: []))
        queue.save(ofOtherSubject, as: "2")

        #expect(queue.decision(for: earlier) == .joins("1"))
        #expect(queue.decision(for: later) == .adds(replacing: ["1"]))
        queue.save(later, as: "3")
        #expect(queue.ids == ["2", "3"])
    }

    // Rule: outbox/deletion-replaces-all-waiting (6); outbox/change-in-flight-stays (8)
    @Test func `a deletion of a list replaces everything that waits for the list`() {
        var queue = OutboxQueue(
            [
                .addProduct("boots", toList: "winter"), .createList("winter", name: "Winter"),
                .renameList("winter", name: "Cold"), .addProduct("boots", toList: "summer"),
            ],
            sendsFirst: true
        )

        #expect(queue.decision(for: .deleteList("winter")) == .adds(replacing: ["2", "3"]))
        queue.save(.deleteList("winter"), as: "deletion")

        #expect(queue.ids == ["1", "4", "deletion"])
        #expect(queue.decision(for: .deleteList("winter")) == .joins("deletion"))
        #expect(queue.sets(.addProduct("boots", toList: "winter")) == nil)
        #expect(queue.beginNext(at: .zero)?.id == "4")
        _ = queue.conclude(.list("winter"), isConfirmed: true)
        queue.endAttempt(of: .list("winter"))
        #expect(queue.beginNext(at: .zero)?.id == "deletion")
    }

    // Rule: outbox/nothing-crosses-list-existence (7)
    @Test func `nothing is joined or replaced across a creation or deletion of the list`() {
        let queue = OutboxQueue([
            .renameList("winter", name: "Cold"), .addProduct("boots", toList: "winter"),
            .createList("winter", name: "Winter"),
        ])

        let edits: [Outbox.Edit] = [
            .renameList("winter", name: "Cold"), .addProduct("boots", toList: "winter"),
            .removeProduct("boots", fromList: "winter"), .createList("winter", name: "X"),
        ]
        for edit in edits { #expect(queue.decision(for: edit) == .adds(replacing: [])) }
        #expect(queue.decision(for: .createList("winter", name: "Winter")) == .joins("3"))
    }

    // Rule: outbox/waiting-edit-is-displayed (50)
    @Test func `it knows the last edits of one target and of all`() {
        let off = Outbox.Edit.setFavorite("boots", to: false)
        let addition = Outbox.Edit.addProduct("pan", toList: "boots")
        var queue = OutboxQueue([.setFavorite("boots", to: true)], sendsFirst: true)
        queue.save(off, as: "2")
        queue.save(addition, as: "3")

        #expect(Set(queue.lastEdits().values) == [off, addition])
        #expect(Array(queue.lastEdits(of: .favorite("boots")).values) == [off])
        #expect(Array(queue.lastEdits(of: .list("boots")).values) == [addition])
        #expect(queue.lastEdits(of: .favorite("pan")).isEmpty)
    }

    // Rule: outbox/change-in-flight-stays (8); outbox/discard-removes-waiting-change (49)
    @Test func `a change in flight is neither joined nor replaced nor removed`() {
        var queue = OutboxQueue([.setFavorite("boots", to: true)], sendsFirst: true)
        for status in [true, false] {
            #expect(queue.decision(for: .setFavorite("boots", to: status)) == .adds(replacing: []))
        }
        #expect(queue.stageRemoval(of: "1") == nil)
        #expect(queue.remove("1") == nil)

        queue.save(.setFavorite("boots", to: false), as: "2")
        #expect(queue.stageRemoval(of: "2") == ["2"])
        let removed = queue.endStaging(of: .favorite("boots"), isSaved: true)
        #expect(removed.map(\.removed.id) == ["2"])
        #expect(queue.sets(.setFavorite("boots", to: true)) == true)
    }

    // Rule: outbox/failed-change-leaves-replaced (9)
    @Test(
        arguments: [
            ([.setFavorite("boots", to: true), .setFavorite("boots", to: false)], next: "2"),
            (
                [
                    .createList("winter", name: "Winter"), .addProduct("boots", toList: "winter"),
                    .deleteList("winter"),
                ],
                next: "3"
            ),
            // The creation of the list is between the two changes of the boots.
            (
                [
                    .addProduct("boots", toList: "winter"), .addProduct("socks", toList: "winter"),
                    .createList("winter", name: "Winter"),
                    .removeProduct("boots", fromList: "winter"),
                ],
                next: "1"
            ),
        ] as [([Outbox.Edit], next: Outbox.Change.ID)]
    )
    func `a change that must be sent later leaves only if a later one replaces it`(
        edits: [Outbox.Edit],
        next: Outbox.Change.ID
    ) {
        var queue = OutboxQueue(edits, sendsFirst: true)

        let removed = queue.removeReplaced(of: edits[0].target)
        queue.endAttempt(of: edits[0].target)

        #expect(removed?.removed.id == (next == "1" ? nil : "1"))
        #expect(queue.beginNext(at: .zero)?.id == next)
    }

    // Rule: outbox/saved-is-reported-first (104)
    @Test func `a change that was not reported neither is sent nor leaves with an equal one`() {
        let on = Outbox.Edit.setFavorite("boots", to: true)
        var queue = OutboxQueue([on, on, .setFavorite("socks", to: true)], sendsFirst: true)
        queue.unreported = [on.target: 1, "socks": 1]

        #expect(queue.conclude(on.target, isConfirmed: true) == nil)
        queue.endAttempt(of: on.target)
        #expect(queue.beginNext(at: .zero) == nil)

        queue.unreported = [:]
        #expect(queue.beginNext(at: .zero)?.id == "2" && queue.beginNext(at: .zero)?.id == "3")
    }

    /// The way in which a change leaves the queue.
    enum Leaving: CaseIterable {
        case replaced, discarded
        /// It is replaced, and its attempt fails.
        case failed
        /// It is discarded, and another change of the list precedes it.
        case fromBehind
    }

    // Rule: outbox/conflict-repeats-four-times (43)
    @Test(arguments: Leaving.allCases)
    func `the conflicts and the key of a change do not count for the next one`(leaving: Leaving) {
        let edits: [Outbox.Edit] = [
            .addProduct("boots", toList: "winter"), .addProduct("socks", toList: "winter"),
        ]
        let target = edits[0].target
        var queue = OutboxQueue(edits, sendsFirst: leaving == .failed)
        for _ in 0..<4 {
            #expect(queue.schedule.delayAfterConflict(target, at: .zero) { _ in 0 })
        }
        queue.schedule.renewKey(of: target)

        switch leaving {
        case .replaced: queue.save(.removeProduct("boots", fromList: "winter"), as: "3")
        case .discarded: _ = queue.remove("1")
        case .failed:
            queue.save(.removeProduct("boots", fromList: "winter"), as: "3")
            _ = queue.removeReplaced(of: target)
        case .fromBehind: _ = queue.remove("2")
        }

        #expect(queue.schedule.keyNumber(of: target) == (leaving == .fromBehind ? 1 : 0))
        let isSentAgain = queue.schedule.delayAfterConflict(target, at: .zero) { _ in 0 }
        #expect(isSentAgain == (leaving != .fromBehind))
    }

    // Rule: outbox/equal-change-leaves-with-success (10); outbox/rejection-removes-one-change (41)
    @Test(
        arguments: [
            (
                [
                    .addProduct("boots", toList: "winter"), .addProduct("socks", toList: "winter"),
                    .addProduct("boots", toList: "winter"),
                ], true, ["2"]
            ),
            ([.setFavorite("boots", to: true), .setFavorite("boots", to: false)], true, ["2"]),
            (
                [
                    .addProduct("boots", toList: "winter"), .deleteList("winter"),
                    .addProduct("boots", toList: "winter"),
                ], true, ["2", "3"]
            ),
            ([.setFavorite("boots", to: true), .setFavorite("boots", to: true)], false, ["2"]),
        ] as [([Outbox.Edit], Bool, [Outbox.Change.ID])]
    )
    func `only a confirmed change takes along the next one of its subject, if it is equal`(
        edits: [Outbox.Edit],
        isConfirmed: Bool,
        remaining: [Outbox.Change.ID]
    ) {
        var queue = OutboxQueue(edits, sendsFirst: true)

        let equal = queue.conclude(edits[0].target, isConfirmed: isConfirmed)

        #expect(queue.ids == remaining)
        #expect(equal?.id == (remaining.count == edits.count - 1 ? nil : "3"))
    }

    // Rule: outbox/replacement-counts-when-saved (11)
    @Test(arguments: [true, false])
    func `a replacement counts when it is saved, and until then nothing is sent`(isSaved: Bool) {
        var queue = OutboxQueue([.setFavorite("boots", to: true)])

        queue.stage(.named("2", .setFavorite("boots", to: false)), replacing: ["1"])
        #expect(queue.ids == ["1"])
        #expect(queue.sets(.setFavorite("boots", to: true)) == true)
        #expect(queue.beginNext(at: .zero) == nil)

        let removed = queue.endStaging(of: .favorite("boots"), isSaved: isSaved)
        #expect(removed.map(\.removed.id) == (isSaved ? ["1"] : []))
        #expect(queue.beginNext(at: .zero)?.id == (isSaved ? "2" : "1"))
    }

    // Rule: outbox/replacement-counts-when-saved (11)
    @Test func `an edit replaces one that is saved at the same time`() {
        var queue = OutboxQueue()
        queue.stage(.named("1", .setFavorite("boots", to: true)), replacing: [])

        #expect(queue.decision(for: .setFavorite("boots", to: true)) == .joins("1"))
        #expect(queue.decision(for: .setFavorite("boots", to: false)) == .adds(replacing: ["1"]))

        queue.stage(.named("2", .setFavorite("boots", to: false)), replacing: ["1"])
        _ = queue.endStaging(of: .favorite("boots"), isSaved: true)
        #expect(queue.ids == ["2"])
    }

    // Rule: outbox/target-sends-in-order (2)
    @Test func `the changes of a list are sent one at a time, in the order of saving`() {
        var queue = OutboxQueue([
            .createList("winter", name: "Winter"), .addProduct("boots", toList: "winter"),
        ])

        #expect(queue.beginNext(at: .zero)?.id == "1")
        queue.save(.addProduct("socks", toList: "winter"), as: "3")
        #expect(queue.beginNext(at: .zero) == nil)
        _ = queue.conclude(.list("winter"), isConfirmed: true)
        #expect(queue.beginNext(at: .zero) == nil)
        queue.endAttempt(of: .list("winter"))
        #expect(queue.beginNext(at: .zero)?.id == "2")
    }

    // Rule: outbox/targets-send-concurrently (3)
    @Test func `different targets are sent concurrently, the one that has waited longest first`() {
        var queue = OutboxQueue(["1", "2", "3", "4"].map { .setFavorite($0, to: true) }, width: 2)

        #expect(queue.beginNext(at: .zero)?.id == "1")
        #expect(queue.beginNext(at: .zero)?.id == "2")
        #expect(queue.beginNext(at: .zero) == nil)
        _ = queue.conclude(.favorite("2"), isConfirmed: true)
        queue.endAttempt(of: .favorite("2"))
        #expect(queue.beginNext(at: .zero)?.id == "3")
        #expect(queue.inFlightCount == 2)
    }

    // Rule: outbox/targets-send-concurrently (3); outbox/delays-grow-with-jitter (37)
    @Test func `the oldest change that may be sent is the next, also after delays`() {
        let numbers = 1...10
        var queue = OutboxQueue(numbers.map { .setFavorite("\($0)", to: true) }, width: 10)
        for number in numbers where !number.isMultiple(of: 2) {
            queue.schedule.delay(.favorite("\(number)"), at: .zero) { _ in Double(10 - number) }
        }
        func next(at time: Duration, endsWaits: Bool = true) -> [String] {
            var next: [String] = []
            while let change = queue.beginNext(at: time, endsWaits: endsWaits) {
                next.append(change.id.rawValue)
                _ = queue.conclude(change.edit.target, isConfirmed: true)
                queue.endAttempt(of: change.edit.target)
            }
            return next
        }

        #expect(next(at: .zero) == ["2", "4", "6", "8", "10"])
        #expect(queue.schedule.nextWaitEnd == .seconds(1))
        #expect(next(at: .seconds(5), endsWaits: false) == [])
        #expect(next(at: .seconds(5)) == ["5", "7", "9"])
        queue.schedule.endWaits()
        #expect(next(at: .seconds(5)) == ["1", "3"])
    }

    // Rule: outbox/discard-removes-waiting-change (49)
    @Test func `discarding the creation of a list discards what needs the list`() {
        var queue = OutboxQueue([
            .createList("winter", name: "Winter"), .addProduct("boots", toList: "winter"),
            .renameList("winter", name: "Cold"), .createList("winter", name: "Other"),
        ])

        #expect(queue.stageRemoval(of: "1") == ["1", "2", "3"])
        _ = queue.endStaging(of: .list("winter"), isSaved: true)

        #expect(queue.ids == ["4"])
    }

    // Rule: outbox/discard-removes-waiting-change (49)
    @Test func `a discarded creation takes along a change that is being saved`() {
        var queue = OutboxQueue([.createList("winter", name: "Winter")])
        queue.stage(.named("2", .addProduct("boots", toList: "winter")), replacing: [])
        queue.stage(.named("3", .addProduct("boots", toList: "camp")), replacing: [])

        #expect(queue.stageRemoval(of: "1") == ["1", "2"])
        let removed = queue.endStaging(of: .list("winter"), isSaved: true)
        _ = queue.endStaging(of: .list("camp"), isSaved: true)

        #expect(removed.map(\.removed.id) == ["1", "2"] && queue.ids == ["3"])
    }

    // Rule: outbox/waiting-edit-is-displayed (50)
    @Test func `the queue returns what each product and list should be`() {
        let queue = OutboxQueue([
            .addProduct("boots", toList: "winter"), .removeProduct("boots", fromList: "summer"),
            .createList("autumn", name: "Autumn"), .renameList("winter", name: "Cold"),
        ])

        #expect(queue.sets(.addProduct("boots", toList: "winter")) == true)
        #expect(queue.sets(.addProduct("boots", toList: "summer")) == false)
        #expect(queue.sets(.addProduct("socks", toList: "winter")) == nil)
        #expect(queue.sets(.setFavorite("boots", to: true)) == nil)
        #expect(queue.listEdits == queue.changes.map(\.edit).suffix(2))
    }
}

extension OutboxQueue {
    /// Creates a queue of edits, which are saved as changes with the identifiers 1, 2 and so on.
    ///
    /// - Parameters:
    ///   - edits: The edits.
    ///   - width: The maximum number of targets with a change in flight.
    ///   - sendsFirst: Whether the first change is in flight before the others are saved.
    fileprivate init(_ edits: [Outbox.Edit], width: Int = 4, sendsFirst: Bool = false) {
        self.init(width: width)
        for (index, edit) in edits.enumerated() {
            save(edit, as: Outbox.Change.ID("\(index + 1)"))
            if sendsFirst, index == 0 { _ = beginNext(at: .zero) }
        }
    }

    /// The identifiers of all changes, in the order of saving.
    fileprivate var ids: [Outbox.Change.ID] { changes.map(\.id) }

    /// Whether the last edit of the same part sets the same state; `nil` if none waits.
    fileprivate func sets(_ edit: Outbox.Edit) -> Bool? {
        lastEdits(of: edit.target)[edit.part].map { $0 == edit }
    }

    /// Saves an edit as a change with an identifier, as the outbox does.
    fileprivate mutating func save(_ edit: Outbox.Edit, as id: Outbox.Change.ID) {
        guard case .adds(let replaced) = decision(for: edit) else { return }
        stage(.named(id, edit), replacing: replaced)
        _ = endStaging(of: edit.target, isSaved: true)
    }
}

extension Outbox.Change {
    /// A change with an identifier that is easy to read.
    static func named(_ id: Outbox.Change.ID, _ edit: Outbox.Edit) -> Outbox.Change {
        Outbox.Change(id: id, edit: edit, savedAt: Date(timeIntervalSince1970: 0))
    }
}
