import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Error {
    /// Whether it says, in our words or the system's, that the calling task was cancelled.
    var isCancellation: Bool {
        self is CancellationError || (self as? URLError)?.code == .cancelled && Task.isCancelled
    }
}
