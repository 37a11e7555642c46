#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

/// One request over libcurl, as its caller sees it.
///
/// An exchange ends once, with the first of these: its result, its deadline or a cancellation.
final class CurlExchange: TimedExchange {
    typealias Completion = @Sendable (Result<NetworkResponse, any Error>) -> Void

    let request: URLRequest
    let deadline: DispatchTime
    private let eventLoop: CurlEventLoop
    private let completion = Mutex<Completion?>(nil)

    init(_ request: URLRequest, deadline: DispatchTime, on eventLoop: CurlEventLoop) {
        self.request = request
        self.deadline = deadline
        self.eventLoop = eventLoop
    }

    /// Whether the exchange has a result, or has been cancelled.
    var hasEnded: Bool { completion.withLock { $0 == nil } }

    /// Sets the closure that receives the result, unless the exchange is cancelled.
    func onCompletion(_ completion: @escaping Completion) {
        self.completion.withLock { $0 = completion }
    }

    /// Sends the request.
    func start() {
        eventLoop.send(.start(self))
    }

    /// Ends the exchange with the result of its transfer.
    func complete(with result: Result<NetworkResponse, any Error>) {
        takeCompletion()?(result)
    }

    func fail(_ code: NetworkError.Code) {
        guard let completion = takeCompletion() else { return }
        completion(.failure(NetworkError(code, request: request)))
        eventLoop.send(.stop(self))
    }

    /// Ends the exchange without a result, because its caller has been cancelled.
    func cancel() {
        guard takeCompletion() != nil else { return }
        eventLoop.send(.stop(self))
    }

    private func takeCompletion() -> Completion? {
        completion.withLock { completion in
            defer { completion = nil }
            return completion
        }
    }
}
#endif
