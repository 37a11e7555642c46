extension AsyncStream<Void>.Continuation {
    /// Returns a closure whose calls become elements of the stream.
    ///
    /// The stream ends when the closure is deallocated, so that a test can wait for all of its calls.
    func closure() -> @Sendable () -> Void {
        let (lifetime, end) = AsyncStream.makeStream(of: Void.self)
        end.onTermination = { _ in finish() }
        return { withExtendedLifetime(lifetime) { _ = yield() } }
    }
}

extension AsyncStream<Void> {
    /// The number of elements when the stream has ended.
    var count: Int {
        get async { await reduce(0) { count, _ in count + 1 } }
    }
}
