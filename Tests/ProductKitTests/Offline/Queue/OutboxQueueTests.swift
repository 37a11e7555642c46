import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxQueueTests {
    // Rule: outbox/equal-edit-joins-waiting (4)
    @Test func `an edit that waits already is joined`() {
        var queue = OutboxQueue()
        queue.save(.setFavorite("boots", to: true), as: "1")

        #expect(queue.decision(for: .setFavorite("boots", to: true)) == .joins("1"))
        #expect(queue.decision(for: .setFavorite("socks", to: true)) == .adds(replacing: []))
    }

    // Rule: outbox/later-edit-replaces-earlier (5)
    @Test(
        arguments: [
            (Outbox.Edit.setFavorite("boots", to: true), .setFavorite("boots", to: false)),
            (.addProduct("boots", toList: "winter"), .removeProduct("boots", fromList: "winter")),
            (.renameList("winter", name: "Cold"), .renameList("winter", name: "Warm")),
        ] as [(Outbox.Edit, Outbox.Edit)]
    )
    func `a later edit of the same subject replaces one that waits`(
        earlier: Outbox.Edit,
        later: Outbox.Edit
    ) {
        var queue = OutboxQueue()
        queue.save(earlier, as: "1")

        #expect(queue.decision(for: later) == .adds(replacing: ["1"]))
        queue.save(later, as: "2")
        #expect(queue.changes.map(\.id) == ["2"])
    }

    // Rule: outbox/later-edit-replaces-earlier (5)
    @Test func `edits of other subjects of a list are not replaced`() {
        var queue = OutboxQueue()
        queue.save(.addProduct("boots", toList: "winter"), as: "1")
        queue.save(.renameList("winter", name: "Cold"), as: "2")

        let other = Outbox.Edit.removeProduct("socks", fromList: "winter")
        #expect(queue.decision(for: other) == .adds(replacing: []))
        let sameProduct = Outbox.Edit.removeProduct("boots", fromList: "winter")
        #expect(queue.decision(for: sameProduct) == .adds(replacing: ["1"]))
    }

    // Rule: outbox/deletion-replaces-all-waiting (6)
    @Test func `a deletion of a list replaces everything that waits for the list`() {
        var queue = OutboxQueue()
        queue.save(.createList("winter", name: "Winter"), as: "1")
        queue.save(.addProduct("boots", toList: "winter"), as: "2")
        queue.save(.addProduct("boots", toList: "summer"), as: "3")

        queue.save(.deleteList("winter"), as: "4")

        #expect(queue.changes.map(\.id) == ["3", "4"])
        #expect(queue.decision(for: .deleteList("winter")) == .joins("4"))
    }

    // Rule: outbox/nothing-crosses-list-existence (7)
    @Test func `nothing is joined or replaced across a creation or deletion of the list`() {
        var queue = OutboxQueue()
        queue.save(.renameList("winter", name: "Cold"), as: "1")
        queue.save(.addProduct("boots", toList: "winter"), as: "2")
        queue.save(.createList("winter", name: "Winter"), as: "3")

        let edits: [Outbox.Edit] = [
            .renameList("winter", name: "Cold"), .addProduct("boots", toList: "winter"),
            .removeProduct("boots", fromList: "winter"),
        ]
        for edit in edits { #expect(queue.decision(for: edit) == .adds(replacing: [])) }
        #expect(queue.decision(for: .createList("winter", name: "Winter")) == .joins("3"))
        #expect(queue.decision(for: .createList("winter", name: "X")) == .adds(replacing: []))
    }

    // Rule: outbox/change-in-flight-stays (8)
    @Test func `a change in flight is neither joined nor replaced nor removed`() {
        var queue = OutboxQueue()
        queue.save(.setFavorite("boots", to: true), as: "1")
        _ = queue.beginNext(at: .zero)

        #expect(queue.decision(for: .setFavorite("boots", to: true)) == .adds(replacing: []))
        #expect(queue.decision(for: .setFavorite("boots", to: false)) == .adds(replacing: []))
        #expect(queue.stageRemoval(of: "1") == nil)
        #expect(queue.remove("1") == nil)
    }

    // Rule: outbox/deletion-replaces-all-waiting (6)
    @Test func `a deletion replaces many changes, and the one in flight stays`() {
        var queue = OutboxQueue()
        for number in 0..<20 {
            queue.save(
                .addProduct("\(number)", toList: "winter"),
                as: Outbox.Change.ID("\(number)")
            )
        }
        _ = queue.beginNext(at: .zero)

        queue.save(.deleteList("winter"), as: "deletion")

        #expect(queue.changes.map(\.id) == ["0", "deletion"])
        #expect(queue.count == 2)
        #expect(queue.membership(of: "1", in: "winter") == nil)
        _ = queue.conclude(.list("winter"), isConfirmed: true)
        queue.endAttempt(of: .list("winter"))
        #expect(queue.beginNext(at: .zero)?.id == "deletion")
    }

    // Rule: outbox/change-in-flight-stays (8)
    @Test func `a deletion does not replace the change in flight`() {
        var queue = OutboxQueue()
        queue.save(.createList("winter", name: "Winter"), as: "1")
        queue.save(.addProduct("boots", toList: "winter"), as: "2")
        _ = queue.beginNext(at: .zero)

        #expect(queue.decision(for: .deleteList("winter")) == .adds(replacing: ["2"]))
    }

    // Rule: outbox/failed-change-leaves-replaced (9)
    @Test func `a change that must be sent later leaves if a later one replaces it`() {
        var queue = OutboxQueue()
        queue.save(.setFavorite("boots", to: true), as: "1")
        _ = queue.beginNext(at: .zero)
        queue.save(.setFavorite("boots", to: false), as: "2")

        let removed = queue.removeReplaced(of: .favorite("boots"))
        queue.endAttempt(of: .favorite("boots"))

        #expect(removed?.id == "1")
        #expect(queue.beginNext(at: .zero)?.id == "2")
    }

    // Rule: outbox/failed-change-leaves-replaced (9)
    @Test func `a creation that must be sent later leaves if a deletion waits`() {
        var queue = OutboxQueue()
        queue.save(.createList("winter", name: "Winter"), as: "1")
        _ = queue.beginNext(at: .zero)
        queue.save(.addProduct("boots", toList: "winter"), as: "2")
        queue.save(.deleteList("winter"), as: "3")

        let removed = queue.removeReplaced(of: .list("winter"))

        #expect(removed?.id == "1")
        #expect(queue.changes.map(\.id) == ["3"])
    }

    // Rule: outbox/conflict-repeats-four-times (43)
    @Test func `the conflicts of a replaced change do not count for the next one`() {
        var queue = OutboxQueue()
        queue.save(.setFavorite("boots", to: true), as: "1")
        _ = queue.beginNext(at: .zero)
        for _ in 0..<4 {
            #expect(queue.schedule.delayAfterConflict(.favorite("boots"), at: .zero) { _ in 0 })
        }
        queue.save(.setFavorite("boots", to: false), as: "2")

        _ = queue.removeReplaced(of: .favorite("boots"))

        #expect(queue.schedule.delayAfterConflict(.favorite("boots"), at: .zero) { _ in 0 })
    }

    // Rule: outbox/discard-removes-waiting-change (49)
    @Test func `a discarded creation takes along a change that is being saved`() {
        var queue = OutboxQueue()
        queue.save(.createList("winter", name: "Winter"), as: "1")
        queue.stage(.named("2", .addProduct("boots", toList: "winter")), replacing: [])
        queue.stage(.named("3", .addProduct("boots", toList: "camp")), replacing: [])

        let removal = queue.stageRemoval(of: "1")
        let removed = queue.endStaging(of: .list("winter"), isSaved: true).map(\.removed.id)
        _ = queue.endStaging(of: .list("camp"), isSaved: true)

        #expect(removal?.ids == ["1", "2"] && removed == ["1", "2"])
        #expect(queue.changes.map(\.id) == ["3"])
    }

    // Rule: outbox/conflict-repeats-four-times (43)
    @Test(arguments: ["replaced", "discarded", "behind"])
    func `the conflicts and the key of a change that waits do not count for the next one`(
        end: String
    ) {
        var queue = OutboxQueue()
        let target = Outbox.Edit.Target.list("winter")
        queue.save(.addProduct("boots", toList: "winter"), as: "1")
        if end != "replaced" { queue.save(.addProduct("socks", toList: "winter"), as: "2") }
        for _ in 0..<4 { _ = queue.schedule.delayAfterConflict(target, at: .zero) { _ in 0 } }
        queue.schedule.renewKey(of: target)

        switch end {
        case "replaced": queue.save(.removeProduct("boots", fromList: "winter"), as: "3")
        case "discarded": _ = queue.remove("1")
        default: _ = queue.remove("2")
        }

        #expect(queue.schedule.keyNumber(of: target) == (end == "behind" ? 1 : 0))
        let isSentAgain = queue.schedule.delayAfterConflict(target, at: .zero) { _ in 0 }
        #expect(isSentAgain == (end != "behind"))
    }

    // Rule: outbox/failed-change-leaves-replaced (9)
    @Test func `a change that must be sent later stays if nothing replaces it`() {
        var queue = OutboxQueue()
        queue.save(.addProduct("boots", toList: "winter"), as: "1")
        _ = queue.beginNext(at: .zero)
        queue.save(.addProduct("socks", toList: "winter"), as: "2")
        queue.save(.createList("winter", name: "Winter"), as: "3")
        queue.save(.removeProduct("boots", fromList: "winter"), as: "4")

        #expect(queue.removeReplaced(of: .list("winter")) == nil)
    }

    // Rule: outbox/equal-change-leaves-with-success (10)
    @Test func `an equal change behind a confirmed one leaves with it`() {
        var queue = OutboxQueue()
        queue.save(.addProduct("boots", toList: "winter"), as: "1")
        _ = queue.beginNext(at: .zero)
        queue.save(.addProduct("socks", toList: "winter"), as: "2")
        queue.save(.addProduct("boots", toList: "winter"), as: "3")

        let equal = queue.conclude(.list("winter"), isConfirmed: true)

        #expect(equal?.id == "3")
        #expect(queue.changes.map(\.id) == ["2"])
    }

    // Rule: outbox/equal-change-leaves-with-success (10)
    @Test func `an opposite change behind a confirmed one stays`() {
        var queue = OutboxQueue()
        queue.save(.setFavorite("boots", to: true), as: "1")
        _ = queue.beginNext(at: .zero)
        queue.save(.setFavorite("boots", to: false), as: "2")

        #expect(queue.conclude(.favorite("boots"), isConfirmed: true) == nil)
        #expect(queue.changes.map(\.id) == ["2"])
    }

    // Rule: outbox/equal-change-leaves-with-success (10)
    @Test func `an equal change behind a deletion of the list stays`() {
        var queue = OutboxQueue()
        queue.save(.addProduct("boots", toList: "winter"), as: "1")
        _ = queue.beginNext(at: .zero)
        queue.save(.deleteList("winter"), as: "2")
        queue.save(.addProduct("boots", toList: "winter"), as: "3")

        #expect(queue.conclude(.list("winter"), isConfirmed: true) == nil)
        #expect(queue.changes.map(\.id) == ["2", "3"])
    }

    // Rule: outbox/rejection-removes-one-change (41)
    @Test func `a rejection removes one change, and an equal one stays`() {
        var queue = OutboxQueue()
        queue.save(.setFavorite("boots", to: true), as: "1")
        _ = queue.beginNext(at: .zero)
        queue.save(.setFavorite("boots", to: true), as: "2")

        #expect(queue.conclude(.favorite("boots"), isConfirmed: false) == nil)
        #expect(queue.changes.map(\.id) == ["2"])
    }

    // Rule: outbox/replacement-counts-when-saved (11)
    @Test(arguments: [true, false])
    func `a replacement counts when it is saved, and until then nothing is sent`(isSaved: Bool) {
        var queue = OutboxQueue()
        queue.save(.setFavorite("boots", to: true), as: "1")

        queue.stage(.named("2", .setFavorite("boots", to: false)), replacing: ["1"])
        #expect(queue.changes.map(\.id) == ["1"])
        #expect(queue.favoriteStatus(of: "boots") == true)
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
        #expect(queue.changes.map(\.id) == ["2"])
    }

    // Rule: outbox/target-sends-in-order (2)
    @Test func `the changes of a list are sent one at a time, in the order of saving`() {
        var queue = OutboxQueue()
        queue.save(.createList("winter", name: "Winter"), as: "1")
        queue.save(.addProduct("boots", toList: "winter"), as: "2")

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
        var queue = OutboxQueue(width: 2)
        for product in ["1", "2", "3", "4"] {
            queue.save(.setFavorite(Product.ID(product), to: true), as: Outbox.Change.ID(product))
        }

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
        var queue = OutboxQueue(width: 10)
        for number in 0..<10 {
            queue.save(.setFavorite("\(number)", to: true), as: Outbox.Change.ID("\(number)"))
            if number.isMultiple(of: 2) {
                queue.schedule.delay(.favorite("\(number)"), at: .zero) { _ in Double(9 - number) }
            }
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

        #expect(next(at: .zero) == ["1", "3", "5", "7", "9"])
        #expect(queue.schedule.nextWaitEnd == .seconds(1))
        #expect(next(at: .seconds(5), endsWaits: false) == [])
        #expect(next(at: .seconds(5)) == ["4", "6", "8"])
        queue.schedule.endWaits()
        #expect(next(at: .seconds(5)) == ["0", "2"])
    }

    // Rule: outbox/discard-removes-waiting-change (49)
    @Test func `discarding the newest change shows the one in flight again`() {
        var queue = OutboxQueue()
        queue.save(.setFavorite("boots", to: true), as: "1")
        _ = queue.beginNext(at: .zero)
        queue.save(.setFavorite("boots", to: false), as: "2")

        #expect(queue.stageRemoval(of: "2")?.ids == ["2"])
        let removed = queue.endStaging(of: .favorite("boots"), isSaved: true)

        #expect(removed.map(\.removed.id) == ["2"])
        #expect(queue.favoriteStatus(of: "boots") == true)
    }

    // Rule: outbox/discard-removes-waiting-change (49)
    @Test func `discarding the creation of a list discards what needs the list`() {
        var queue = OutboxQueue()
        queue.save(.createList("winter", name: "Winter"), as: "1")
        queue.save(.addProduct("boots", toList: "winter"), as: "2")
        queue.save(.renameList("winter", name: "Cold"), as: "3")
        queue.append(.named("4", .createList("winter", name: "Other")))

        #expect(queue.stageRemoval(of: "1")?.ids == ["1", "2", "3"])
        _ = queue.endStaging(of: .list("winter"), isSaved: true)

        #expect(queue.changes.map(\.id) == ["4"])
    }

    // Rule: outbox/waiting-edit-is-displayed (50)
    @Test func `the queue returns what each product and list should be`() {
        var queue = OutboxQueue()
        queue.save(.addProduct("boots", toList: "winter"), as: "1")
        queue.save(.removeProduct("boots", fromList: "summer"), as: "2")
        queue.save(.createList("autumn", name: "Autumn"), as: "3")
        queue.save(.renameList("winter", name: "Cold"), as: "4")

        #expect(queue.membership(of: "boots", in: "winter") == true)
        #expect(queue.membership(of: "boots", in: "summer") == false)
        #expect(queue.membership(of: "socks", in: "winter") == nil)
        #expect(queue.favoriteStatus(of: "boots") == nil)
        #expect(
            queue.listEdits == [
                .createList("autumn", name: "Autumn"), .renameList("winter", name: "Cold"),
            ]
        )
    }
}

extension OutboxQueue {
    /// Saves an edit as a change with an identifier, as the outbox does.
    mutating func save(_ edit: Outbox.Edit, as id: Outbox.Change.ID) {
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
