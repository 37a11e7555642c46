/// Starts work that goes on at once, up to the point where an action holds it.
///
/// Nothing is said of what its end sets off: whoever awaits the task may come back before the next
/// in line has asked its question.
///
/// - Parameter operation: What to do, on the main actor.
/// - Returns: The task that does it.
@MainActor func started<Value: Sendable>(
    _ operation: @escaping @MainActor () async throws -> Value
) async -> Task<Value, any Error> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        return Task.immediate { try await operation() }
    }
    // The gate opens when the work begins, and lets us through when it first leaves the main actor.
    let (gate, opened) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
        opened.finish()
        return try await operation()
    }
    for await _ in gate {}
    return task
}
