import ProductKit
import Testing

/// Expects that an operation throws a ``NetworkError`` with a code.
///
/// - Returns: The error.
@discardableResult func expectNetworkError<Value>(
    _ code: NetworkError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    from operation: () async throws -> Value
) async -> NetworkError? {
    let error = await #expect(throws: NetworkError.self, sourceLocation: sourceLocation) {
        _ = try await operation()
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    return error
}

/// Expects that each operation throws `CancellationError` in a task that is cancelled before.
func expectCancellation(
    of operations: [@Sendable () async throws -> Void],
    sourceLocation: SourceLocation = #_sourceLocation
) async {
    for operation in operations {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await operation()
        }
        await #expect(throws: CancellationError.self, sourceLocation: sourceLocation) {
            try await task.value
        }
    }
}
