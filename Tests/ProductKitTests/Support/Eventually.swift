/// Waits until a condition is met by other tasks.
///
/// - Parameters:
///   - attempts: The number of times that other tasks can run, after which it never will be met.
///   - condition: The condition.
/// - Returns: Whether it was met.
/// - Throws: The error of the condition.
func eventually(
    atMost attempts: Int = 300_000,
    _ condition: () async throws -> Bool
) async rethrows -> Bool {
    for attempt in 0..<attempts {
        if try await condition() { return true }
        if attempt < 1_000 { await Task.yield() } else { await letOtherThreadsRun() }
    }
    return false
}

/// Leaves the actor of the caller, and returns to it.
///
/// On a busy machine, a thread with work waits for a processor much longer than it takes to yield
/// the actor some thousand times.
@concurrent private func letOtherThreadsRun() async {
    await Task.yield()
}
