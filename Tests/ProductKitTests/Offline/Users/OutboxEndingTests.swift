import Dispatch
import Foundation
import ProductKit
import Testing

/// The start and the end of sessions while the file is in use.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxEndingTests {
    private let held = HeldStorage()
    private let boots = Outbox.Edit.setFavorite("boots", to: true)
    private let socks = Outbox.Edit.setFavorite("socks", to: true)

    @Test func `the end of a session ends the wait for its next attempt`() async throws {
        let clock = ManualClock()
        let (begins, begun) = AsyncStream.makeStream(of: Void.self)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        var effects = clock.effects(random: { $0.upperBound })
        effects.sleep = { [sleep = effects.sleep] delay in
            begun.yield()
            defer { ended.yield() }
            try await sleep(delay)
        }
        let outbox = Outbox(storage: { _ in .inMemory() }, effects: effects)
        let session = outbox.start { _ in throw NetworkError(.unreachable) }
        try await session.save(boots)
        for await _ in begins { break }

        await session.stop()

        for await _ in ends { break }
        #expect(clock.elapsed == .zero)
    }

    // Rule: outbox/main-actor-uses-no-file (103)
    @Test @MainActor func `nothing that a screen calls uses the file on the main actor`()
        async throws
    {
        let mainQueue = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mainQueue, value: true)
        defer { DispatchQueue.main.setSpecific(key: mainQueue, value: nil) }
        try #require(DispatchQueue.getSpecific(key: mainQueue) == true)
        let (uses, usesOnMain) = (Counter(), Counter())
        let storage = OutboxStorage.inMemory().observed(before: { _ in
            uses.next()
            if DispatchQueue.getSpecific(key: mainQueue) == true { usesOnMain.next() }
        })
        let outbox = Outbox(
            storage: { _ in
                _ = try storage.load()
                return storage
            },
            effects: ManualClock().effects(random: { $0.upperBound })
        )
        let service = ProductService.offline(outbox)
        let session = try #require(service.outbox)
        let pending = try #require(service.pendingChangesViewModel())
        let product = Product(id: "boots", name: "Boots")
        let screen = service.viewModel(for: product)
        try await session.open()

        try await screen.toggleProductFavoriteStatus()
        _ = try await session.perform(socks)
        try await pending.send()
        pending.update()
        let change = try #require(session.changes.first)
        #expect(try await session.discard(change.id))
        #expect(!session.dismiss("x"))
        session.resume()
        await session.stop()
        let emptied = ProductService.offline(outbox)
        try await emptied.outbox?.open()
        #expect(emptied.outbox?.changes.count == 1)
        try await emptied.outbox?.removeAll()
        let kept = ProductService.offline(outbox)
        try await kept.outbox?.open()
        try await kept.viewModel(for: product).toggleProductFavoriteStatus()
        await kept.signOut(keepsUnsentChanges: true)
        let removed = ProductService.offline(outbox)
        try await removed.outbox?.open()
        #expect(removed.outbox?.changes.count == 1)
        await removed.signOut()

        #expect(uses.count > 10 && usesOnMain.count == 0)
        #expect(try !storage.text.contains("boots"))
    }

    // Rule: outbox/main-actor-uses-no-file (103); outbox/sign-out-can-keep-changes (58)
    // Rule: outbox/sign-out-removes-changes (57)
    @Test(arguments: [false, true])
    func `signing out and in again waits for no write on the main actor`(
        keepsChanges: Bool
    ) async throws {
        let outbox = Outbox(storage: { [held] _ in held.storage })
        let service = ProductService.offline(outbox)
        let session = try #require(service.outbox)
        try await session.save(socks)
        let save = try await held.hold { try await session.save(boots) }

        let hasStarted = Counter()
        let signOut = Task { @MainActor in
            await service.signOut(keepsUnsentChanges: keepsChanges)
        }
        let signIn = Task { @MainActor in
            // The main actor is a queue: signing out has begun.
            #expect(session.changes.isEmpty)
            let second = ProductService.offline(outbox)
            _ = second.viewModel(for: Product(id: "boots", name: "Boots"))
            _ = (second.outbox?.changes, second.outbox?.dismiss("x"), second.outbox?.resume())
            hasStarted.next()
            return second.outbox
        }
        #expect(await eventually { hasStarted.count == 1 })
        held.release()

        await signOut.value
        let second = try #require(await signIn.value)
        try await second.open()
        #expect(second.edits == (keepsChanges ? [socks, boots] : []))
        if keepsChanges {
            _ = try await save.value
        } else {
            await #expect(throws: CancellationError.self) { try await save.value }
            #expect(try !held.storage.text.contains("boots"))
        }
    }

    // Rule: outbox/same-user-continues-changes (56)
    @Test func `an edit that is being saved when another user starts is saved`() async throws {
        let outbox = Outbox(storage: { [held] in $0 == "anna" ? held.storage : .inMemory() })
        let anna = try await outbox.open()
        let caller = try await held.hold { try await anna.perform(boots) }

        let ben = outbox.start(for: "ben") { _ in throw NetworkError(.unauthorized) }
        held.release()

        #expect(try await caller.value == .saved)
        try await ben.open()
        #expect(ben.changes.isEmpty)
        #expect(try await outbox.open().edits == [boots])
    }

    // Rule: outbox/sent-change-leaves-file (64); outbox/sign-out-can-keep-changes (58)
    @Test func `a change that was sent before the end is not sent again`() async throws {
        let gate = ActionGate<Outbox.Confirmation>()
        let hats = Outbox.Edit.setFavorite("hats", to: true)
        let outbox = Outbox.controlled(storage: held.storage)
        let ends = Counter()
        let session = outbox.start { _ in
            defer { ends.next() }
            return try await gate.hold()
        }
        for edit in [hats, boots] {
            try await session.save(edit)
            await gate.waitForCalls(1)
        }
        let save = try await held.hold { try await session.save(socks) }
        // The file does not know yet that the change was sent.
        try gate.release(returning: Outbox.Confirmation(), at: 1)
        #expect(await session.reaches { $0.changes.count == 1 })

        let stop = Task(executorPreference: SerialTaskExecutor()) { await session.stop() }
        // The end of the session cancels the other attempt.
        #expect(await eventually { ends.count == 2 })
        held.release()
        await stop.value
        _ = await save.result

        #expect(try await outbox.open().edits == [hats, socks])
    }

    // Rule: outbox/one-opener-per-user (36)
    @Test(arguments: [false, true])
    func `the file of a session that has ended is closed`(signsOut: Bool) async throws {
        let directory = TemporaryDirectory()
        @Sendable func isClosed(for user: String) -> Bool {
            (try? OutboxStorage.directory(directory.url, user: user)) != nil
        }
        let outbox = Outbox(directory: directory.url)
        try await outbox.open(for: "ben").save(boots)
        _ = try await outbox.open()
        #expect(isClosed(for: "ben") && !isClosed(for: "anna"))

        let ben = outbox.start(for: "ben") { _ in throw NetworkError(.unauthorized) }
        #expect(await ben.reaches { !$0.changes.isEmpty })
        #expect(isClosed(for: "anna") && !isClosed(for: "ben"))
        if signsOut { try await ben.removeAll() } else { await ben.stop() }

        #expect(isClosed(for: "ben"))
    }

    // Rule: outbox/failed-save-leaves-nothing (21)
    @Test(arguments: [false, true])
    func `an edit that was refused is not found after the end`(isReplaced: Bool) async throws {
        let files = FailingStorage()
        let outbox = Outbox.controlled(storage: files.storage)
        let session = try await outbox.open()
        try await session.save(socks)
        files.failing = [.sync, .truncate, .writeReplacement, .installReplacement]
        await #expect(throws: OutboxError.self) { try await session.save(boots) }
        files.failing = []

        if isReplaced { _ = try await outbox.open(for: "ben") } else { await session.stop() }

        #expect(try await outbox.open().edits == [socks])
    }
}
