import Foundation
import ProductKit
import Synchronization

/// A clock that advances only when a task sleeps on it, without waiting, or when a test moves it.
///
/// It starts at 08:49:37 GMT on Sunday, 6 November 1994, the date in the examples of RFC 9110.
final class Timeline: Sendable {
    private struct State {
        var elapsed = Duration.zero
        var delays: [Duration] = []
    }

    private let state = Mutex(State())

    /// The time since the start.
    var elapsed: Duration { state.withLock { $0.elapsed } }

    /// The time of day.
    var now: Date { Date(timeIntervalSince1970: 784_111_777 + elapsed / .seconds(1)) }

    /// The duration of each sleep.
    var delays: [Duration] { state.withLock { $0.delays } }

    /// Moves the clock forward.
    func move(by duration: Duration) {
        state.withLock { $0.elapsed += duration }
    }

    /// Effects that use this clock, and the lower bound as random number unless another is given.
    func effects(
        random: @escaping @Sendable (ClosedRange<Double>) -> Double = { $0.lowerBound }
    ) -> BehaviorEffects {
        BehaviorEffects(
            elapsed: { self.elapsed },
            now: { self.now },
            sleep: { duration in
                self.state.withLock { state in
                    state.elapsed += duration
                    state.delays.append(duration)
                }
            },
            random: random
        )
    }

    /// Effects that use this clock, and whose sleep ends only when it is cancelled.
    func effectsWithEndlessSleep() -> BehaviorEffects {
        var effects = effects()
        effects.sleep = { _ in try await Gate().pass() }
        return effects
    }
}
