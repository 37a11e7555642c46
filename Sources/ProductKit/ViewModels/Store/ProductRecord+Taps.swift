// Taps, which show before the server has confirmed them.
extension ProductRecord {
    /// Shows a wish, until the tap is settled or withdrawn.
    func tap(_ wish: Bool, on target: Target) -> Flag.Tap {
        update(target) { $0.tap(wish, at: store.tick()) }
    }

    /// Removes a tap, which rolls back what it showed unless a later one shows the same.
    func withdraw(_ tap: Flag.Tap, on target: Target) {
        update(target) { $0.withdraw(tap) }
    }

    /// Learns why a tap that was sent has failed; a user who has signed out doubts nothing.
    func learn(_ error: any Error, ofTapOn target: Target, from question: Question) {
        guard store.isCurrent(question), error.leavesInDoubt else { return }
        update(target) { $0.doubt(at: store.tick()) }
    }
}

extension Error {
    /// Whether what was sent may have been carried out all the same.
    fileprivate var leavesInDoubt: Bool {
        if self is CancellationError { return true }
        guard let error = self as? NetworkError else { return false }
        if let status = error.statusCode { return status >= 500 || status < 300 }
        return [.timedOut, .connectionLost, .incomplete].contains(error.code)
    }
}
