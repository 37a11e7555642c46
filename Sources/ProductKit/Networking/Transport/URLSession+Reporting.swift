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
    /// Creates a session that keeps nothing but open connections, and hands its reports over at once.
    convenience init(reportingTo delegate: SessionDelegate) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        #if canImport(FoundationNetworking)
        let queue: OperationQueue? = ImmediateQueue()
        #else
        let queue: OperationQueue? = nil
        #endif
        self.init(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }
}
