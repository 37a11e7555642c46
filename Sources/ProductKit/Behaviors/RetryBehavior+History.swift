import Foundation

extension Result<NetworkResponse, any Error> {
    func attempt(delay: Duration? = nil) -> NetworkAttempt {
        switch self {
        case .success(let response):
            NetworkAttempt(statusCode: response.statusCode, delay: delay)
        case .failure(let error):
            NetworkAttempt(failure: (error as? NetworkError)?.code, delay: delay)
        }
    }

    /// The outcome, with all attempts when there were several.
    func telling(_ history: [NetworkAttempt]) throws -> NetworkResponse {
        guard !history.isEmpty else { return try get() }
        let attempts = history + [attempt()]
        switch self {
        case .success(var response):
            response.attempts = attempts
            return response
        case .failure(var error as NetworkError):
            error.attempts = attempts
            throw error
        case .failure(let error):
            throw error
        }
    }
}

extension NetworkError {
    init(
        tellingToWait delay: Duration,
        left: Duration,
        _ response: NetworkResponse,
        _ history: [NetworkAttempt]
    ) {
        func seconds(_ duration: Duration) -> String {
            (duration / .seconds(1)).formatted(.number.precision(.fractionLength(1)))
        }
        self.init(
            NetworkError(response).code,
            response: response,
            reason: "The server asks to wait for \(seconds(delay)) s, and only \(seconds(left)) s "
                + "are left; try again later."
        )
        attempts = history + [NetworkAttempt(statusCode: response.statusCode)]
    }
}
