/// Opens the file of the current user, and writes to it for one caller at a time.
///
/// Edits that are saved while another caller writes are written together, with one sync for all.
final class OutboxWriter: Sendable {
    private typealias OpenFile = (sessionNumber: Int, journal: OutboxJournal)

    private let makeStorage: @Sendable (_ user: String) throws -> OutboxStorage
    private let state: SharedOutboxState
    /// The open file, whose lock is acquired before that of the state, never after it.
    private let file = Locked<OpenFile?>(nil)

    init(
        state: SharedOutboxState,
        storage: @escaping @Sendable (_ user: String) throws -> OutboxStorage
    ) {
        self.state = state
        makeStorage = storage
    }

    /// Opens the file of the session unless it is open; without a session, closes that of the last one.
    ///
    /// - Returns: The error; `nil` if the file is open.
    @discardableResult func open() -> OutboxError? {
        file.withLock { file in
            guard let login = state.step({ $0.login }) else {
                closeIfEnded(&file)
                return OutboxError(.notStarted)
            }
            return open(&file, for: login)
        }
    }

    private func open(_ file: inout OpenFile?, for login: OutboxState.Login) -> OutboxError? {
        if file?.sessionNumber == login.number { return nil }
        closeIfEnded(&file)
        do throws(OutboxError) {
            var (journal, contents) = try openJournal(of: login.user, in: login.number)
            if state.step({ $0.mustErase(fileOf: login.user) }) {
                try erase(&journal, of: login.user)
                contents = OutboxFileContents()
            }
            file = (login.number, journal)
            let changes = state.step { $0.load(contents, for: login) }
            if let changes, !changes.isEmpty || !contents.rejections.isEmpty {
                state.report(.loaded(changes), ofSession: login.number)
                let observer = state.step { $0.observer }
                if let observer { Task { await observer.savedChangesDidUpdate(nil) } }
            }
            return nil
        } catch {
            let isFirstFailure = state.step { state in
                guard state.isCurrent(login.number) else { return false }
                defer { state.current?.file = .failedToOpen }
                return state.current?.file != .failedToOpen
            }
            if isFirstFailure { state.report(.failed(error), ofSession: login.number) }
            return error
        }
    }

    private func openJournal(
        of user: String,
        in session: Int
    ) throws(OutboxError) -> (journal: OutboxJournal, contents: OutboxFileContents) {
        let storage = try OutboxJournal.perform("open") { try makeStorage(user) }
        return try OutboxJournal.open(storage, user: user) { event in
            state.report(event, ofSession: session)
        }
    }

    /// Writes everything that was added until now, unless another caller does.
    func writeAll() {
        while state.step({ $0.beginWriting() }) {
            writeBatch()
            _ = state.step { $0.endWriting() }
        }
    }

    /// Writes what was added until now, together; the caller must be the one that writes.
    func writeBatch() {
        if let followUp = file.withLock({ writeBatch(&$0) }) { state.finish(followUp) }
    }

    private func writeBatch(_ file: inout OpenFile?) -> OutboxState.FollowUp? {
        guard let login = state.step({ $0.login }) else { return nil }
        if let error = open(&file, for: login) {
            return state.step { $0.refuseSaves(error, ofSession: login.number) }
        }
        // The user may sign out, and another one may start, at any time.
        guard var journal = file?.journal,
            let batch = state.step({ $0.takeBatch(ofSession: login.number) })
        else { return nil }
        let error = write(batch, &journal)
        let followUp = state.step { $0.finish(batch, error: error) }
        journal.compactIfLong(contents: state.step { $0.contents(ofSession: login.number) })
        file?.journal = journal
        return followUp
    }

    private func write(_ batch: OutboxState.Batch, _ journal: inout OutboxJournal) -> OutboxError? {
        do throws(OutboxError) {
            if batch.emptiesFile {
                try journal.clear()
            } else if !batch.records.isEmpty {
                try journal.append(
                    batch.records,
                    isDurable: !batch.savedRecords.isEmpty,
                    contents: state.step { $0.contents(ofSession: batch.sessionNumber) }
                )
            }
            return nil
        } catch {
            return error
        }
    }

    /// Closes the open file if its session has ended, so that another outbox can open it.
    ///
    /// Before, it is emptied if the user has signed out. Otherwise it gets what the session has left, and is
    /// repaired after a failed write.
    private func closeIfEnded(_ file: inout OpenFile?) {
        guard let number = file?.sessionNumber, var journal = file?.journal,
            !state.step({ $0.isCurrent(number) })
        else { return }
        file = nil
        let (ended, leftover) = state.step { state in
            defer { state.leftover = nil }
            return (state.endedSessions[number], state.leftover)
        }
        if let ended, ended.hasSignedOut {
            // If it fails, `closeFile(ofSession:)` tries again.
            try? erase(&journal, of: ended.user)
            return
        }
        guard let (records, contents) = leftover else { return }
        do throws(OutboxError) {
            if let contents, contents.changes.isEmpty, contents.rejections.isEmpty {
                try journal.clear()
            } else {
                try journal.append(records, isDurable: false, contents: contents)
            }
        } catch {
            state.report(.failed(error), ofSession: number)
        }
    }

    /// Closes the file of a session that has ended, and empties it if the user has signed out.
    ///
    /// If the file of a user who has signed out is not open, it is opened to remove what the user has left.
    ///
    /// - Returns: `nil` if the file was emptied or the user did not sign out. `inUse` if another outbox has it.
    ///   Otherwise the error of opening or emptying it.
    func closeFile(ofSession number: Int) -> OutboxError? {
        file.withLock { file in
            closeIfEnded(&file)
            guard let ended = state.step({ $0.endedSessions[number] }) else { return nil }
            // Another outbox had the file when the user signed out.
            guard ended.hasSignedOut else { return OutboxError(.inUse) }
            do throws(OutboxError) {
                var journal = try openJournal(of: ended.user, in: number).journal
                try erase(&journal, of: ended.user)
                return nil
            } catch {
                state.step { $0.endErasure(ofFileOf: ended.user, error: error) }
                return error
            }
        }
    }

    private func erase(_ journal: inout OutboxJournal, of user: String) throws(OutboxError) {
        try journal.erase()
        state.step { $0.endErasure(ofFileOf: user, error: nil) }
    }
}
