import Foundation
import Synchronization

/// A value that one caller at a time reads or changes.
///
/// It is a `Mutex` whose ``withLock(_:)`` is never inlined. The optimizer (Swift 6.3, Linux) would otherwise
/// use the thread on which an async function has locked a mutex before a suspension to unlock it
/// afterwards.
struct Locked<Value>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>

    /// Creates a value.
    init(_ value: sending Value) {
        mutex = Mutex(value)
    }

    /// Reads or changes the value.
    ///
    /// - Parameter body: Called with the value. It must not use the same value in another way.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    @inline(never) func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
}

#if THREAD_SANITIZER
/// Replaces the system's mutex in builds with the thread sanitizer only.
///
/// On Linux the sanitizer does not recognize the system's mutex and reports a data race for every
/// use of it. Releases do not contain this class. It is `@unchecked Sendable` because the compiler
/// cannot check that the value is accessed only while the lock is held.
private final class Mutex<Value>: @unchecked Sendable {
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
