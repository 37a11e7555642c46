/// Starts an operation and runs it synchronously until it suspends, for example in a ``Held`` action.
///
/// Awaiting the task waits for the operation only. Work that its end triggers, such as the next
/// pending edit, may not have started yet.
///
/// - Parameter operation: The operation, on the main actor.
/// - Returns: The task of the operation.
@MainActor func started<Value: Sendable>(
    _ operation: @escaping @MainActor () async throws -> Value
) async -> Task<Value, any Error> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        return Task.immediate { try await operation() }
    }
    // The stream finishes when the operation starts. The loop ends when the operation first suspends.
    let (gate, opened) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
        opened.finish()
        return try await operation()
    }
    for await _ in gate {}
    return task
}

extension Task where Failure == any Error {
    /// The value of a task that needs nothing more to end.
    ///
    /// A task that waits for ever fails the expectation of its test, and not only its time limit.
    ///
    /// - Throws: The error of the task; ``StillWaiting`` if the caller is cancelled before, such as by
    ///   the time limit.
    var promptValue: Success {
        get async throws {
            let (results, ended) = AsyncStream.makeStream(of: Result<Success, any Error>.self)
            Task<Void, Never> { ended.yield(await result) }
            for await result in results { return try result.get() }
            throw StillWaiting()
        }
    }
}

/// The error for a task that should have ended.
struct StillWaiting: Error {}
