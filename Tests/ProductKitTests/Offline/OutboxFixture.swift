import Dispatch
import Foundation
import ProductKit
import Synchronization

/// A server for an outbox: it records the changes that it receives, and returns or throws what the
/// test has prepared.
final class OutboxServer: Sendable {
    private let received = Mutex<[Outbox.Change]>([])
    private let failures = Mutex<[any Error]>([])
    private let lastFailure = Mutex<(any Error)?>(nil)

    /// The changes that it has received, in the order of arrival.
    var changes: [Outbox.Change] { received.withLock { $0 } }

    /// The edits that it has received, in the order of arrival.
    var edits: [Outbox.Edit] { changes.map(\.edit) }

    /// The error of all requests for which no other one was prepared; `nil` to confirm them.
    var failure: (any Error)? {
        get { lastFailure.withLock { $0 } }
        set { lastFailure.withLock { $0 = newValue } }
    }

    /// Prepares the errors of the next requests.
    func fail(with errors: any Error...) {
        failures.withLock { $0 += errors }
    }

    /// Receives a change, as the closure of `start(for:sending:)`.
    func receive(_ change: Outbox.Change) throws -> Outbox.Confirmation {
        received.withLock { $0.append(change) }
        let next = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let error = next ?? failure { throw error }
        return Outbox.Confirmation()
    }
}

extension Outbox {
    /// Returns an outbox in memory whose delays have their maximum length.
    ///
    /// The storage is that of its first user; each further user has another one.
    static func controlled(
        storage: OutboxStorage = .inMemory(),
        clock: ManualClock = ManualClock(),
        limit: Int = 500,
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) -> Outbox {
        let storages = Mutex<[String: OutboxStorage]>([:])
        return Outbox(
            storage: { user in
                storages.withLock { storages in
                    let own = storages[user] ?? (storages.isEmpty ? storage : .inMemory())
                    storages[user] = own
                    return own
                }
            },
            limit: limit,
            effects: clock.effects(random: { $0.upperBound }),
            report: report
        )
    }

    /// Starts for a user with a server.
    func start(for user: String = "anna", with server: OutboxServer) -> Session {
        start(for: user) { try server.receive($0) }
    }

    /// Starts for Anna.
    func start(sending send: @escaping Sending) -> Session {
        start(for: "anna", sending: send)
    }
}

extension Outbox.Session {
    /// Performs an edit.
    ///
    /// - Returns: The outcome; `nil` if the call does not end, so that a test fails by an expectation.
    func outcome(
        of edit: Outbox.Edit
    ) async -> Result<EditOutcome<Outbox.Confirmation>, any Error>? {
        let ends = Counter()
        let caller = Task {
            defer { ends.next() }
            return try await perform(edit)
        }
        guard await eventually({ ends.count == 1 }) else { return nil }
        return await caller.result
    }

    /// Sends everything that can be sent now.
    ///
    /// - Returns: The number of changes that still wait; `nil` if the call does not end.
    func promptSendAll() async -> Int? {
        let ends = Counter()
        let caller = Task {
            defer { ends.next() }
            return try await sendAll()
        }
        guard await eventually({ ends.count == 1 }) else { return nil }
        return try? await caller.value
    }
}

extension Outbox.Event {
    /// The name of the event and its change, such as `sent setFavorite(boots, to: true)`.
    var summary: String {
        switch self {
        case .loaded(let changes): "loaded \(changes.count)"
        case .saved(let change): "saved \(change.edit)"
        case .sent(let change): "sent \(change.edit)"
        case .removed(let change): "removed \(change.edit)"
        case .rejected(let change, _): "rejected \(change.edit)"
        case .postponed(let change, _): "postponed \(change.edit)"
        case .damaged(let count, let isTorn): "damaged \(count) \(isTorn)"
        case .unknownRecords(let count): "unknown \(count)"
        case .failed(let error): "failed \(error.code) \(error.operation)"
        }
    }
}

/// A storage in memory whose next sync waits until the test releases it.
final class HeldStorage: Sendable {
    private let memory = OutboxStorage.inMemory()
    /// Whether the next sync is held, and whether it fails then.
    private let mode = Mutex<Bool?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)
    private let held = Counter()

    /// Counts the syncs.
    let syncs = Counter()

    var storage: OutboxStorage {
        var storage = memory
        storage.sync = { [self] in
            syncs.next()
            let fails = mode.withLock { mode in
                defer { mode = nil }
                return mode
            }
            if let fails {
                held.next()
                semaphore.wait()
                if fails { throw POSIXError(.EIO) }
            }
            try memory.sync()
        }
        return storage
    }

    /// Whether a sync waits.
    var isHeld: Bool { held.count > 0 }

    /// Holds the next sync.
    func hold(thenFailing fails: Bool) {
        mode.withLock { $0 = fails }
    }

    /// Lets the sync continue.
    func release() {
        semaphore.signal()
    }
}
