import Dispatch
import Foundation
import ProductKit
import Testing

/// The start and the end of sessions while the file is in use.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxEndingTests {
    // Rule: outbox/main-actor-uses-no-file (103)
    @Test @MainActor func `nothing that a screen calls uses the file on the main actor`()
        async throws
    {
        let mainQueue = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mainQueue, value: true)
        defer { DispatchQueue.main.setSpecific(key: mainQueue, value: nil) }
        try #require(DispatchQueue.getSpecific(key: mainQueue) == true)
        let (uses, usesOnMain) = (Counter(), Counter())
        let memory = OutboxStorage.inMemory()
        let storage = memory.reporting {
            uses.next()
            if DispatchQueue.getSpecific(key: mainQueue) == true { usesOnMain.next() }
        }
        let outbox = Outbox(storage: { _ in storage }, effects: ManualClock().effects())
        func service(of user: ServiceUser) -> ProductService {
            ProductService(
                loader: .only(setFavorite: { _, _ in throw NetworkError(.unreachable) }),
                listManager: .only(),
                localUser: .shopper,
                user: user,
                outbox: outbox
            )
        }
        let boots = Product(id: "boots", name: "Boots")

        let kept = service(of: .guest)
        try await kept.viewModel(for: boots).toggleProductFavoriteStatus()
        _ = (kept.outbox?.changes, kept.outbox?.rejections)
        await kept.signOut(keepsUnsentChanges: true)
        let stopped = service(of: .guest)
        try await stopped.outbox?.open()
        try await #require(stopped.outbox).save(.setFavorite("socks", to: true))
        await stopped.outbox?.stop()
        let removed = service(of: .guest)
        try await removed.viewModel(for: boots).toggleProductFavoriteStatus()
        try await removed.outbox?.removeAll()
        let last = service(of: .guest)
        try await last.viewModel(for: boots).toggleProductFavoriteStatus()
        await last.signOut()

        #expect(uses.count > 10)
        #expect(usesOnMain.count == 0)
        try #expect(!String(decoding: memory.load(), as: UTF8.self).contains("boots"))
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test func `an edit that is being saved when the user signs out is removed`() async throws {
        let file = HeldStorage()
        let session = Outbox(storage: { _ in file.storage }).start { _ in
            throw NetworkError(.unauthorized)
        }
        try await session.save(.setFavorite("socks", to: true))
        file.hold(thenFailing: false)
        // The executors have threads of their own, which the sync may block.
        let save = Task(executorPreference: SerialTaskExecutor()) {
            try await session.save(.setFavorite("boots", to: true))
        }
        #expect(await eventually { file.isHeld })

        let removal = Task(executorPreference: SerialTaskExecutor()) {
            try await session.removeAll()
        }
        // The memory is empty before the file can be emptied.
        #expect(await eventually { session.changes.isEmpty })
        file.release()

        await #expect(throws: CancellationError.self) { try await save.value }
        try await removal.value
        try #expect(!String(decoding: file.storage.load(), as: UTF8.self).contains("boots"))
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test @MainActor func `a user who signs in again during the erasure finds nothing`()
        async throws
    {
        let (file, server) = (HeldStorage(), OutboxServer())
        let outbox = Outbox(storage: { _ in file.storage })
        let first = outbox.start { _ in throw NetworkError(.unauthorized) }
        try await first.save(.setFavorite("boots", to: true))
        file.hold(thenFailing: false)

        let removal = Task(executorPreference: SerialTaskExecutor()) {
            try await first.removeAll()
        }
        #expect(await eventually { file.isHeld })
        // This does not wait for the file.
        let second = outbox.start(with: server)
        #expect(second.changes.isEmpty)
        file.release()

        try await removal.value
        #expect(try await second.sendAll() == 0)
        #expect(server.edits.isEmpty)
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test func `a start empties the file that a sign-out could not empty`() async throws {
        let storage = OutboxStorage.inMemory()
        let (isInUse, server) = (Counter(), OutboxServer())
        let outbox = Outbox(storage: { user in
            if isInUse.count == 1 { throw OutboxError(.inUse) }
            return user == "anna" ? storage : .inMemory()
        })
        let anna = outbox.start { _ in throw NetworkError(.unauthorized) }
        try await anna.save(.setFavorite("boots", to: true))
        let ben = outbox.start(for: "ben", with: server)
        try await ben.open()
        isInUse.next()
        await #expect(throws: OutboxError(.inUse)) { try await anna.removeAll() }

        let again = outbox.start(with: server)
        // The file is not read before it is empty.
        await #expect(throws: OutboxError(.inUse)) { try await again.open() }
        #expect(again.changes.isEmpty)
        isInUse.next()
        try await again.save(.setFavorite("hats", to: true))

        try await again.sendAll()
        #expect(server.edits == [.setFavorite("hats", to: true)])
    }
}

extension OutboxStorage {
    /// Returns a storage that calls a closure before each use of this one.
    fileprivate func reporting(_ report: @escaping @Sendable () -> Void) -> OutboxStorage {
        var storage = self
        storage.load = {
            report()
            return try load()
        }
        storage.append = {
            report()
            try append($0)
        }
        storage.sync = {
            report()
            try sync()
        }
        storage.truncate = {
            report()
            try truncate($0)
        }
        storage.writeReplacement = {
            report()
            try writeReplacement($0)
        }
        return storage
    }
}
