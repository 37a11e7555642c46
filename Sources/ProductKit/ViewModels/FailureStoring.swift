/// A view model that stores its last failure for the screen.
@MainActor
protocol FailureStoring: AnyObject {
    /// The failure to show.
    var lastError: ViewModelFailure? { get set }
    /// The failure of an operation of this view model, without those that all screens share.
    var ownFailure: ViewModelFailure? { get set }
}

extension FailureStoring {
    /// The failure to show, for a view model that shares none.
    var ownFailure: ViewModelFailure? {
        get { lastError }
        set { lastError = newValue }
    }

    /// Performs an edit, which an outbox may save, and stores its failure.
    ///
    /// A confirmed edit removes an earlier failure of the same kind. A saved one removes it only if
    /// the earlier edit could not be saved, also because of a reserved name: otherwise, the server may still
    /// refuse this one.
    @discardableResult
    func performEdit<Value>(
        _ kind: ViewModelFailure.Kind,
        _ edit: () async throws -> EditOutcome<Value>
    ) async throws -> EditOutcome<Value> {
        try Task.checkCancellation()
        do {
            let outcome = try await edit()
            switch outcome {
            case .confirmed: clearFailure(of: kind)
            case .saved: if ownFailure?.preventedSaving == true { clearFailure(of: kind) }
            }
            return outcome
        } catch {
            throw storeFailure(error, of: kind)
        }
    }

    /// Stores an error unless it is a cancellation, and returns it.
    func storeFailure(_ error: any Error, of kind: ViewModelFailure.Kind) -> any Error {
        if !(error is CancellationError) {
            ownFailure = ViewModelFailure(kind: kind, underlying: error)
        }
        return error
    }

    /// Removes the failure if it is of this kind.
    func clearFailure(of kind: ViewModelFailure.Kind) {
        if ownFailure?.kind == kind { ownFailure = nil }
    }
}

extension ViewModelFailure {
    /// Whether the failed edit was not saved in an outbox.
    fileprivate var preventedSaving: Bool {
        if case ListError.reservedName = underlying { return true }
        return underlying is OutboxError
    }
}
