import Observation

/// Waits until other tasks or threads have met a condition.
///
/// It is checked again after each change of what it reads: an ``Observed`` value, such as a
/// ``Counter``, or a view model of the same actor. Nothing else ends the wait.
///
/// - Parameter condition: The condition.
/// - Returns: Whether it was met; `false` if the task is cancelled before, such as by the time limit
///   of the test.
func eventually(_ condition: () -> Bool) async -> Bool {
    while !Task.isCancelled {
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        let isMet = withObservationTracking(condition, onChange: { change.finish() })
        // A change before the observation has begun notifies nobody.
        if isMet || condition() { return true }
        for await _ in changes {}
    }
    return condition()
}
