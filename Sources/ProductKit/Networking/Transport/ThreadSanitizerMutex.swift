#if THREAD_SANITIZER
import Foundation

/// Stands in for `Synchronization.Mutex` when the thread sanitizer watches.
///
/// On Linux the sanitizer does not see the system's mutex and reports a race for every use of it.
/// No release of the library holds it. `@unchecked`, because the compiler cannot see that the value
/// is touched only while the lock is held.
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
