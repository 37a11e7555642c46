import Dispatch
import Foundation

/// One request in a session and the part of its response that has been received so far.
///
/// An exchange ends once, with the first of these: the complete response, an error, its deadline, a
/// body that is too large, or a cancellation. Later events of the session are ignored.
final class SessionExchange: TimedExchange {
    typealias Completion = @Sendable (Result<NetworkResponse, any Error>) -> Void

    private struct State {
        /// Receives the result; `nil` after the end.
        var completion: Completion?
        var task: URLSessionTask?
        var response: URLResponse?
        var body = Data()
        /// Whether the session has begun to send the request at least once.
        var wasSent = false
        /// Whether the server is not trusted; the session then ends the task with a cancellation.
        var isRefused = false

        var hasEnded: Bool { completion == nil }
    }

    let request: URLRequest
    let deadline: DispatchTime
    private let maximumBodySize: Int
    private let state = Locked(State())

    init(_ request: URLRequest, deadline: DispatchTime, maximumBodySize: Int) {
        self.request = request
        self.deadline = deadline
        self.maximumBodySize = maximumBodySize
    }

    /// Sets the closure that receives the result.
    ///
    /// Call this method before the request is sent.
    func onCompletion(_ completion: @escaping Completion) {
        state.withLock { $0.completion = completion }
    }

    var hasEnded: Bool {
        state.withLock(\.hasEnded)
    }

    /// Sets the task to cancel when the exchange ends early.
    ///
    /// If the exchange has ended already, the task is cancelled immediately. The task must have
    /// been resumed. On Linux, a task that is cancelled before that never ends.
    func attach(_ task: URLSessionTask) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.task = task }
            return state.hasEnded
        }
        if hasEnded { Self.cancel(task) }
    }

    /// Ends the exchange without a result, because its caller has been cancelled.
    func cancel() {
        end(cancelsTask: true) { _ in nil }
    }

    func fail(_ code: NetworkError.Code) {
        end(cancelsTask: true) { [request] state in
            let head = NetworkResponse(headOf: state.response)
            return .failure(NetworkError(code, request: FailedRequest(request), head: head))
        }
    }

    /// Stores the status code and header fields.
    ///
    /// The exchange fails if a response with status code 200 announces a body that is too large.
    func receive(_ response: URLResponse) {
        state.withLock { state in
            if !state.hasEnded { state.response = response }
        }
        if let response = response as? HTTPURLResponse, response.statusCode == 200,
            request.httpMethod != "HEAD", response.expectedContentLength > Int64(maximumBodySize)
        {
            fail(.tooLarge)
        }
    }

    /// Notices that the server of the connection is not trusted.
    func refuse() {
        state.withLock { $0.isRefused = true }
    }

    /// Notices that the session has begun to send the request.
    func noticeSending() {
        state.withLock { $0.wasSent = true }
    }

    /// Appends data to the body, and fails if the body has become too large.
    func receive(_ data: Data) {
        let size = state.withLock { state in
            guard !state.hasEnded else { return 0 }
            if state.body.isEmpty { state.body = data } else { state.body.append(data) }
            return state.body.count
        }
        if size > maximumBodySize { fail(.tooLarge) }
    }

    /// Ends the exchange with a response whose body the session does not deliver.
    func complete(with response: URLResponse) {
        end(cancelsTask: true) { [request] state in
            Result { try NetworkResponse(response, body: state.body, to: request) }
        }
    }

    /// Ends the exchange when the session has completed its task.
    func complete(with response: URLResponse?, error: (any Error)?) {
        end(cancelsTask: false) { [request] state in
            let response = state.response ?? response
            return Result {
                guard let error else {
                    return try NetworkResponse(response, body: state.body, to: request)
                }
                throw NetworkError(
                    system: state.isRefused ? URLError(.serverCertificateUntrusted) : error,
                    request: request,
                    response: response,
                    wasSent: state.wasSent
                )
            }
        }
    }

    /// Ends the exchange, unless it has ended already; without a result if the closure returns `nil`.
    private func end(
        cancelsTask: Bool,
        _ makeResult: (State) -> Result<NetworkResponse, any Error>?
    ) {
        let last = state.withLock { state in
            defer { state = State() }
            return state
        }
        if let completion = last.completion, let result = makeResult(last) { completion(result) }
        if cancelsTask, let task = last.task { Self.cancel(task) }
    }

    private static func cancel(_ task: URLSessionTask) {
        DispatchQueue.sessions.async { task.cancel() }
    }
}
