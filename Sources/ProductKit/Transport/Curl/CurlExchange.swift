#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
import Dispatch
import Foundation

/// One request over libcurl, as its caller sees it.
///
/// An exchange ends once, with the first of these: its result, its deadline or a cancellation.
final class CurlExchange: TimedExchange {
    typealias Completion = @Sendable (Result<NetworkResponse, any Error>) -> Void

    let request: URLRequest
    let deadline: DispatchTime
    /// The scheme, host and port of the request, in lowercase.
    let origin: String
    private let eventLoop: CurlEventLoop
    private let completion = Locked<Completion?>(nil)

    init(_ request: URLRequest, deadline: DispatchTime, on eventLoop: CurlEventLoop) {
        self.request = request
        self.deadline = deadline
        let url = request.url
        origin = "\(url?.scheme ?? "")://\(url?.host ?? ""):\(url?.port ?? 0)".lowercased()
        self.eventLoop = eventLoop
    }

    /// Sends the request.
    ///
    /// - Parameter completion: Receives the result, unless the exchange is cancelled.
    func start(_ completion: @escaping Completion) {
        self.completion.withLock { $0 = completion }
        eventLoop.send(.start(self))
    }

    var hasEnded: Bool {
        completion.withLock { $0 == nil }
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
