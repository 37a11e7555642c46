import ProductKit
import Testing

/// Changes in flight that a later one replaces.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ReplacedChangeTests {
    private let sent = Lines()
    private let events = Lines()
    private let gate = ActionGate<Outbox.Confirmation>(ignoresCancellation: true)
    private let clock = ManualClock()
    private let edit = Outbox.Edit.setFavorite("boots", to: true)
    private let later = Outbox.Edit.setFavorite("boots", to: false)

    // Rule: outbox/failed-change-leaves-replaced (9)
    @Test func `a change that fails while a later one is being saved is not sent again`()
        async throws
    {
        let held = HeldStorage()
        let outbox = session(storage: held.storage)
        try await outbox.save(edit)
        await gate.waitForCalls(1)
        let save = try await held.hold { [later] in try await outbox.save(later) }

        try gate.release(throwing: NetworkError(.unreachable))
        #expect(await eventually { events.all.last == "postponed \(edit)" })
        held.release()
        _ = try await save.value
        gate.open(returning: Outbox.Confirmation())

        #expect(await eventually { events.all.last == "sent \(later)" })
        #expect(sent.all == ["\(edit)", "\(later)"])
        #expect(
            events.all == [
                "saved \(edit)", "postponed \(edit)", "saved \(later)", "removed \(edit)",
                "sent \(later)",
            ]
        )
    }

    // Rule: outbox/failed-change-leaves-replaced (9)
    @Test func `a change that has timed out is not sent again after a later one was saved`()
        async throws
    {
        let outbox = session()
        try await outbox.save(edit)
        await gate.waitForCalls(1)
        await clock.waitForSleeps(1)
        clock.advance(by: .seconds(120))
        #expect(await eventually { events.all.last == "postponed \(edit)" })
        try await outbox.save(later)

        gate.open(returning: Outbox.Confirmation())

        #expect(await eventually { events.all.last == "sent \(later)" })
        #expect(sent.all == ["\(edit)", "\(later)"])
        #expect(events.all.suffix(2) == ["removed \(edit)", "sent \(later)"])
    }

    // Rule: outbox/failed-change-leaves-replaced (9)
    @Test func `a replaced change that has timed out is removed from the file before it ends`()
        async throws
    {
        let appends = Counter()
        let memory = OutboxStorage.inMemory()
        let outbox = session(
            storage: memory.observed(after: { if $0 == .append { appends.next() } })
        )
        try await outbox.save(edit)
        await gate.waitForCalls(1)
        try await outbox.save(later)
        await clock.waitForSleeps(1)
        let saved = appends.count
        clock.advance(by: .seconds(120))

        #expect(await eventually { appends.count > saved })
        #expect(try memory.contents().changes.map(\.edit) == [later])
        gate.open(returning: Outbox.Confirmation())
    }

    // Rule: outbox/failed-change-leaves-replaced (9); outbox/nothing-crosses-list-existence (7)
    @Test func `of a list, what a deletion replaces is not sent again, and nothing else`()
        async throws
    {
        let held = HeldStorage()
        let outbox = session(storage: held.storage)
        try await outbox.save(.createList("a", name: "A"))
        await gate.waitForCalls(1)
        let edits = [Outbox.Edit.addProduct("boots", toList: "a"), .deleteList("a")]
        for (index, edit) in edits.enumerated() {
            let save = try await held.hold { try await outbox.save(edit) }
            try gate.release(throwing: NetworkError(.unreachable))
            #expect(
                await eventually {
                    events.all.count { $0.hasPrefix("postponed") } == index + 1
                }
            )
            held.release()
            _ = try await save.value
            // The addition is behind the creation, so that is sent again.
            if edit != .deleteList("a") { await gate.waitForCalls(1) }
        }
        gate.open(returning: Outbox.Confirmation())

        let deletion = Outbox.Edit.deleteList("a")
        #expect(await eventually { events.all.last == "sent \(deletion)" })
        let creation = Outbox.Edit.createList("a", name: "A")
        #expect(sent.all == ["\(creation)", "\(creation)", "\(deletion)"])
    }

    private func session(storage: OutboxStorage = .inMemory()) -> Outbox.Session {
        Outbox.controlled(
            storage: storage,
            clock: clock,
            report: { [events] event in events.add(event.summary) }
        )
        .start { [sent, gate] change in
            sent.add("\(change.edit)")
            return try await gate.hold()
        }
    }
}
