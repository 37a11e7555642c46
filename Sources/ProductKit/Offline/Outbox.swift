public import Foundation

#if canImport(Network) && !os(watchOS)
import Network
#endif

/// Saves the edits of a user before they are sent, so that none is lost.
///
/// An edit that is made offline, or just before the app ends, is on disk when the tap returns. All screens show it, also
/// after a restart. It is sent when the server can be reached, in the order of saving, and as often as necessary. Every
/// attempt has the same identifier, so that the server can recognize it.
///
/// Give the outbox to a ``ProductService``, which does the rest:
///
/// ```swift
/// let service = ProductService(
///     baseURL: api,
///     localUser: euros,
///     user: .signedIn("anna") { token },
///     outbox: Outbox(directory: edits)
/// )
/// ```
///
/// The outbox belongs to one backend, and has one user at a time. See <doc:OfflineEdits> for what it guarantees in
/// whatever order edits, responses, failures and restarts arrive, and for the contents of its file.
public final class Outbox: Sendable {
    /// Sends a change, and returns the response of the server.
    ///
    /// It must end when its task is cancelled. Until it has ended, no other change of the same favorite status or
    /// list is sent.
    public typealias Sending = @Sendable (Change) async throws -> Confirmation

    package let savesNewLists: Bool
    let state: SharedOutboxState
    let writer: OutboxWriter
    let sender: OutboxSender

    /// Creates an outbox that saves changes in a directory.
    ///
    /// - Parameters:
    ///   - directory: A directory of the app's own, for one backend, such as one in Application Support. It is
    ///     created when the first session starts. The system may empty Caches and temporary directories. With `nil`,
    ///     the default, changes are only in memory, such as for a preview.
    ///   - savesNewLists: Whether a ``ProductService`` saves new lists, too. Use `false` unless the server uses the
    ///     identifiers of the client: a list cannot be created offline then. A manager with
    ///     ``ListManager/findingCreatedLists()`` saves none in any case.
    ///   - effects: The time and the random values. Its sleep must end when the time has passed.
    ///   - disposition: Returns what the failure of an attempt means.
    ///   - report: Receives each event, on any thread. It must not call the outbox.
    public convenience init(
        directory: URL? = nil,
        savesNewLists: Bool = true,
        effects: SystemEffects = SystemEffects(),
        disposition: @escaping @Sendable (any Error) -> Disposition = { Disposition($0) },
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        let memory = Locked<[Identifier<Outbox>: OutboxStorage]>([:])
        self.init(
            storage: { user in
                if let directory { return try .directory(directory, user: user) }
                return memory.withLock { storages in
                    let storage = storages[Identifier(user)] ?? .inMemory()
                    storages[Identifier(user)] = storage
                    return storage
                }
            },
            savesNewLists: savesNewLists,
            effects: effects,
            disposition: disposition,
            report: report
        )
    }

    /// Creates an outbox whose files, limit and changes of the network a test controls.
    ///
    /// The storage is requested when a session starts, and again at each further use if that throws.
    package init(
        storage: @escaping @Sendable (_ user: String) throws -> OutboxStorage,
        limit: Int = 500,
        savesNewLists: Bool = true,
        effects: SystemEffects = SystemEffects(),
        wakeUps: @escaping @Sendable () -> AsyncStream<Void> = { networkChanges() },
        disposition: @escaping @Sendable (any Error) -> Disposition = { Disposition($0) },
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.savesNewLists = savesNewLists
        state = SharedOutboxState(OutboxState(limit: limit, effects: effects), receive: report)
        writer = OutboxWriter(state: state, storage: storage)
        sender = OutboxSender(
            state: state,
            writer: writer,
            effects: effects,
            wakeUps: wakeUps,
            disposition: disposition
        )
    }
}

extension Outbox {
    /// Begins to save and to send the changes of a user, as a ``ProductService`` does.
    ///
    /// The file of the user is opened in the background; ``Session/open()`` waits for it. Changes that were
    /// saved earlier are sent, also those of an earlier run of the app.
    ///
    /// Another call for the same user replaces the closure. A call for another user ends the session of the
    /// first one, whose changes stay on disk until that user starts again.
    ///
    /// - Parameters:
    ///   - user: The name of the user, which is stored in the file.
    ///   - send: Sends a change. It may be called several times for one change, and must be safe to
    ///     call again after a failure; see ``sending(_:_:recognizesIdempotencyKeys:)``.
    /// - Returns: The session, with which edits are saved.
    public func start(for user: String, sending send: @escaping Sending) -> Session {
        start(for: user, sending: send) { _ in }
    }

    /// Begins the session of a service's user, with a check that throws for an edit that could never be sent.
    func start(
        for user: String,
        sending send: @escaping Sending,
        checking check: @escaping @Sendable (Edit) throws -> Void
    ) -> Session {
        let (number, followUp) = state.step { $0.start(for: user, send: send, check: check) }
        // The session of another user has ended.
        if followUp.sessionNumber != number { state.endEvents(ofSession: followUp.sessionNumber) }
        followUp.resume()
        sender.observeWakeUps()
        sender.sendChanges()
        return Session(outbox: self, number: number)
    }

    /// Returns all events from now on, of all users.
    ///
    /// Each call returns a stream of its own, which ends with the outbox.
    public func events() -> AsyncStream<Event> {
        state.events()
    }

    /// Returns a stream with an element whenever the network becomes reachable, on Apple platforms.
    ///
    /// The stream is empty on other platforms, and on watches, whose apps cannot observe the network.
    package static func networkChanges() -> AsyncStream<Void> {
        #if canImport(Network) && !os(watchOS)
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
