public import Foundation
import Synchronization

#if canImport(Network)
import Network
#endif

/// Saves the edits of a user before they are sent, so that none is lost.
///
/// An edit that is made offline, or just before the app ends, is on disk when the tap returns. All
/// screens show it, also after a restart. It is sent when the server can be reached, in the order of
/// saving, and as often as necessary. Every attempt has the same identifier, so that the server can
/// recognize it.
///
/// Give the outbox to a ``ProductService``, which does the rest:
///
/// ```swift
/// let service = ProductService(
///     baseURL: api,
///     localUser: euros,
///     user: .signedIn("anna") { token },
///     outbox: Outbox(directory: folder)
/// )
/// ```
///
/// These guarantees hold in whatever order edits, responses, failures and restarts arrive:
///
/// - When ``save(_:)`` returns, the edit survives the end of the process and a loss of power. If it
///   throws, nothing was saved, and nothing is sent.
/// - The changes of one product or one list are sent one at a time, in the order of saving. Changes of
///   different ones are sent concurrently, at most four at once.
/// - Only the last edit counts: an earlier one that was not sent yet is replaced.
/// - A change is removed when the server has carried it out, when the server has refused it, or when
///   the user discards it. No number of failures and no age removes it.
///
/// The outbox has one user at a time. The file contains the name of the user, identifiers, names of
/// lists, times and the messages of refusals, and no token. See <doc:OfflineEdits> for the details.
public final class Outbox: Sendable {
    /// Sends a change, and returns the response of the server.
    ///
    /// It must end when its task is cancelled. Until it has ended, no other change of the same product
    /// or list is sent.
    public typealias Sending = @Sendable (Change) async throws -> Confirmation

    /// Whether new lists are saved, too; `false` if the server assigns the identifiers of lists.
    public let savesNewLists: Bool
    private let state: SharedOutboxState
    private let writer: OutboxWriter
    private let sender: OutboxSender
    private let reporter: OutboxEvents
    /// The session that this outbox is for; `nil` for whichever is current.
    private let sessionNumber: Int?

    /// Creates an outbox that saves changes in a directory.
    ///
    /// - Parameters:
    ///   - directory: A directory of the app's own, such as one in Application Support. It is created
    ///     when the first edit is saved. The system may empty Caches and temporary directories, and
    ///     ends apps that lock a file in an app group while they are suspended. With `nil`, the
    ///     default, changes are only in memory, such as for a preview.
    ///   - savesNewLists: Whether a ``ProductService`` saves new lists, too. Use `false` if the server
    ///     assigns the identifiers of lists; then a list cannot be created offline.
    ///   - effects: The time and the random values. Its sleep must end when the time has passed.
    ///   - report: Receives each event, on any thread. It must not call the outbox.
    public convenience init(
        directory: URL? = nil,
        savesNewLists: Bool = true,
        effects: SystemEffects = SystemEffects(),
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        let memory = MemoryStorages()
        self.init(
            storage: { user in
                guard let directory else { return memory.storage(for: user) }
                return try .directory(directory, user: user)
            },
            savesNewLists: savesNewLists,
            effects: effects,
            report: report
        )
    }

    /// Creates an outbox with a storage of your own.
    ///
    /// - Parameters:
    ///   - storage: Returns the storage of a user. It is called before the first edit is saved, and
    ///     again at each further use if it throws.
    ///   - width: The maximum number of products and lists with a change in flight; at least 1.
    ///   - limit: The maximum number of changes that wait.
    ///   - savesNewLists: Whether a ``ProductService`` saves new lists, too. Use `false` if the server
    ///     assigns the identifiers of lists; then a list cannot be created offline.
    ///   - effects: The time and the random values. Its sleep must end when the time has passed.
    ///   - wakeUps: Returns a stream with an element whenever the network may be reachable again.
    ///     The default observes the network path on Apple platforms, and is empty elsewhere.
    ///   - disposition: Returns what the failure of an attempt means.
    ///   - report: Receives each event, on any thread. It must not call the outbox.
    public init(
        storage: @escaping @Sendable (_ user: String) throws -> OutboxStorage,
        width: Int = 4,
        limit: Int = 10_000,
        savesNewLists: Bool = true,
        effects: SystemEffects = SystemEffects(),
        wakeUps: @escaping @Sendable () -> AsyncStream<Void> = { Outbox.networkChanges() },
        disposition: @escaping @Sendable (any Error) -> Disposition = { Disposition($0) },
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.savesNewLists = savesNewLists
        state = SharedOutboxState(OutboxState(width: width, limit: limit, effects: effects))
        reporter = OutboxEvents(receive: report)
        writer = OutboxWriter(state: state, events: reporter, storage: storage)
        sender = OutboxSender(
            state: state,
            writer: writer,
            events: reporter,
            effects: effects,
            wakeUps: wakeUps,
            disposition: disposition
        )
        sessionNumber = nil
    }

