extension Outbox {
    /// A step of a change, or a failure of the storage.
    ///
    /// Later versions may add cases: give every `switch` a `default`.
    public enum Event: Sendable {
        /// Changes that were saved earlier, such as in an earlier run of the app, wait to be sent; none if
        /// there were only rejections.
        case loaded([Change])
        /// A change was saved. All screens display it when the call that saves it returns.
        case saved(Change)
        /// The server has carried out a change.
        case sent(Change)
        /// A change need not be sent any longer, because a later one replaced it or because the user
        /// has discarded it.
        case removed(Change)
        /// The server has refused a change, with this error; it is not sent again.
        case rejected(Change, any Error)
        /// A change could not be sent now, with this error; it is sent again later.
        case postponed(Change, any Error)
        /// A part of the file could not be read. Its bytes were saved beside it.
        ///
        /// It is torn if only its end is damaged, as after a loss of power. At most the record that
        /// contains the damage is lost.
        case damaged(byteCount: Int, isTorn: Bool)
        /// Records of a later version of the library, or about its changes, were found. They are preserved,
        /// and not sent.
        case unknownRecords(Int)
        /// The storage failed: the file could not be opened, written or, at a sign-out, emptied.
        ///
        /// Each later edit tries it again.
        case failed(OutboxError)
    }
}

/// The closure and the streams that receive the events of an outbox.
final class OutboxEvents: Sendable {
    private struct Streams {
        /// The streams, with the session whose events they receive; `nil` for those of all sessions.
        var all: [Int: (continuation: AsyncStream<Outbox.Event>.Continuation, session: Int?)] = [:]
        var lastNumber = 0
    }

    private let receive: @Sendable (Outbox.Event) -> Void
    private let streams = Locked(Streams())

    init(receive: @escaping @Sendable (Outbox.Event) -> Void) {
        self.receive = receive
    }

    deinit {
        for stream in streams.withLock(\.all.values) { stream.continuation.finish() }
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

    /// Ends the streams of a session that has ended.
    func end(session: Int) {
        let ended = streams.withLock { $0.all.values.filter { $0.session == session } }
        // A stream that ends removes itself.
        for stream in ended { stream.continuation.finish() }
    }

    /// Returns a stream of all events from now on, or of those of a session.
    ///
    /// It ends with the outbox, and with its session.
    func stream(ofSession session: Int? = nil) -> AsyncStream<Outbox.Event> {
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
}
