import Dispatch
import Foundation
import ProductKit
import Synchronization
import Testing

/// The start and the end of sessions while the file is in use.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxEndingTests {
    private let held = HeldStorage()

    // Rule: outbox/main-actor-uses-no-file (103)
    @Test @MainActor func `nothing that a screen calls uses the file on the main actor`()
        async throws
    {
        let mainQueue = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mainQueue, value: true)
        defer { DispatchQueue.main.setSpecific(key: mainQueue, value: nil) }
        try #require(DispatchQueue.getSpecific(key: mainQueue) == true)
        let (uses, usesOnMain) = (Counter(), Counter())
        let storage = OutboxStorage.inMemory().checking { _ in
            uses.next()
            if DispatchQueue.getSpecific(key: mainQueue) == true { usesOnMain.next() }
        }
        let outbox = Outbox(
            storage: { _ in
                _ = try storage.load()
                return storage
            },
            effects: ManualClock().effects(random: { $0.upperBound })
        )
        let service = offlineService(of: outbox)
        let session = try #require(service.outbox)
        let pending = try #require(service.pendingChangesViewModel())
        let boots = Product(id: "boots", name: "Boots")
        let screen = service.viewModel(for: boots)
        try await session.open()

        try await screen.toggleProductFavoriteStatus()
        _ = try await session.perform(.setFavorite("socks", to: true))
        try await pending.send()
        pending.update()
        let change = try #require(session.changes.first)
        #expect(try await session.discard(change.id))
        #expect(!session.dismiss("x"))
        session.resume()
        await session.stop()
        let emptied = offlineService(of: outbox)
        try await emptied.outbox?.open()
        #expect(emptied.outbox?.changes.count == 1)
        try await emptied.outbox?.removeAll()
        let kept = offlineService(of: outbox)
        try await kept.outbox?.open()
        try await kept.viewModel(for: boots).toggleProductFavoriteStatus()
        await kept.signOut(keepsUnsentChanges: true)
        let removed = offlineService(of: outbox)
        try await removed.outbox?.open()
        #expect(removed.outbox?.changes.count == 1)
        await removed.signOut()

        #expect(uses.count > 10)
        #expect(usesOnMain.count == 0)
        try #expect(!String(decoding: storage.load(), as: UTF8.self).contains("boots"))
    }

    // Rule: outbox/main-actor-uses-no-file (103); outbox/sign-out-can-keep-changes (58);
    // outbox/sign-out-removes-changes (57)
    @Test(arguments: [false, true])
    func `signing out and in again waits for no write on the main actor`(
        keepsChanges: Bool
    )
        async throws
    {
        let outbox = Outbox(storage: { [held] _ in held.storage })
        let service = offlineService(of: outbox)
        let session = try #require(service.outbox)
        try await session.save(.setFavorite("socks", to: true))
        let save = try await heldSave(.setFavorite("boots", to: true), in: session)

        let hasStarted = Counter()
        let signOut = Task { @MainActor in
            await service.signOut(keepsUnsentChanges: keepsChanges)
        }
        let signIn = Task { @MainActor in
            #expect(await eventually { session.changes.isEmpty })
            let second = offlineService(of: outbox)
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
        let kept = ["socks", "boots"].map { Outbox.Edit.setFavorite($0, to: true) }
        #expect(second.changes.map(\.edit) == (keepsChanges ? kept : []))
        if keepsChanges {
            _ = try await save.value
        } else {
            await #expect(throws: CancellationError.self) { try await save.value }
            try #expect(!String(decoding: held.storage.load(), as: UTF8.self).contains("boots"))
        }
    }

    // Rule: outbox/same-user-continues-changes (56)
    @Test func `an edit that is being saved when another user starts is saved`() async throws {
        let outbox = Outbox(storage: { [held] in $0 == "anna" ? held.storage : .inMemory() })
        let anna = outbox.start { _ in throw NetworkError(.unauthorized) }
        try await anna.open()
        held.hold(thenFailing: false)
        let caller = Task(executorPreference: SerialTaskExecutor()) {
            try await anna.perform(.setFavorite("boots", to: true))
        }
        #expect(await eventually { held.isHeld })

        let ben = outbox.start(for: "ben") { _ in throw NetworkError(.unauthorized) }
        held.release()

        guard case .saved = try await caller.value else {
            Issue.record("The edit was not saved.")
            return
        }
        try await ben.open()
        #expect(ben.changes.isEmpty)
        let again = outbox.start { _ in throw NetworkError(.unauthorized) }
        try await again.open()
        #expect(again.changes.map(\.edit) == [.setFavorite("boots", to: true)])
    }

    // Rule: outbox/sent-change-leaves-file (64); outbox/sign-out-can-keep-changes (58)
    @Test func `a change that was sent before the end is not sent again`() async throws {
        let gate = ActionGate<Outbox.Confirmation>()
        let outbox = Outbox(
            storage: { [held] _ in held.storage },
            effects: ManualClock().effects(random: { $0.upperBound })
        )
        let session = outbox.start { change in
            if change.edit == .setFavorite("boots", to: true) { return try await gate.hold() }
            throw NetworkError(NetworkResponse(statusCode: 500))
        }
        try await session.save(.setFavorite("hats", to: true))
        try await session.save(.setFavorite("boots", to: true))
        await gate.waitForCalls(1)
        let save = try await heldSave(.setFavorite("socks", to: true), in: session)
        // The file does not know yet that the change was sent.
        gate.open(returning: Outbox.Confirmation())
        #expect(await eventually { session.changes.count == 1 })

        let stop = Task(executorPreference: SerialTaskExecutor()) { await session.stop() }
        #expect(await eventually { session.changes.isEmpty })
        held.release()
        await stop.value
        _ = await save.result

        let again = outbox.start { _ in throw NetworkError(.unauthorized) }
        try await again.open()
        #expect(
            again.changes.map(\.edit)
                == [.setFavorite("hats", to: true), .setFavorite("socks", to: true)]
        )
    }

    // Rule: outbox/one-opener-per-user (36)
    @Test(arguments: [false, true])
    func `the file of a session that has ended is closed`(signsOut: Bool) async throws {
        let files = ExclusiveFiles()
        let outbox = Outbox(storage: { try files.open(for: $0) })
        let anna = outbox.start { _ in throw NetworkError(.unauthorized) }
        try await anna.open()

        let ben = outbox.start(for: "ben") { _ in throw NetworkError(.unauthorized) }
        #expect(await eventually { files.users == ["ben"] })
        if signsOut { try await ben.removeAll() } else { await ben.stop() }

        #expect(await eventually { files.users.isEmpty })
    }

    // Rule: outbox/failed-save-leaves-nothing (21)
    @Test(arguments: [false, true])
    func `an edit that was refused is not found after the end`(isReplaced: Bool) async throws {
        let isBroken = Mutex(false)
        let outbox = Outbox(storage: { [storage = OutboxStorage.inMemory()] user in
            guard user == "anna" else { return .inMemory() }
            return storage.checking { use in
                let fails = isBroken.withLock(\.self) && !["load", "append"].contains(use)
                if fails { throw POSIXError(.EIO) }
            }
        })
        let session = outbox.start { _ in throw NetworkError(.unauthorized) }
        try await session.save(.setFavorite("socks", to: true))
        isBroken.withLock { $0 = true }
        await #expect(throws: OutboxError.self) {
            try await session.save(.setFavorite("boots", to: true))
        }
        isBroken.withLock { $0 = false }

        if isReplaced {
            try await outbox.start(for: "ben") { _ in throw NetworkError(.unauthorized) }.open()
        } else {
            await session.stop()
        }

        let again = outbox.start { _ in throw NetworkError(.unauthorized) }
        try await again.open()
        #expect(again.changes.map(\.edit) == [.setFavorite("socks", to: true)])
    }

    /// Begins to save an edit, and returns when the sync is held.
    private func heldSave(
        _ edit: Outbox.Edit,
        in session: Outbox.Session
    ) async throws -> Task<Outbox.Change.ID, any Error> {
        held.hold(thenFailing: false)
        // The executor has a thread of its own, which the sync may block.
        let save = Task(executorPreference: SerialTaskExecutor()) { try await session.save(edit) }
        try #require(await eventually { held.isHeld })
        return save
    }

    private func offlineService(of outbox: Outbox) -> ProductService {
        ProductService(
            loader: .only(setFavorite: { _, _ in throw NetworkError(.unreachable) }),
            listManager: .only(),
            localUser: .shopper,
            user: .signedIn("anna"),
            outbox: outbox
        )
    }
}

