extension NetworkError {
    /// Creates the error for an answer that could not be read; it names the member.
    init(_ error: DecodingError, in response: NetworkResponse) {
        let member = error.member()
        self.init(
            .unreadable,
            response: response,
            underlying: error,
            reason: member.isEmpty
                ? "The answer is not as expected: \(error.reason) \(Code.unreadable.advice)"
                : "The answer’s member “\(member)” is not as expected: \(error.reason) "
                    + "Correct the server or the type that is read."
        )
    }
}
