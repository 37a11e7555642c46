/// Waits until other tasks or threads have met a condition.
///
/// A condition that is never met fails the expectation of its test, and not only its time limit.
///
/// - Parameter condition: The condition, which is checked repeatedly.
/// - Returns: Whether it was met; `false` after a minute, or if the task is cancelled before.
/// - Throws: The error of the condition.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let start = ContinuousClock.now
    var attempts = 0
    while !Task.isCancelled, attempts < 1_000 || start.duration(to: .now) < .seconds(60) {
        if try await condition() { return true }
        attempts += 1
        if attempts < 1_000 { await Task.yield() } else { await letOtherThreadsRun() }
    }
    return try await condition()
}

/// Gives other tasks the opportunity to meet a condition, which would be wrong.
///
/// - Parameter condition: The condition.
/// - Returns: Whether it remains false.
func remainsFalse(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<5_000 {
        if condition() { return false }
        await Task.yield()
    }
    return true
}

/// Leaves the actor of the caller, and returns to it.
///
/// On a busy machine, a thread with work waits for a processor much longer than it takes to yield
/// the actor some thousand times.
@concurrent private func letOtherThreadsRun() async {
    await Task.yield()
}
