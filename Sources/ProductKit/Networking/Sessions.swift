import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension DispatchQueue {
    /// Where every call into a session of ours is made.
    ///
    /// On Linux such a call waits for whatever any session of the process is doing, which a server can
    /// make long, and deadlocks where it is made inside a session's own callback. Here one thread
    /// waits, and nobody else.
    static let sessions = DispatchQueue(label: "ProductKit.URLSession")
}

extension URLSession {
    /// Creates a session that hands its reports over at once.
    convenience init(_ configuration: URLSessionConfiguration, _ delegate: SessionDelegate) {
        #if canImport(FoundationNetworking)
        self.init(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: ImmediateQueue()
        )
        #else
        self.init(configuration: configuration, delegate: delegate, delegateQueue: nil)
        #endif
    }
}
