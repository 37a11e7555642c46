#if THREAD_SANITIZER
import ProductKit

/// Replaces `Synchronization.Mutex` in the tests, as in the library.
typealias Mutex = ThreadSanitizerMutex
#endif