    /// Creates an outbox with the same changes, which does nothing after its session has ended.
    private init(_ outbox: Outbox, session number: Int) {
        savesNewLists = outbox.savesNewLists
        (state, reporter) = (outbox.state, outbox.reporter)
        (writer, sender) = (outbox.writer, outbox.sender)
        sessionNumber = number
    }
}

// MARK: - Users

extension Outbox {
    /// Begins to save and to send the changes of a user, as a ``ProductService`` does.
    ///
    /// Changes that were saved earlier are sent, also those of an earlier run of the app. Another call
    /// for the same user replaces the closure. A call for another user leaves the changes of the first
    /// one on disk, where they wait until that user starts again; attempts in flight are cancelled.
    ///
    /// - Parameters:
    ///   - user: The name of the user, which is stored in the file.
    ///   - send: Sends a change. It may be called several times for one change, and must be safe to
    ///     call again after a failure; see ``sending(_:_:recognizesIdempotencyKeys:)``.
    public func start(for user: String, sending send: @escaping Sending) {
        _ = started(for: user, sending: send) { _ in }
    }

    /// Begins the session of a service's user.
    ///
    /// - Parameters:
    ///   - user: The name of the user.
    ///   - send: Sends a change.
    ///   - check: Throws an error for an edit that could never be sent.
    /// - Returns: An outbox for this session only. The service and its screens cannot act for the next
    ///   user.
    func started(
        for user: String,
        sending send: @escaping Sending,
        checking check: @escaping @Sendable (Edit) throws -> Void
    ) -> Outbox {
        let (number, followUp) = writer.startSession(for: user, send: send, check: check)
        followUp.resume()
        sender.observeWakeUps()
        sender.send()
        return Outbox(self, session: number)
    }

    /// Removes all changes of the user, in memory and on disk, as signing out requires.
    ///
    /// Attempts in flight are cancelled, and their outcomes are dropped. Callers that wait get
    /// `CancellationError`. From then on, ``save(_:)`` throws ``OutboxError/Code-swift.struct/notStarted``.
    /// Before the start and when called again, it does nothing.
    ///
    /// - Throws: ``OutboxError`` if the file could not be emptied. The memory is empty in any case.
    public func removeAll() throws(OutboxError) {
        let (followUp, error) = writer.endSessionRemovingAll(sessionNumber)
        followUp.resume()
        sender.send()
        if let error { throw error }
    }

    /// Leaves the changes of the user on disk, where they wait until the user starts again.
    ///
    /// Otherwise it does the same as ``removeAll()``.
    public func stop() {
        writer.writeAll()
        writer.endSession(sessionNumber).resume()
        sender.send()
    }

    /// Ends the session of a user who signs out, and reports a failure of the storage.
    func end(keepsChanges: Bool) {
        guard !keepsChanges else { return stop() }
        do { try removeAll() } catch { reporter.report(.failed(error)) }
    }

    /// Returns a stream with an element whenever the network becomes reachable, on Apple platforms.
    ///
    /// Elsewhere, the stream is empty.
    public static func networkChanges() -> AsyncStream<Void> {
        #if canImport(Network)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { if $0.status == .satisfied { continuation.yield() } }
        continuation.onTermination = { _ in monitor.cancel() }
        monitor.start(queue: .global(qos: .utility))
        return stream
        #else
        return AsyncStream { $0.finish() }
        #endif
    }
}

