import Foundation

/// Opens the file of the current user, and writes to it for one caller at a time.
///
/// Edits that are saved while another caller writes are written together, with one sync for all.
final class OutboxWriter: Sendable {
    private struct OpenFile {
        let sessionNumber: Int
        var journal: OutboxJournal
    }

    private let makeStorage: @Sendable (_ user: String) throws -> OutboxStorage
    private let state: SharedOutboxState
    private let events: OutboxEvents
    /// The open file.
    ///
    /// Its lock is acquired before that of the state, never after it.
    private let file = Locked<OpenFile?>(nil)

    init(
        state: SharedOutboxState,
        events: OutboxEvents,
        storage: @escaping @Sendable (_ user: String) throws -> OutboxStorage
    ) {
        self.state = state
        self.events = events
        makeStorage = storage
    }

    /// Opens the file of the session unless it is open.
    ///
    /// - Returns: The error; `nil` if the file is open.
    @discardableResult func open() -> OutboxError? {
        file.withLock { open(&$0) }
    }

    private func open(_ file: inout OpenFile?) -> OutboxError? {
        guard let session = state.step({ $0.session }) else { return OutboxError(.notStarted) }
        if file?.sessionNumber == session.number { return nil }
        // Releases the lock of another user's file.
        file = nil
        do throws(OutboxError) {
            let (journal, contents) = try openJournal(of: session.user, in: session.number)
            file = OpenFile(sessionNumber: session.number, journal: journal)
            state.step { $0.load(contents, for: session) }
            if !contents.changes.isEmpty || !contents.rejections.isEmpty {
                events.report(.loaded(contents.changes), ofSession: session.number)
            }
            return nil
        } catch {
            let isFirstFailure = state.step { state in
                defer { state.filePhase = .failedToOpen }
                return state.filePhase != .failedToOpen
            }
            if isFirstFailure { events.report(.failed(error), ofSession: session.number) }
            return error
        }
    }

    private func openJournal(
        of user: String,
        in session: Int
    ) throws(OutboxError) -> (journal: OutboxJournal, contents: OutboxFileContents) {
        try OutboxJournal.open(storage(for: user), user: user) { [events] event in
            events.report(event, ofSession: session)
        }
    }

    private func storage(for user: String) throws(OutboxError) -> OutboxStorage {
        do {
            return try makeStorage(user)
        } catch let error as OutboxError {
            throw error
        } catch {
            let number = (error as? POSIXError)?.code.rawValue ?? EIO
            throw OutboxError(.storageFailed, operation: "open", number: number)
        }
    }

    /// Writes everything that was added until now, unless another caller does.
    func writeAll() {
        if state.step({ $0.beginWriting() }) { continueWriting() }
    }

    /// Writes everything that was added until now.
    ///
    /// The caller must be the one that writes.
    func continueWriting() {
        repeat { writeBatch() } while state.step { $0.continueWriting() }
    }

    /// Writes what was added until now, together.
    ///
    /// The caller must be the one that writes.
    func writeBatch() {
        let followUp = file.withLock { writeBatch(&$0) }
        events.report(followUp)
        followUp.resume()
    }

    private func writeBatch(_ file: inout OpenFile?) -> OutboxState.FollowUp {
        if let error = open(&file) { return state.step { $0.refuseSaves(error) } }
        let work = state.step { $0.takeWork() }
        let error = write(work, &file)
        let followUp = state.step { $0.finish(work, error: error) }
        file?.journal.compactIfLong { state.step { $0.contents } }
        return followUp
    }

    private func write(_ work: OutboxState.Work, _ file: inout OpenFile?) -> OutboxError? {
        do throws(OutboxError) {
            if work.emptiesFile {
                try file?.journal.clear()
            } else if !work.records.isEmpty {
                try file?.journal.append(work.records, isDurable: work.isDurable) {
                    state.step { $0.contents }
                }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Begins the session of a user, and closes the file of another user.
    ///
    /// The lock of the file is held, because a caller that writes reads the contents of the session.
    ///
    /// - Returns: The number of the session, and the further steps of the caller.
    func startSession(
        for user: String,
        send: @escaping Outbox.Sending,
        check: @escaping @Sendable (Outbox.Edit) throws -> Void
    ) -> (number: Int, followUp: OutboxState.FollowUp) {
        file.withLock { file in
            let ended = state.step { $0.sessionNumber }
            let started = state.step { $0.start(for: user, send: send, check: check) }
            if started.number != ended {
                file = nil
                events.end(session: ended)
            }
            return started
        }
    }

    /// Ends a session, removes everything from the file of its user, and closes the file.
    ///
    /// If the start of another user has ended the session, the file is opened to remove what the user left.
    ///
    /// - Parameter number: The session. If it has ended in another way, nothing happens.
    /// - Returns: The further steps of the caller, and the error if the file could not be emptied:
    ///   `inUse` if another outbox has opened it, or `storageFailed`.
    func endSessionRemovingAll(
        _ number: Int
    ) -> (OutboxState.FollowUp?, OutboxError?) {
        file.withLock { file in
            let (user, followUp) = state.step { state in
                (state.erasableUser(ofSession: number), state.end(session: number))
            }
            guard let user else { return (nil, nil) }
            let open = file?.sessionNumber == number ? file?.journal : nil
            if followUp != nil { file = nil }
            do throws(OutboxError) {
                var journal: OutboxJournal
                if let open {
                    journal = open
                } else {
                    journal = try openJournal(of: user, in: number).journal
                }
                try journal.erase()
                state.step { $0.replacedSessions[number] = nil }
                return (followUp, nil)
            } catch {
                // Another call tries again, unless the user has started again.
                state.step { $0.replacedSessions[number] = user }
                return (followUp, error)
            }
        }
    }

    /// Ends a session, and closes the file, so that another outbox can open it.
    ///
    /// - Parameter number: The session. If it has ended, nothing happens.
    /// - Returns: The further steps of the caller.
    func endSession(_ number: Int) -> OutboxState.FollowUp? {
        file.withLock { file in
            guard let followUp = state.step({ $0.end(session: number) }) else { return nil }
            file = nil
            return followUp
        }
    }
}
