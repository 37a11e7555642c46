import FaultServer

/// Runs a body, which is cancelled when it takes too long: the test then fails by its own name.
func within<Value: Sendable>(
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