/// The files of users in memory, each with one opener at a time.
private final class ExclusiveFiles: Sendable {
    private final class Lock: Sendable {
        private let onRelease: @Sendable () -> Void

        init(onRelease: @escaping @Sendable () -> Void) {
            self.onRelease = onRelease
        }

        deinit { onRelease() }
    }

    private let state = Mutex<(storages: [String: OutboxStorage], users: Set<String>)>(([:], []))

    /// The users whose files are open.
    var users: Set<String> { state.withLock(\.users) }

    func open(for user: String) throws -> OutboxStorage {
        var storage = try state.withLock { state in
            guard state.users.insert(user).inserted else { throw OutboxError(.inUse) }
            let storage = state.storages[user] ?? .inMemory()
            state.storages[user] = storage
            return storage
        }
        let lock = Lock { [weak self] in
            _ = self?.state.withLock { $0.users.remove(user) }
        }
        storage.sync = { withExtendedLifetime(lock) {} }
        return storage
    }
}

extension OutboxStorage {
    /// Returns a storage that calls a throwing closure before each use of this one, with its name.
    fileprivate func checking(_ check: @escaping @Sendable (String) throws -> Void) -> OutboxStorage
    {
        @Sendable func checked<Input, Output>(
            _ name: String,
            _ use: @escaping @Sendable (Input) throws -> Output
        ) -> @Sendable (Input) throws -> Output {
            {
                try check(name)
                return try use($0)
            }
        }
        let (load, sync, install) = (
            checked("load") { try self.load() }, checked("sync") { try self.sync() },
            checked("install") { try self.installReplacement() }
        )
        return OutboxStorage(
            load: { try load(()) },
            append: checked("append", append),
            sync: { try sync(()) },
            truncate: checked("truncate", truncate),
            writeReplacement: checked("write", writeReplacement),
            installReplacement: { try install(()) },
            saveDamaged: checked("saveDamaged", saveDamaged)
        )
    }
}
