import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request on its way through a session: what came of it so far, and how it ends.
///
/// It ends once, by whatever comes first: the answer, an error, its deadline, a body that is too
/// large, or its caller. What the session reports later is passed over.
final class SessionExchange: Sendable {
    typealias Finish = @Sendable (Result<NetworkResponse, any Error>) -> Void

    private struct State {
        var finish: Finish?
        var task: URLSessionTask?
        var response: URLResponse?
        var body = Data()
        var isOver = false
    }

    let request: URLRequest
    let deadline: DispatchTime
    private let maximumBodySize: Int
    private let state = Mutex(State())

    init(_ request: URLRequest, deadline: DispatchTime, maximumBodySize: Int) {
        self.request = request
        self.deadline = deadline
        self.maximumBodySize = maximumBodySize
    }

    /// Says what is done at the end; to be called before the request is sent.
    func whenOver(_ finish: @escaping Finish) {
        state.withLock { $0.finish = finish }
    }

    /// Whether nobody waits for it any more.
    var isOver: Bool {
        state.withLock(\.isOver)
    }

    /// Notes the task that carries the request, to be cancelled with it, once that has been resumed.
    ///
    /// Cancelling a task that was not resumed yet would leave it waiting forever on Linux.
    func attach(_ task: URLSessionTask) {
        let isOver = state.withLock { state in
            if !state.isOver { state.task = task }
            return state.isOver
        }
        if isOver { Self.cancel(task) }
    }

    /// Ends it for the caller, who has been told already.
    func cancel() {
        end(cancelsTask: true) { _ in nil }
    }

    /// Ends it with an error.
    func fail(_ code: NetworkError.Code) {
        end(cancelsTask: true) { [request] _ in
            .failure(NetworkError(code, request: request))
        }
    }

    /// Takes the head of the answer, which is refused when it announces too much.
    func receive(_ response: URLResponse) {
        state.withLock { state in
            if !state.isOver { state.response = response }
        }
        if let response = response as? HTTPURLResponse, response.statusCode == 200,
            request.httpMethod != "HEAD", response.expectedContentLength > Int64(maximumBodySize)
        {
            fail(.tooLarge)
        }
    }

    /// Takes the next piece of the body, which is refused when it is one too many.
    func receive(_ piece: Data) {
        let size = state.withLock { state in
            guard !state.isOver else { return 0 }
            if state.body.isEmpty { state.body = piece } else { state.body.append(piece) }
            return state.body.count
        }
        if size > maximumBodySize { fail(.tooLarge) }
    }

    /// Ends it with an answer whose body the session holds back.
    func complete(with response: URLResponse) {
        end(cancelsTask: true) { [request] end in
            Result { try NetworkResponse(response, body: end.body, to: request) }
        }
    }

    /// Ends it with what came, when the session says that nothing more will come.
    func complete(with response: URLResponse?, error: (any Error)?) {
        end(cancelsTask: false) { [request] end in
            let response = end.response ?? response
            return Result {
                guard let error else {
                    return try NetworkResponse(response, body: end.body, to: request)
                }
                throw NetworkError(system: error, request: request, response: response)
            }
        }
    }

    /// Ends it, unless it is over, with what an outcome makes of what came so far.
    private func end(
        cancelsTask: Bool,
        _ outcome: (State) -> Result<NetworkResponse, any Error>?
    ) {
        let end = state.withLock { state in
            defer {
                state = State()
                state.isOver = true
            }
            return state
        }
        if let finish = end.finish, let result = outcome(end) { finish(result) }
        if cancelsTask, let task = end.task { Self.cancel(task) }
    }

    private static func cancel(_ task: URLSessionTask) {
        DispatchQueue.sessions.async { task.cancel() }
    }
}
