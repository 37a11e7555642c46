extension AsyncStream<Void>.Continuation {
    /// A closure whose calls come out of the stream, which ends when the closure is let go.
    ///
    /// So a test may wait for all calls that there will ever be.
    func closure() -> @Sendable () -> Void {
        let (lifetime, end) = AsyncStream.makeStream(of: Void.self)
        end.onTermination = { _ in finish() }
        return { withExtendedLifetime(lifetime) { _ = yield() } }
    }
}

extension AsyncStream<Void> {
    /// How many calls there were once there can be no more.
    var count: Int {
        get async { await reduce(0) { count, _ in count + 1 } }
    }
}
