import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if canImport(Security)
import Security
#endif

/// Tells each exchange what its session reports about its task.
final class SessionDelegate: NSObject, Sendable {
    typealias Trust = @Sendable (ServerIdentity) -> Bool

    private let isTrusted: Trust?
    private let sessionEnded: @Sendable () -> Void
    private let exchanges = Mutex<[ObjectIdentifier: SessionExchange]>([:])

    /// Creates a delegate.
    ///
    /// - Parameters:
    ///   - isTrusted: Whether to go on with a server that the system trusts.
    ///   - sessionEnded: What is done when a session has been invalidated and its last task is over.
    init(isTrusted: Trust?, sessionEnded: @escaping @Sendable () -> Void = {}) {
        self.isTrusted = isTrusted
        self.sessionEnded = sessionEnded
    }

    /// Sends an exchange's request.
    func start(_ exchange: SessionExchange, on session: URLSession) {
        var request = exchange.request
        // The system's own timer knows whole seconds only and starts anew with every piece.
        request.timeoutInterval = 1e6
        let task = session.dataTask(with: request)
        exchanges.withLock { $0[ObjectIdentifier(task)] = exchange }
        task.resume()
        exchange.attach(task)
    }

    private func exchange(of task: URLSessionTask) -> SessionExchange? {
        exchanges.withLock { $0[ObjectIdentifier(task)] }
    }
}

extension SessionDelegate: URLSessionDataDelegate {
    /// Follows nothing: the transport looks at every redirect itself.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        exchange(of: task)?.receive(response)
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }
        exchange?.complete(with: task.response, error: error)
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        sessionEnded()
    }
}

extension SessionDelegate {
    /// Answers a challenge as the system does, and asks about servers that the system trusts.
    ///
    /// On Linux the answer is the server's own refusal: the system there waits forever for a
    /// credential that nobody has, and shows no certificates.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Security)
        let space = challenge.protectionSpace
        guard let isTrusted, space.authenticationMethod == NSURLAuthenticationMethodServerTrust
        else { return completionHandler(.performDefaultHandling, nil) }
        if let trust = space.serverTrust, SecTrustEvaluateWithError(trust, nil),
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate],
            isTrusted(
                ServerIdentity(
                    host: space.host,
                    certificates: chain.map { SecCertificateCopyData($0) as Data }
                )
            )
        {
            completionHandler(.useCredential, URLCredential(trust: trust))
        } else {
            exchange(of: task)?.fail(.untrusted)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
        #else
        guard let exchange = exchange(of: task) else { return }
        if let refusal = challenge.failureResponse {
            exchange.complete(with: refusal)
        } else {
            exchange.fail(.unauthorized)
        }
        #endif
    }
}
