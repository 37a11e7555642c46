import Foundation

/// How an attempt ended, and what is told of the attempts before it.
extension Result<NetworkResponse, any Error> {
    /// Whether it shows that the host is well.
    var isSuccess: Bool {
        guard case .success(let response) = self else { return false }
        return (200..<400).contains(response.statusCode)
    }

    /// The attempt as it is told, with the delay that followed it.
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

    /// The outcome, with all attempts, when too little time is left for another one.
    ///
    /// - Throws: An error that says so when it is the server that asked for the wait.
    func telling(
        _ history: [NetworkAttempt],
        toWait asked: Duration?,
        left: Duration
    ) throws -> NetworkResponse {
        let response = try telling(history)
        guard let asked, asked >= left else { return response }
        throw NetworkError(
            NetworkError(response).code,
            response: response,
            reason: "The server asks to wait for \(asked.text(in: .seconds(1))) s, and only "
                + "\(max(left, .zero).text(in: .seconds(1))) s are left; try again later."
        )
    }
}