// MARK: - Saving

extension Outbox {
    /// Saves an edit, which is then sent in the background.
    ///
    /// When it returns, the edit survives the end of the process and a loss of power, and all screens
    /// show it. If the same edit waits already, nothing is written. A task that is cancelled before the
    /// call saves nothing; one that is cancelled later has saved the edit, and this returns normally.
    ///
    /// - Parameter edit: The edit.
    /// - Returns: The identifier of the change, or of the one that waits already.
    /// - Throws: ``OutboxError`` if nothing was saved; `CancellationError` if the task is cancelled or
    ///   the user signs out.
    @concurrent @discardableResult
    public func save(_ edit: Edit) async throws -> Change.ID {
        try await save(edit, outcome: nil)
    }

    /// Saves an edit, and waits for the next attempt to send it.
    ///
    /// - Parameter edit: The edit.
    /// - Returns: The response of the server; ``EditOutcome/saved`` if the change must be sent later. A
    ///   ``Event/postponed(_:_:)`` of this or an earlier attempt has the reason.
    /// - Throws: The error with which the server has refused the change; ``OutboxError`` if nothing was
    ///   saved or the change was discarded; `CancellationError` if the task is cancelled or the user
    ///   signs out. A task that is cancelled while it waits has saved the edit.
    @concurrent public func perform(_ edit: Edit) async throws -> EditOutcome<Confirmation> {
        let (outcomes, outcome) = AsyncStream.makeStream(
            of: Result<EditOutcome<Confirmation>, any Error>.self
        )
        try await save(edit, outcome: outcome)
        for await outcome in outcomes { return try outcome.get() }
        throw CancellationError()
    }

    @discardableResult
    private func save(_ edit: Edit, outcome: OutboxState.Outcome?) async throws -> Change.ID {
        try Task.checkCancellation()
        guard edit.isComplete else { throw OutboxError(.invalidEdit) }
        try state.step({ $0.session })?.check(edit)
        let id = try await write(.save(edit), outcome: outcome)
        if let observer = state.step({ $0.observer }) {
            await observer.savedChangesDidUpdate(edit.target)
        }
        // Waking the sender costs as much as the rest of saving, apart from the disk.
        if state.step({ $0.canSend }) { sender.send() }
        return id ?? ""
    }

    /// Removes a change that waits, at the request of the user.
    ///
    /// With the creation of a list, the changes of that list behind it are removed as well.
    ///
    /// - Parameter id: The identifier of the change.
    /// - Returns: Whether it was removed; `false` if it is in flight, was sent already, or is unknown.
    /// - Throws: ``OutboxError`` if the removal could not be saved. Then the change still waits.
    @concurrent public func discard(_ id: Change.ID) async throws -> Bool {
        let target = read { $0.queue.target(of: id) } ?? nil
        guard let target, try await write(.discard(id), outcome: nil) != nil else { return false }
        if let observer = state.step({ $0.observer }) {
            await observer.savedChangesDidUpdate(target)
        }
        sender.send()
        return true
    }

    /// Removes a rejection that the user has seen.
    ///
    /// - Parameter id: The identifier of the rejection, which is that of the change.
    /// - Returns: Whether there was one.
    @discardableResult public func dismiss(_ id: Rejection.ID) -> Bool {
        guard read({ $0.dismiss(id) }) == true else { return false }
        sender.write()
        return true
    }

    private func write(
        _ action: OutboxState.Save.Action,
        outcome: OutboxState.Outcome?
    ) async throws -> Change.ID? {
        try await withCheckedThrowingContinuation { continuation in
            let save = OutboxState.Save(
                action: action,
                sessionNumber: sessionNumber,
                continuation: continuation,
                outcome: outcome
            )
            // The first caller writes itself. Those that come meanwhile share the next sync.
            guard state.step({ $0.add(save) }) else { return }
            writer.writeBatch()
            if state.step({ $0.continueWriting() }) {
                sender.enqueue { [writer] in writer.continueWriting() }
            }
        }
    }
}

// MARK: - Sending

