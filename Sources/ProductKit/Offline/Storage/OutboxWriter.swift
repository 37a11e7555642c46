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
        file.withLock { open(&$0, for: state.step { $0.session }) }
    }

    private func open(
        _ file: inout OpenFile?,
        for session: OutboxState.Session?
    ) -> OutboxError? {
        guard let session else { return OutboxError(.notStarted) }
        if file?.sessionNumber == session.number { return nil }
        // Releases the lock of another user's file.
        file = nil
        do throws(OutboxError) {
            if state.step({ $0.mustErase(fileOf: session.user) }) {
                try erase(nil, of: session.user, in: session.number)
            }
            let (journal, contents) = try openJournal(of: session.user, in: session.number)
            file = OpenFile(sessionNumber: session.number, journal: journal)
            state.step { $0.load(contents, for: session) }
            if !contents.changes.isEmpty || !contents.rejections.isEmpty {
                events.report(.loaded(contents.changes), ofSession: session.number)
            }
            return nil
        } catch {
            let isFirstFailure = state.step { state in
                guard state.isCurrent(session.number) else { return false }
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
        let session = state.step { $0.session }
        if let error = open(&file, for: session) {
            return state.step { $0.refuseSaves(error, ofSession: session?.number) }
        }
        // The user may sign out, and another one may start, at any time.
        guard var open = file,
            let batch = state.step({ $0.takeBatch(ofSession: open.sessionNumber) })
        else { return OutboxState.FollowUp(sessionNumber: session?.number ?? 0) }
        let error = write(batch, &open.journal)
        let followUp = state.step { $0.finish(batch, error: error) }
        open.journal.compactIfLong { () throws(OutboxError) in
            try contents(ofSession: open.sessionNumber)
        }
        file = open
        return followUp
    }

    private func write(_ batch: OutboxState.Batch, _ journal: inout OutboxJournal) -> OutboxError? {
        do throws(OutboxError) {
            if batch.emptiesFile {
                try journal.clear()
            } else if !batch.records.isEmpty {
                try journal.append(batch.records, isDurable: batch.isDurable) {
                    () throws(OutboxError) in try contents(ofSession: batch.sessionNumber)
                }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Removes everything from the file of a user who has signed out, and closes the file.
    ///
    /// If the file is not open, it is opened to remove what the user has left.
    ///
    /// - Parameter number: The session that the sign-out has ended; otherwise nothing happens.
    /// - Returns: The error if the file could not be emptied: `inUse` if another outbox has opened it, or
    ///   `storageFailed`. Then another call tries again, as does the next start of the user.
    func eraseFile(ofSession number: Int) -> OutboxError? {
        file.withLock { file in
            guard let user = state.step({ $0.unerasedUsers[number] }) else { return nil }
            let isOpen = file?.sessionNumber == number
            let journal = isOpen ? file?.journal : nil
            if isOpen { file = nil }
            do throws(OutboxError) {
                try erase(journal, of: user, in: number)
                return nil
            } catch {
                events.report(.failed(error), ofSession: number)
                return error
            }
        }
    }

    private func contents(
        ofSession number: Int
    ) throws(OutboxError) -> OutboxFileContents {
        guard let contents = state.step({ $0.contents(ofSession: number) }) else {
            throw OutboxError(.notStarted)
        }
        return contents
    }

    private func erase(
        _ journal: OutboxJournal?,
        of user: String,
        in session: Int
    ) throws(OutboxError) {
        var journal = journal
        if journal == nil { journal = try openJournal(of: user, in: session).journal }
        try journal?.erase()
        state.step { $0.didErase(fileOf: user) }
    }

    /// Writes what was added until now, ends a session, and closes its file, so that another outbox can open it.
    ///
    /// - Parameter number: The session. If it has ended, nothing happens.
    /// - Returns: The further steps of the caller.
    func endSession(_ number: Int) -> OutboxState.FollowUp? {
        writeAll()
        return file.withLock { file in
            guard let followUp = state.step({ $0.end(session: number) }) else { return nil }
            file = nil
            return followUp
        }
    }
}
