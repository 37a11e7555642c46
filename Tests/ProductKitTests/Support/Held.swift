import Testing

/// The calls of an action that a test has suspended.
///
/// A test passes ``suspend(_:)`` as the body of an action. The action then waits until the test
/// resumes it, so the test controls the order in which calls end:
///
/// ```swift
/// let held = Held<Product>()
/// let screen = ProductViewModel(.only(reload: { try await held.suspend() }))
/// let reload = await started { try await screen.reload() }
/// try held.resume(returning: .boots)
/// try await reload.value
/// ```
final class Held<Value: Sendable> {
    private var continuations: [CheckedContinuation<Value, any Error>] = []

    /// The number of suspended calls.
    var count: Int { continuations.count }

    /// Whether no call is suspended.
    var isEmpty: Bool { continuations.isEmpty }

    /// The positions of the suspended calls, in the order of the calls.
    var indices: Range<Int> { continuations.indices }

    /// Suspends a call until the test resumes it.
    ///
    /// - Parameter onSuspension: Code that runs when the call is suspended.
    /// - Returns: The value that the test passes.
    /// - Throws: The error that the test passes.
    func suspend(_ onSuspension: () -> Void = {}) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            continuations.append(continuation)
            onSuspension()
        }
    }

    /// Lets a suspended call return.
    func resume(
        returning value: Value,
        at index: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try remove(at: index, sourceLocation).resume(returning: value)
    }

    /// Lets a suspended call throw.
    func fail(
        _ error: any Error = Offline(),
        at index: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try remove(at: index, sourceLocation).resume(throwing: error)
    }

    private func remove(
        at index: Int,
        _ location: SourceLocation
    ) throws -> CheckedContinuation<Value, any Error> {
        try #require(indices.contains(index), "no such call is suspended", sourceLocation: location)
        return continuations.remove(at: index)
    }
}

extension Held<Void> {
    /// Lets a suspended call return.
    func resume(at index: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try resume(returning: (), at: index, sourceLocation: sourceLocation)
    }
}

/// The error of an action without a connection.
struct Offline: Error, Hashable {}