extension Outbox {
    /// Sends everything that can be sent now, and returns how many changes still wait.
    ///
    /// It ends all delays except those that the server has required, and waits until nothing is in
    /// flight and nothing more can be sent. Offline, that is after one attempt. A task that is
    /// cancelled leaves immediately, and sending continues.
    ///
    /// - Parameter ignoringRetryAfter: Whether it also ends a delay that the server has required.
    ///   Use `true` when a person requests it, as ``PendingChangesViewModel`` does.
    /// - Returns: The number of changes that still wait.
    /// - Throws: ``OutboxError`` if the outbox was not started or its file cannot be opened;
    ///   `CancellationError` if the task is cancelled.
    @concurrent @discardableResult
    public func sendAll(ignoringRetryAfter: Bool = false) async throws -> Int {
        try Task.checkCancellation()
        guard state.step({ $0.isCurrent(sessionNumber) }) else { throw OutboxError(.notStarted) }
        if let error = writer.open() { throw error }
        let (counts, waiter) = AsyncStream.makeStream(of: Int.self)
        state.step { $0.addIdleWaiter(waiter, ignoringRetryAfter: ignoringRetryAfter) }
        sender.send()
        for await count in counts {
            writer.writeAll()
            return count
        }
        throw CancellationError()
    }

    /// Ends all delays except those that the server has required, and tries to send again.
    ///
    /// Call it when the network may be reachable again, or when the user has signed in again.
    public func resume() {
        sender.resume()
    }
}

// MARK: - Reading

extension Outbox {
    /// The changes that wait or are in flight, in the order of saving.
    public var changes: [Change] {
        openFile()
        return read { $0.queue.changes } ?? []
    }

    /// The changes that the server has refused and that were neither dismissed nor sent again, oldest
    /// first; at most as many as changes may wait.
    public var rejections: [Rejection] {
        openFile()
        return read { $0.rejections } ?? []
    }

    /// Returns all events from now on.
    ///
    /// Each call returns a stream of its own, which ends with the outbox.
    public func events() -> AsyncStream<Event> {
        reporter.stream()
    }

    /// Returns a product with the favorite status that it should have, for code without a
    /// ``ProductStore``.
    public func applyingChanges(to product: Product) -> Product {
        guard let status = savedFavoriteStatus(of: product.id) else { return product }
        var product = product
        product.isFavorite = status
        return product
    }

    /// Opens the file unless it is open, and updates the screens if it has changes.
    private func openFile() {
        guard state.step({ $0.sessionToOpen }) != nil, writer.open() == nil else { return }
        sender.send()
    }

    /// Carries out a step; returns `nil` if the session of this outbox has ended.
    private func read<Value: Sendable>(_ step: (inout OutboxState) -> Value) -> Value? {
        state.step { $0.isCurrent(sessionNumber) ? step(&$0) : nil }
    }
}

// For the store and the screens.
extension Outbox {
    /// Whether nothing waits; cheaper than ``changes``.
    var isEmpty: Bool {
        let (needsFile, isEmpty) = state.step { state in
            let needsFile = state.sessionToOpen != nil && !state.hasFailedToOpen
            return (needsFile, state.queue.isEmpty || !state.isCurrent(sessionNumber))
        }
        guard needsFile else { return isEmpty }
        openFile()
        return read { $0.queue.isEmpty } ?? true
    }

    /// Sets the only observer, which replaces an earlier one.
    func observe(_ observer: OutboxObserver) {
        state.step { $0.observe(observer, ofSession: sessionNumber) }
    }

    /// Returns the favorite status that a product should have; `nil` if no change of it waits.
    func savedFavoriteStatus(of product: Product.ID) -> Bool? {
        isEmpty ? nil : read { $0.queue.favoriteStatus(of: product) } ?? nil
    }

    /// Returns whether a list should contain a product; `nil` if no change of it waits.
    func savedMembership(of product: Product.ID, in list: ProductList.ID) -> Bool? {
        isEmpty ? nil : read { $0.queue.membership(of: product, in: list) } ?? nil
    }

    /// The creations, renamings and deletions of lists that wait, in the order of saving.
    var savedListEdits: [Edit] {
        isEmpty ? [] : read { $0.queue.listEdits } ?? []
    }
}
