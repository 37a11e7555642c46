import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The exchanges that a session has in flight, and what the session reports about them.
final class SessionExchanges: NSObject, Sendable {
    typealias Finish = @Sendable (Result<NetworkResponse, any Error>) -> Void

    private struct Exchange: Sendable {
        let request: URLRequest
        let finish: Finish
        var response: URLResponse?
        var body = Data()
    }

    private struct State {
        var exchanges: [Int: Exchange] = [:]
        var timers: [Int: any DispatchSourceTimer] = [:]
    }

    private let maximumBodySize: Int
    private let state = Mutex(State())

    init(maximumBodySize: Int) {
        self.maximumBodySize = maximumBodySize
    }

    /// Watches a task from before it is resumed until it has finished.
    func begin(
        _ task: URLSessionTask,
        for request: URLRequest,
        deadline: Duration,
        finish: @escaping Finish
    ) {
        state.withLock { state in
            let timer = DispatchSource.makeTimerSource(queue: .global())
            timer.schedule(deadline: .now() + max(deadline, .zero) / .seconds(1))
            timer.setEventHandler { [weak self] in self?.end(task, throwing: .timedOut) }
            timer.activate()
            state.timers[task.taskIdentifier] = timer
            state.exchanges[task.taskIdentifier] = Exchange(
                request: request,
                finish: finish
            )
        }
    }

    /// Ends an exchange early; what the session still reports about it is passed over.
    private func end(_ task: URLSessionTask, throwing code: NetworkError.Code) {
        guard let exchange = remove(task) else { return }
        exchange.finish(.failure(NetworkError(code, request: exchange.request)))
        DispatchQueue.global().async { task.cancel() }
    }

    private func remove(_ task: URLSessionTask) -> Exchange? {
        state.withLock { state in
            state.timers.removeValue(forKey: task.taskIdentifier)?.cancel()
            return state.exchanges.removeValue(forKey: task.taskIdentifier)
        }
    }
}

extension SessionExchanges: URLSessionDataDelegate {
    /// Follows nothing: the transport looks at every redirect itself.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        state.withLock { $0.exchanges[dataTask.taskIdentifier]?.response = response }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let size = state.withLock { state in
            state.exchanges[dataTask.taskIdentifier]?.body.append(data)
            return state.exchanges[dataTask.taskIdentifier]?.body.count ?? 0
        }
        if size > maximumBodySize { end(dataTask, throwing: .tooLarge) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        guard let exchange = remove(task) else { return }
        let request = exchange.request
        exchange.finish(
            Result {
                if let error = error as? URLError {
                    let error = NetworkError(error, request: request)
                    guard exchange.response != nil, error.code == .connectionLost else {
                        throw error
                    }
                    throw NetworkError(.incomplete, request: request, underlying: error.underlying)
                }
                if let error { throw error }
                let response = exchange.response ?? task.response
                guard let response = NetworkResponse(response, body: exchange.body) else {
                    throw NetworkError(.connectionLost, request: request)
                }
                return response
            }
        )
    }
}

#if os(Linux)
extension SessionExchanges {
    /// Answers a challenge with the server's own refusal.
    ///
    /// Here the system waits forever for a credential that nobody has. On Apple platforms its own
    /// handling is right and is left in place.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if let refusal = challenge.failureResponse, let exchange = remove(task),
            let response = NetworkResponse(refusal, body: exchange.body)
        {
            exchange.finish(.success(response))
        }
        DispatchQueue.global().async { task.cancel() }
    }
}
#endif
