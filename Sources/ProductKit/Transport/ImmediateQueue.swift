#if canImport(FoundationNetworking)
import Foundation

/// An operation queue that runs each block immediately on the calling thread.
///
/// Used on Linux only, and in its own file because it is the only `@unchecked Sendable` class of
/// the transport.
///
/// As the delegate queue of a session, it delivers the data of a body without a thread hop. An
/// ordinary queue would hold data that arrives faster than it is delivered, so a compressed body
/// could fill the memory before the transport can count its size.
///
/// `OperationQueue` is `@unchecked Sendable`, and the compiler requires the same from a subclass.
/// This subclass has no state of its own.
final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        block()
    }
}
#endif
