#if canImport(FoundationNetworking)
import Foundation

/// Hands each report of a session over on the thread that makes it.
///
/// The system's own queue keeps every piece of a body until a thread comes by. A body that unpacks
/// faster than that fills the memory meanwhile, whatever its limit, and each piece costs a change
/// of threads.
///
/// `@unchecked` restates what `OperationQueue` says of itself, as the compiler demands of every
/// subclass; this one adds nothing that could be shared.
final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        block()
    }
}
#endif
