import Foundation

extension OutboxState {
    /// A change to send.
    struct Attempt: Sendable {
        let change: Outbox.Change
        let login: Login
        let round: Int
        let context: ChangeAttempt

        var target: Outbox.Edit.Target { change.edit.target }
    }

    /// The error of an attempt, and what it says, read outside of a step: it may be code of the app.
    struct Failure: Error {
        let error: any Error
        let message: String
        let mayHaveReachedServer: Bool

        init(_ error: any Error) {
            self.error = error
            message = error.localizedDescription
            mayHaveReachedServer = error.mayHaveReachedServer
        }
    }
}

extension OutboxState {
    /// Creates an attempt to send a change.
    ///
    /// Each unsafe request has an `Idempotency-Key`: the identifier of the change, and a checksum of the
    /// request. So it is the same when the change is sent again, also after a restart, until it is renewed.
    func attempt(of change: Outbox.Change, for login: Login) -> Attempt {
        let keyNumber = queue.schedule.keyNumber(of: change.edit.target)
        let suffix = keyNumber == 0 ? "" : "-\(keyNumber)"
        let uncertainChange = uncertain[change.edit.part]
        let context = ChangeAttempt(
            mayBeCarriedOut: uncertainChange != nil,
            isKnownByKey: uncertainChange?.id == change.id && keyNumber == 0
                && uncertainChange?.isFromFile == false,
            key: { [id = change.id] request in "\(id)-\(request.checksum)\(suffix)" }
        )
        let round = queue.schedule.round
        return Attempt(change: change, login: login, round: round, context: context)
    }
}

extension OutgoingRequest {
    /// A checksum of the method, the URL and the body, in 16 hexadecimal digits.
    fileprivate var checksum: String {
        var sum = UInt64.checksum(of: method)
        sum = .checksum(of: url.absoluteString, startingWith: sum)
        sum = (body ?? Data()).withUnsafeBytes { .checksum(of: $0, startingWith: sum) }
        return sum.hexadecimalDigits
    }
}
