/// The state of an outbox, for one thread at a time, and the closure and the streams that receive its events.
final class SharedOutboxState: Sendable {
    private struct Streams {
        /// The streams, with the session whose events they receive; `nil` for those of all sessions.
        var all: [Int: (continuation: AsyncStream<Outbox.Event>.Continuation, session: Int?)] = [:]
        var lastNumber = 0
    }

    private let state: Locked<OutboxState>
    private let receive: @Sendable (Outbox.Event) -> Void
    private let streams = Locked(Streams())

    init(_ state: OutboxState, receive: @escaping @Sendable (Outbox.Event) -> Void) {
        self.state = Locked(state)
        self.receive = receive
    }

    deinit {
        for stream in streams.withLock(\.all.values) { stream.continuation.finish() }
    }

    func step<Value: Sendable>(_ body: (inout OutboxState) -> Value) -> Value {
        state.withLock { body(&$0) }
    }

    /// Reports the events of a step, lets the targets be sent that waited for it, and then lets the waiting
    /// callers continue.
    func finish(_ followUp: OutboxState.FollowUp) {
        for event in followUp.events { report(event, ofSession: followUp.sessionNumber) }
        if !followUp.heldTargets.isEmpty { step { $0.endReporting(of: followUp) } }
        followUp.resume()
    }

    /// Reports an event of a session to the closure, and then to the streams.
    func report(_ event: Outbox.Event, ofSession session: Int) {
        receive(event)
        let receivers = streams.withLock {
            $0.all.values.filter { $0.session ?? session == session }
        }
        // Outside of the lock: a reader whose task is being cancelled waits for the lock to remove its
        // stream, and cannot be resumed meanwhile.
        for stream in receivers { stream.continuation.yield(event) }
    }

    /// Returns a stream of all events from now on, or of those of a session, with which it ends.
    func events(ofSession session: Int? = nil) -> AsyncStream<Outbox.Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Outbox.Event.self)
        let number = streams.withLock { streams in
            streams.lastNumber += 1
            streams.all[streams.lastNumber] = (continuation, session)
            return streams.lastNumber
        }
        continuation.onTermination = { [weak self] _ in
            self?.streams.withLock { _ = $0.all.removeValue(forKey: number) }
        }
        return stream
    }

    /// Ends the streams of a session that has ended.
    func endEvents(ofSession session: Int) {
        let ended = streams.withLock { $0.all.values.filter { $0.session == session } }
        // A stream that ends removes itself.
        for stream in ended { stream.continuation.finish() }
    }
}
