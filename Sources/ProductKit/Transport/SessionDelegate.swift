import Foundation

#if canImport(Security)
import Security
#endif

/// The delegate of a session: passes the events of each task to the exchange of the task.
final class SessionDelegate: NSObject, Sendable {
    typealias TrustCheck = @Sendable (ServerIdentity) -> Bool

    /// Returns whether to connect to a server that the system trusts; `nil` connects to all of them.
    private let isTrusted: TrustCheck?
    /// Called when the session has been invalidated and its last task has ended.
    private let sessionEnded: @Sendable () -> Void
    private let exchanges = Locked<[ObjectIdentifier: SessionExchange]>([:])

    init(isTrusted: TrustCheck?, sessionEnded: @escaping @Sendable () -> Void = {}) {
        self.isTrusted = isTrusted
        self.sessionEnded = sessionEnded
    }

    /// Sends the request of an exchange in a new task of a session.
    func start(_ exchange: SessionExchange, on session: URLSession) {
        var request = exchange.request
        // The timeout of `URLSession` has whole seconds only and restarts with all data received.
        // `Deadlines` bounds the time instead.
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
    /// Follows no redirect: `Redirection` does that after it has received the response.
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

    /// Notices that the request was sent; this is called before the end of the task.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        if metrics.transactionMetrics.contains(where: { $0.requestStartDate != nil }) {
            exchange(of: task)?.noticeSending()
        }
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
    /// Handles a challenge as the system does, and calls `isTrusted` for servers that it trusts.
    ///
    /// On Linux, Foundation provides no certificates, and waits forever for a credential after a
    /// 401. There the response with the challenge becomes the response of the exchange.
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
            exchange(of: task)?.refuse()
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
        #else
        guard let exchange = exchange(of: task) else { return }
        if let response = challenge.failureResponse {
            exchange.complete(with: response)
        } else {
            exchange.fail(.unauthorized)
        }
        #endif
    }
}
