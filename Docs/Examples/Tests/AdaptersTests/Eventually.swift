/// Waits until tasks on other threads have met a condition.
///
/// - Parameter condition: The condition, which is checked about every millisecond.
/// - Throws: `CancellationError` if the task is cancelled, as by the time limit of a test.
func eventually(_ condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(1)) }
}
