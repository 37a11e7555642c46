extension NetworkRequest {
    /// Returns the same request with an error of your own in place of a ``NetworkError`` with a code.
    ///
    /// ```swift
    /// let product = NetworkRequest<Product>.get("goods", sku)
    ///     .throwing(ProductError.notFound(sku), for: .notFound)
    /// ```
    ///
    /// It replaces every ``NetworkError`` with this code that `send` would throw, also one that the
    /// `failure` of the client creates. You can call it before or after the other methods, and once
    /// for each code. If your error is a ``RequestOutcomeError`` that says that nothing reached the
    /// server, but an earlier attempt may have, it becomes the cause of a ``NetworkError``.
    public func throwing(_ error: any Error, for code: NetworkError.Code) -> NetworkRequest {
        changing { $0.replacements.append((code, error)) }
    }

    /// Returns the same request with an output in place of a failure with a code of the backend.
    ///
    /// Some backends report a failure for a state that is a success here, such as a product that is in the
    /// list already, or a list that does not exist before its first product:
    ///
    /// ```swift
    /// let addition = NetworkRequest<Void>.post("wishlist", "items", id)
    ///     .returning((), forProblem: "ALREADY_ADDED")
    /// ```
    ///
    /// It applies to each failure whose ``ProblemDetails/type`` is the code. The `failure` of the client and
    /// `failing(…)` read the code. Behaviors receive the response before: retries use its status alone, and
    /// a cache serves a stored response in place of one with 500, 502, 503 or 504. A 404 or 410 is stored like a
    /// success, so the output is found offline. So call this method for each request of the URL.
    ///
    /// Call this method after ``inside(_:)`` and ``page(_:following:)``: they replace the decoding, and all failures
    /// are thrown again. Call it once for each code. The closure of a later ``map(_:)`` receives the output.
    public func returning(_ output: Output, forProblem type: String) -> NetworkRequest {
        var request = changing { $0.expectedProblems.append(type) }
        request.decode = { [decode] response in
            response.expectedProblem?.type == type ? output : try decode(response)
        }
        return request
    }

    /// Returns the failure of the backend in an error; throws the error if the request has no output for it.
    func expectedProblem(in error: any Error) throws -> ProblemDetails {
        guard let problem = error.problem(in: parts.expectedProblems) else { throw error }
        return problem
    }

    /// Returns the same request with an output that is not optional.
    ///
    /// ```swift
    /// let product = NetworkRequest<Product?>.post("graphql").json(document)
    ///     .inside("data.product")
    ///     .unwrapped()
    ///     .throwing(ProductError.notFound(id), for: .notFound)
    /// ```
    ///
    /// An output that is `nil` is an error with code ``NetworkError/Code-swift.struct/notFound``. Call this method
    /// after ``inside(_:)``, which replaces the decoding. If the output is that of ``returning(_:forProblem:)``, the
    /// error has the message of the server.
    public func unwrapped<Value>() -> NetworkRequest<Value> where Output == Value? {
        map { value, response in
            guard let value else {
                throw NetworkError(
                    .notFound,
                    request: nil,
                    response: response,
                    problem: response.expectedProblem,
                    underlying: MissingOutput(isRefusal: response.expectedProblem != nil)
                )
            }
            return value
        }
    }

    func replacement(for error: any Error) -> any Error {
        parts.replacements.reduce(error) { error, replacement in
            guard let error = error as? NetworkError, error.code == replacement.code else {
                return error
            }
            return replacement.error.adding(error.attempts)
        }
    }
}

extension Error {
    /// Returns the failure of the backend if its code is one of several.
    func problem(in types: [String]) -> ProblemDetails? {
        let problem = (self as? NetworkError)?.problem
        return problem.flatMap { types.contains($0.type) ? $0 : nil }
    }
}

/// The cause of an error about an output that is `nil`.
struct MissingOutput: Error {
    /// Whether the output is in place of a failure: the server has refused the request.
    let isRefusal: Bool
}

extension NetworkError {
    /// Whether the output of a successful response is `nil`.
    var isOfMissingOutput: Bool { (underlying as? MissingOutput)?.isRefusal == false }

    /// Whether the server has refused a write in place of whose failure the output is `nil`.
    var isOfRefusedWrite: Bool { !isOfRead && (underlying as? MissingOutput)?.isRefusal == true }
}
