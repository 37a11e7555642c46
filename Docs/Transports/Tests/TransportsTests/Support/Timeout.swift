import FaultServer

/// A time limit for a part of a test, so that the test fails instead of hanging.
enum Timeout {
    /// Runs the body, and cancels it after the limit.
    ///
    /// - Returns: The result of the body.
    /// - Throws: `WaitTimeoutError` after the limit, or any error of the body.
    static func run<Value: Sendable>(
        _ limit: Duration,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw WaitTimeoutError()
            }
            for try await value in group { return value }
            throw CancellationError()
        }
    }
}
