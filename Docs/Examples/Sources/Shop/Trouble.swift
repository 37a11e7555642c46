import EmbeddedStore
import Synchronization

/// What can go wrong between a screen and a store: delays, refusals, and answers that get lost.
final class Trouble: Sendable {
    private struct State {
        var hasBegun = false
        var refusals = 0
        var losses = 0
        var hasLostAnswers = false
    }

    private let state = Mutex(State())

    var refusals: Int { state.withLock(\.refusals) }
    var losses: Int { state.withLock(\.losses) }

    func begin() {
        state.withLock { $0.hasBegun = true }
    }

    /// Whether answers to writes were lost since this was last asked.
    func hasLostAnswers() -> Bool {
        state.withLock { state in
            defer { state.hasLostAnswers = false }
            return state.hasLostAnswers
        }
    }

    var intercept: EmbeddedStore.Interceptor {
        { [self] request, handle in
            guard state.withLock(\.hasBegun) else { return await handle() }
            try? await Task.sleep(for: .microseconds(.random(in: 0...4_000)))
            switch Int.random(in: 1...10) {
            case 1, 2:
                state.withLock { $0.refusals += 1 }
                return .problem(503)
            case 3:
                _ = await handle()
                state.withLock { state in
                    state.losses += 1
                    if request.method != "GET" { state.hasLostAnswers = true }
                }
                return .problem(502)
            default:
                return await handle()
            }
        }
    }
}
