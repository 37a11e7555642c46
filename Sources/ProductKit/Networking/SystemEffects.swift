public import Foundation

/// The time, the delays and the random values of the library.
///
/// By default they are the system's. A test replaces those that it controls, or all of time by a ``ManualClock``:
///
/// ```swift
/// let effects = SystemEffects(sleep: { _ in }, random: { $0.upperBound })
/// ```
///
/// The time for a token refresh, and for an attempt of an outbox, is measured by the clock of the system
/// or by a ``ManualClock``, so a `sleep` that returns immediately does not end it.
///
/// ``ProductService`` and ``ProductBackend`` give theirs to everything that they create, also to view models.
public struct SystemEffects: Sendable {
    package var elapsed: @Sendable () -> Duration
    package var now: @Sendable () -> Date
    package var sleep: @Sendable (Duration) async throws -> Void
    /// Waits for the end of a limited time.
    package var sleepToDeadline: @Sendable (Duration) async throws -> Void = {
        try await Task.sleep(for: $0)
    }
    package var random: @Sendable (ClosedRange<Double>) -> Double
    package var uuid: @Sendable () -> UUID

    /// Creates effects; each one that is not given is the system's.
    ///
    /// - Parameters:
    ///   - elapsed: Returns the time since a fixed point on a monotonic clock, for durations and deadlines of retries.
    ///   - now: Returns the time of day. Used for dates that the server sends.
    ///   - sleep: Waits for a duration. Throws `CancellationError` immediately when the task is cancelled.
    ///   - random: Returns a uniformly distributed random number in a range.
    ///   - uuid: Returns a new unique identifier. The default has 122 random bits.
    public init(
        elapsed: @escaping @Sendable () -> Duration = { ContinuousClock.now - start },
        now: @escaping @Sendable () -> Date = { Date() },
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        },
        random: @escaping @Sendable (ClosedRange<Double>) -> Double = { .random(in: $0) },
        uuid: @escaping @Sendable () -> UUID = { randomUUID() }
    ) {
        self.elapsed = elapsed
        self.now = now
        self.sleep = sleep
        self.random = random
        self.uuid = uuid
    }

    /// Returns a random UUID (RFC 9562 §5.4); on Linux, `UUID()` takes several microseconds to open a file each time.
    @usableFromInline static func randomUUID() -> UUID {
        var generator = SystemRandomNumberGenerator()
        var bytes = (generator.next(), generator.next())
        return withUnsafeMutableBytes(of: &bytes) { bytes in
            bytes[6] = bytes[6] & 0x0F | 0x40
            bytes[8] = bytes[8] & 0x3F | 0x80
            return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }

    /// The zero of the default monotonic clock.
    @usableFromInline static let start = ContinuousClock.now

    /// Waits for an operation, but not longer than a limit.
    ///
    /// The operation runs in a task of its own. At the end of the limit, and when the calling task is cancelled, this
    /// task is cancelled without waiting for its end: it may never end, if it waits for its own caller.
    func wait<Value: Sendable>(
        atMost limit: Duration,
        orThrow error: any Error,
        for operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (outcomes, outcome) = AsyncThrowingStream.makeStream(of: Value.self)
        let work = Task {
            do { outcome.yield(try await operation()) } catch { outcome.finish(throwing: error) }
        }
        let timer = Task {
            try await sleepToDeadline(limit)
            outcome.finish(throwing: error)
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        for try await value in outcomes { return value }
        throw CancellationError()
    }
}
