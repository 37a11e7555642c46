/// The reloads of a screen.
struct ReloadState {
    fileprivate var inFlight = 0
    /// The phase when no reload is in flight.
    fileprivate(set) var lastPhase = LoadingPhase.idle
    /// When the latest reload started that failed without being superseded; `nil` if there is none.
    fileprivate(set) var failedAt: LogicalTimestamp?

    /// The phase of the screen.
    var phase: LoadingPhase { inFlight > 0 ? .loading : lastPhase }

    /// Sets the phase of a screen that shows no result, or whose content was loaded to open it.
    mutating func reset(to phase: LoadingPhase = .idle) {
        (lastPhase, failedAt) = (phase, nil)
    }
}

/// A screen whose content is reloaded: a product, or the user's lists.
@MainActor
protocol ReloadableScreen: FailureStoring {
    var record: ProductRecord { get }
    var reloads: ReloadState { get set }

    /// Whether the screen shows the response to a later request, so that a failure does not count.
    ///
    /// It throws the error that the later response stands for, if any.
    func isSuperseded(_ timestamp: LogicalTimestamp) throws -> Bool

    /// The phase after a reload has failed.
    func phase(after error: any Error) -> LoadingPhase
}

extension ReloadableScreen {
    /// Reloads the content.
    ///
    /// - Parameter load: Loads and applies the content, and returns whether the screen shows it; `false`
    ///   if it was superseded.
    /// - Throws: The error of `load`; `CancellationError` when the task was cancelled or the store was
    ///   reset.
    func performReload(_ load: (LogicalTimestamp) async throws -> Bool) async throws {
        try Task.checkCancellation()
        let timestamp = record.store.timestamp()
        reloads.inFlight += 1
        defer { reloads.inFlight -= 1 }
        do {
            if try await load(timestamp) { reloads.failedAt = nil }
        } catch {
            let error = record.apply(error, requestedAt: timestamp)
            if error is CancellationError { throw error }
            let failure: (error: any Error, start: LogicalTimestamp)?
            do {
                failure = try isSuperseded(timestamp) ? nil : (error, timestamp)
            } catch {
                // “Not found” of a later request, which products before that do not end.
                failure = (error, record.store.timestamp())
            }
            if let failure {
                reloads.failedAt = max(reloads.failedAt ?? failure.start, failure.start)
                reloads.lastPhase = phase(after: failure.error)
                throw storeFailure(failure.error, of: .reload)
            }
        }
        // If a later reload has failed, its failure stays until a newer result is applied.
        guard try reloads.failedAt.map(isSuperseded) ?? true else { return }
        reloads.lastPhase = .loaded
        clearFailure(of: .reload)
    }
}
