import Foundation
import Synchronization

/// A value that one caller at a time reads or changes.
///
/// It is a `Mutex` whose ``withLock(_:)`` is never inlined: in an async function, the optimizer (Swift 6.3, Linux,
/// release mode) could unlock as the thread that ran before an `await`.
struct Locked<Value>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>

    init(_ value: sending Value) {
        mutex = Mutex(value)
    }

    /// Reads or changes the value in a closure, which must not use the same value in another way.
    @inline(never) func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
}

#if THREAD_SANITIZER
private typealias Mutex = ThreadSanitizerMutex

/// Replaces the system's mutex in builds with the thread sanitizer only, also in the tests.
///
/// On Linux the sanitizer does not recognize the system's mutex and reports a data race for every use of it. It is
/// `@unchecked Sendable` because the compiler cannot check that the value is accessed only while the lock is held.
package final class ThreadSanitizerMutex<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
#endif
