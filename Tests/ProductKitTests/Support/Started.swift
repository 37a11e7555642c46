/// Starts work that goes on at once, up to the point where an action holds it.
///
/// The main actor serves in order. Whoever awaits the end of one task finds that everything which
/// that end has set off, such as the next in line asking its question, has got as far as it can.
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
