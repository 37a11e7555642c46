#if canImport(FoundationNetworking)
import Foundation

/// Hands each report of a session over on the thread that makes it.
///
/// The system's own queue keeps every piece of a body until a thread comes by. A body that unpacks
/// faster than that fills the memory meanwhile, whatever its limit, and each piece costs a thread's
/// way. The queue keeps nothing; the compiler wants the conformance it inherits restated.
final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        block()
    }
}
#endif
