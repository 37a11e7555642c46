public import Foundation

/// What behaviors need of the world outside: time, chance and fresh names.
///
/// The defaults are live. A test replaces what it wants to control:
///
/// ```swift
/// let effects = BehaviorEffects(sleep: { _ in }, random: { $0.upperBound })
/// ```
public struct BehaviorEffects: Sendable {
    /// Time that only goes on, counted from some fixed moment; for durations and deadlines.
    public var elapsed: @Sendable () -> Duration
    /// The time of day; for dates that servers send.
    public var now: @Sendable () -> Date
    /// Waits, and throws `CancellationError` at once when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// A number in a range, each as likely as any other.
    public var random: @Sendable (ClosedRange<Double>) -> Double
    /// A name that nobody has used before, with 122 random bits.
    public var uuid: @Sendable () -> UUID

    /// Creates effects, live ones where none are given.
    public init(
        elapsed: @escaping @Sendable () -> Duration = { ContinuousClock.now - start },
        now: @escaping @Sendable () -> Date = { Date() },
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        },
        random: @escaping @Sendable (ClosedRange<Double>) -> Double = { .random(in: $0) },
        uuid: @escaping @Sendable () -> UUID = { UUID() }
    ) {
        self.elapsed = elapsed
        self.now = now
        self.sleep = sleep
        self.random = random
        self.uuid = uuid
    }

    /// Where the live clock counts from.
    @usableFromInline static let start = ContinuousClock.now
}
