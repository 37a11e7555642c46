import Foundation

extension OutboxState {
    /// A change to send.
    struct Attempt: Sendable {
        let change: Outbox.Change
        let session: Session
        let round: Int
        /// The number of the idempotency key, which increases with each renewal.
        let keyNumber: Int
        /// Whether an earlier attempt may have changed what the change sets.
        let mayBeCarriedOut: Bool
        /// Whether a server that recognizes keys would recognize the change, because all attempts so
        /// far had its key.
        let isKnownByKey: Bool

        var target: Outbox.Edit.Target { change.edit.target }
    }
}

extension OutboxState.Attempt {
    /// Sends the change.
    ///
    /// Each unsafe request has an `Idempotency-Key`: the identifier of the change, and a checksum of the
    /// request. So it is the same when the change is sent again, also after a restart.
    func send() async throws -> Outbox.Confirmation {
        let attempt = ChangeAttempt(
            mayBeCarriedOut: mayBeCarriedOut,
            isKnownByKey: isKnownByKey
        ) { [id = change.id, keyNumber] request in
            let suffix = keyNumber == 0 ? "" : "-\(keyNumber)"
            return "\(id)-\(request.checksum)\(suffix)"
        }
        return try await ServiceOperation.send(attempt) { try await session.send(change) }
    }
}

extension OutgoingRequest {
    /// A checksum of the method, the URL and the body, in 16 hexadecimal digits.
    fileprivate var checksum: String {
        var sum = UInt64.checksum(of: method)
        sum = .checksum(of: url.absoluteString, startingWith: sum)
        sum = (body ?? Data()).withUnsafeBytes { .checksum(of: $0, startingWith: sum) }
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
