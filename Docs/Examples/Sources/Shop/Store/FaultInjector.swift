import EmbeddedStore
import Synchronization

/// An interceptor that delays requests, rejects some, and loses the responses to others.
final class FaultInjector: Sendable {
    private struct State {
        var rejectedRequestCount = 0
        var lostResponseCount = 0
        var hasLostWriteResponse = false
    }

    private let state = Mutex(State())
    private let rate: Double
    private let maximumDelay: Duration

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - rate: The fraction of requests that fail. One in three of them is performed by the store,
    ///     and its response is lost. The others are rejected.
    ///   - maximumDelay: The maximum delay of a request.
    init(rate: Double, maximumDelay: Duration) {
        self.rate = rate
        self.maximumDelay = maximumDelay
    }

    /// The number of requests that were rejected and not performed.
    var rejectedRequestCount: Int { state.withLock(\.rejectedRequestCount) }
    /// The number of requests that were performed and whose responses were lost.
    var lostResponseCount: Int { state.withLock(\.lostResponseCount) }

    /// Returns whether the response to a write has been lost since the last call.
    func takeHasLostWriteResponse() -> Bool {
        state.withLock { state in
            defer { state.hasLostWriteResponse = false }
            return state.hasLostWriteResponse
        }
    }

    @Sendable func intercept(
        _ request: StoreRequest,
        _ handle: @Sendable () async -> StoreResponse
    ) async -> StoreResponse {
        try? await Task.sleep(for: maximumDelay * Double.random(in: 0...1))
        guard Double.random(in: 0..<1) < rate else { return await handle() }
        guard Int.random(in: 1...3) == 1 else {
            state.withLock { $0.rejectedRequestCount += 1 }
            return .problem(503)
        }
        _ = await handle()
        state.withLock { state in
            state.lostResponseCount += 1
            if request.method != "GET" { state.hasLostWriteResponse = true }
        }
        return .problem(502)
    }
}
