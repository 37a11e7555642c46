import EmbeddedStore
import Synchronization

/// What can go wrong between a screen and a store: delays, refusals, and answers that get lost.
final class Trouble: Sendable {
    private struct State {
        var refusals = 0
        var losses = 0
        var hasLostAnswers = false
    }

    private let state = Mutex(State())
    private let share: Double
    private let longestDelay: Duration

    /// - Parameters:
    ///   - share: The share of requests that fail; a third of them has been carried out by then.
    ///   - longestDelay: How long an answer may take.
    init(share: Double, longestDelay: Duration) {
        self.share = share
        self.longestDelay = longestDelay
    }

    var refusals: Int { state.withLock(\.refusals) }
    var losses: Int { state.withLock(\.losses) }

    /// Whether answers to writes were lost since this was last asked.
    func hasLostAnswers() -> Bool {
        state.withLock { state in
            defer { state.hasLostAnswers = false }
            return state.hasLostAnswers
        }
    }

    @Sendable func intercept(
        _ request: StoreRequest,
        _ handle: @Sendable () async -> StoreResponse
    ) async -> StoreResponse {
        try? await Task.sleep(for: longestDelay * Double.random(in: 0...1))
        guard Double.random(in: 0..<1) < share else { return await handle() }
        guard Int.random(in: 1...3) == 1 else {
            state.withLock { $0.refusals += 1 }
            return .problem(503)
        }
        _ = await handle()
        state.withLock { state in
            state.losses += 1
            if request.method != "GET" { state.hasLostAnswers = true }
        }
        return .problem(502)
    }
}
