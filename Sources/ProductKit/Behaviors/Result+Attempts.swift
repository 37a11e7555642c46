import Foundation

extension Result<NetworkResponse, any Error> {
    /// Whether it shows that the host is well.
    var isSuccess: Bool {
        guard case .success(let response) = self else { return false }
        return (200..<400).contains(response.statusCode)
    }

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

    /// The outcome when no time is left, and how that compares to what the server asked for.
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
            reason: "The server asks to wait for \(asked.inSeconds) s, and only "
                + "\(max(left, .zero).inSeconds) s are left; try again later."
        )
    }
}

extension Duration {
    fileprivate var inSeconds: String {
        (self / .seconds(1)).formatted(
            .number.precision(.fractionLength(1)).grouping(.never)
                .locale(Locale(identifier: "en_US_POSIX"))
        )
    }
}
