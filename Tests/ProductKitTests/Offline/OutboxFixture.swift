import Dispatch
import Foundation
import ProductKit
import Synchronization
import Testing

/// A server for an outbox: it records the changes that it receives, and returns or throws what the
/// test has prepared.
struct OutboxServer: Sendable {
    /// The changes that it has received, in the order of arrival.
    @Observed private(set) var changes: [Outbox.Change] = []
    /// The error of all requests for which no other one was prepared; `nil` to confirm them.
    @Observed var failure: (any Error)? = nil
    @Observed private var failures: [any Error] = []

    /// The edits that it has received, in the order of arrival.
    var edits: [Outbox.Edit] { changes.map(\.edit) }

    /// Prepares the errors of the next requests.
    func fail(with errors: any Error...) {
        _failures.change { $0 += errors }
    }

    /// Receives a change, as the closure of `start(for:sending:)`.
    func receive(_ change: Outbox.Change) throws -> Outbox.Confirmation {
        _changes.change { $0.append(change) }
        let next = _failures.change { $0.isEmpty ? nil : $0.removeFirst() }
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

    /// Starts for a user who must sign in before anything is sent, and opens the file.
    func open(for user: String = "anna") async throws -> Session {
        let session = start(for: user) { _ in throw NetworkError(.unauthorized) }
        try await session.open()
        return session
    }
}

extension Outbox.Session {
    /// Saves edits, and sends everything that can be sent then, a number of times.
    func saveAndSend(_ edits: Outbox.Edit..., times: Int = 1) async throws {
        for edit in edits { try await save(edit) }
        for _ in 0..<times { try await sendAll() }
    }

    /// The edits that wait, in the order of saving.
    var edits: [Outbox.Edit] { changes.map(\.edit) }

    /// Waits until the session meets a condition, which is checked again after each event.
    ///
    /// - Returns: Whether it was met; `false` if the task is cancelled before, such as by the time
    ///   limit of the test.
    func reaches(_ condition: (Outbox.Session) -> Bool) async -> Bool {
        // An event is reported after the change of the state.
        let events = events()
        if condition(self) { return true }
        for await _ in events where condition(self) { return true }
        return false
    }

    /// Performs an edit.
    ///
    /// - Throws: The error of the call; ``StillWaiting`` if it does not end.
    func promptOutcome(of edit: Outbox.Edit) async throws -> EditOutcome<Outbox.Confirmation> {
        try await Task { try await perform(edit) }.promptValue
    }

    /// Sends everything that can be sent now.
    ///
    /// - Returns: The number of changes that still wait.
    /// - Throws: The error of the call; ``StillWaiting`` if it does not end.
    func promptSendAll() async throws -> Int {
        try await Task { try await sendAll() }.promptValue
    }
}

extension Outbox.Edit {
    /// An edit of each kind.
    static let ofEachKind: [Outbox.Edit] = [
        .setFavorite("boots", to: true), .addProduct("boots", toList: "a"),
        .removeProduct("boots", fromList: "b"), .createList("c", name: "C"),
        .renameList("d", name: "D"), .deleteList("e"),
    ]
}

extension ProductService {
    /// A service whose products can be loaded, and whose favorites cannot be sent.
    ///
    /// `loads` counts the products that are loaded, and `attempts` receives the attempts to send an edit.
    static func offline(
        _ outbox: Outbox,
        user: String = "anna",
        loads: Counter = Counter(),
        attempts: Lines = Lines()
    ) -> ProductService {
        ProductService(
            loader: .only(
                load: { id in
                    loads.next()
                    return Product(id: id, name: "Boots")
                },
                setFavorite: { id, status in
                    attempts.add("\(user): \(id) \(status)")
                    throw NetworkError(.unreachable)
                }
            ),
            listManager: .only(),
            localUser: .shopper,
            user: .signedIn(user),
            outbox: outbox
        )
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

extension OutboxError {
    /// The error of an operation of the storage that has failed with a number of the system.
    init(_ operation: OutboxStorage.Operation, number: Int32) {
        self.init(.storageFailed, operation: operation.rawValue, number: number)
    }
}

extension OutboxStorage {
    /// The content of the file as text.
    var text: String {
        get throws { String(decoding: try load(), as: UTF8.self) }
    }

    /// Returns a storage in memory in which an earlier session of Anna has saved edits.
    static func saving(_ edits: Outbox.Edit...) async throws -> OutboxStorage {
        let storage = OutboxStorage.inMemory()
        let session = Outbox.controlled(storage: storage).start { _ in
            throw NetworkError(.unreachable)
        }
        for edit in edits { try await session.save(edit) }
        await session.stop()
        return storage
    }

    /// The operations of a storage, and opening it.
    enum Operation: String {
        case open, load, append, sync, truncate, writeReplacement, installReplacement, saveDamaged
    }

    /// Returns a storage that calls closures before and after each operation.
    func observed(
        before: @escaping @Sendable (Operation) throws -> Void = { _ in },
        after: @escaping @Sendable (Operation) -> Void = { _ in }
    ) -> OutboxStorage {
        @Sendable func perform<Output>(
            _ operation: Operation,
            _ body: () throws -> Output
        ) throws -> Output {
            try before(operation)
            defer { after(operation) }
            return try body()
        }
        var storage = self
        storage.load = { try perform(.load) { try load() } }
        storage.append = { bytes in try perform(.append) { try append(bytes) } }
        storage.sync = { try perform(.sync) { try sync() } }
        storage.truncate = { count in try perform(.truncate) { try truncate(count) } }
        storage.writeReplacement = { bytes in
            try perform(.writeReplacement) { try writeReplacement(bytes) }
        }
        storage.installReplacement = {
            try perform(.installReplacement) { try installReplacement() }
        }
        storage.saveDamaged = { bytes in try perform(.saveDamaged) { try saveDamaged(bytes) } }
        return storage
    }
}

/// A storage in memory whose operations fail as long as the test says.
struct FailingStorage: Sendable {
    var memory = OutboxStorage.inMemory()
    @Observed var failing: Set<OutboxStorage.Operation> = []

    var storage: OutboxStorage {
        memory.observed(before: { operation in
            if failing.contains(operation) { throw POSIXError(.ENOSPC) }
        })
    }

    /// Returns the storage, unless another process has it.
    func open() throws -> OutboxStorage {
        if failing.contains(.open) { throw OutboxError(.inUse) }
        return storage
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

    /// Starts an operation, and returns when a sync of it is held.
    func hold<Value: Sendable>(
        thenFailing fails: Bool = false,
        during operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Task<Value, any Error> {
        mode.withLock { $0 = fails }
        let count = held.count
        // The executor has a thread of its own, which the sync may block.
        let task = Task(executorPreference: SerialTaskExecutor(), operation: operation)
        try #require(await eventually { held.count > count })
        return task
    }

    /// Lets the sync continue.
    func release() {
        semaphore.signal()
    }
}
