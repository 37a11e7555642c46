import ArgumentParser
import Dispatch
import Foundation

/// Runs a closure in a task that Control-C cancels.
///
/// A second Control-C ends the program immediately.
///
/// - Parameter body: The closure. It must end soon after its task was cancelled.
/// - Returns: The value that the closure returns.
/// - Throws: The error of the closure.
func cancelledByControlC<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    // The source receives the signal, which would otherwise end the program.
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT)
    let (registration, continuation) = AsyncStream.makeStream(of: Never.self)
    source.setRegistrationHandler { continuation.finish() }
    let task = Task {
        // A signal that arrives earlier is lost.
        for await _ in registration {}
        return try await body()
    }
    source.setEventHandler {
        signal(SIGINT, SIG_DFL)
        task.cancel()
    }
    source.resume()
    defer {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
    return try await task.value
}

extension ExitCode {
    /// The exit code of a program that was ended by Control-C, as in a shell.
    static let interrupted = ExitCode(128 + SIGINT)
}
