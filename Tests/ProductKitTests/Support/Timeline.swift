import Foundation
import ProductKit
import Synchronization

/// Time that goes on only while somebody sleeps in it, or when it is moved.
///
/// It begins at 08:49:37 GMT on Sunday, 6 November 1994, the moment in RFC 9110's examples.
final class Timeline: Sendable {
    private struct State {
        var elapsed = Duration.zero
        var delays: [Duration] = []
    }

    private let state = Mutex(State())

    /// The time that has gone by.
    var elapsed: Duration { state.withLock { $0.elapsed } }

    /// The time of day.
    var now: Date { Date(timeIntervalSince1970: 784_111_777 + elapsed / .seconds(1)) }

    /// How long was slept, each time.
    var delays: [Duration] { state.withLock { $0.delays } }

    /// Lets time go by.
    func move(by duration: Duration) {
        state.withLock { $0.elapsed += duration }
    }

    /// Effects in this time, with the smallest random numbers unless told otherwise.
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
}
