#if THREAD_SANITIZER
import Foundation

/// Replaces `Synchronization.Mutex` in builds with the thread sanitizer only, which is why it has
/// its own file.
///
/// On Linux the sanitizer does not recognize the system's mutex and reports a data race for every
/// use of it. Releases do not contain this class. It is `@unchecked Sendable` because the compiler
/// cannot check that the value is accessed only while the lock is held.
final class Mutex<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
    }

    func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
#endif
