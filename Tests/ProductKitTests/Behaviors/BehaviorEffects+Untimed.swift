import ProductKit

extension BehaviorEffects {
    /// The effects of the system, with a sleep that ends only when its task is cancelled.
    ///
    /// No deadline passes, however slow the machine is.
    static var untimed: BehaviorEffects {
        BehaviorEffects(sleep: { _ in
            let (signals, signal) = AsyncStream.makeStream(of: Never.self)
            for await _ in signals {}
            signal.finish()
            throw CancellationError()
        })
    }
}
