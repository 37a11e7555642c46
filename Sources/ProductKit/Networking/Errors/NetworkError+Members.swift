extension NetworkError {
    /// Creates the error for an answer that is no success, from what the backend told in members of
    /// its own.
    ///
    /// ```swift
    /// let client = NetworkClient(
    ///     baseURL: api,
    ///     networking: networking,
    ///     failure: { response in
    ///         NetworkError(
    ///             response,
    ///             message: "error.text",
    ///             code: "error.id",
    ///             codes: ["stale": .conflict]
    ///         )
    ///     }
    /// )
    /// ```
    ///
    /// Whatever the body holds, there is an error with the status: members that are missing or no
    /// texts count as not told, and a body without any is read as problem details (RFC 9457).
    ///
    /// - Parameters:
    ///   - response: An answer whose status is not between 200 and 299.
    ///   - message: Where the sentence for people stands, such as `errors[0].message`. It becomes
    ///     the ``problem``'s `detail`.
    ///   - code: Where the backend's own code stands, a text or a whole number. It becomes the
    ///     ``problem``'s `type`.
    ///   - codes: What codes of the backend mean; others mean what the status means.
    public init(
        _ response: NetworkResponse,
        message: MemberPath,
        code: MemberPath? = nil,
        codes: [String: Code] = [:]
    ) {
        self.init(
            response,
            told: (code.flatMap(response.told), response.told(at: message)),
            codes: codes,
            otherwise: Code(statusCode: response.statusCode)
        )
    }

    fileprivate init(
        _ response: NetworkResponse,
        told: (code: String?, message: String?),
        codes: [String: Code],
        otherwise: Code
    ) {
        let code = told.code.flatMap { codes[$0] } ?? otherwise
        if told == (nil, nil) {
            self.init(code, response: response)
        } else {
            let problem = ProblemDetails(
                code: told.code,
                message: told.message,
                status: response.statusCode
            )
            self.init(code, response: response, problem: problem)
        }
    }
}

extension NetworkRequest {
    /// The same request, for a backend that tells of failures in answers that look like successes,
    /// as GraphQL does.
    ///
    /// ```swift
    /// let request = NetworkRequest<Product>.get("products", id)
    ///     .inside("data.product")
    ///     .failing(at: "errors", code: "extensions.code", codes: ["BUSY": .throttled])
    /// ```
    ///
    /// The failure is thrown as a ``NetworkError`` whose status is that of the answer; the words are its
    /// ``NetworkError/problem``. Whether it stands before or after ``inside(_:)`` makes no difference.
    /// Several of these may be given to one request; the first that finds something counts.
    ///
    /// - Parameters:
    ///   - failures: Where failures stand: an array, of which the first is told, or one object. When
    ///     nothing is there, or it is `null`, `false`, 0 or empty, the answer is read as ever.
    ///   - message: Where in a failure the sentence for people stands. A failure that is a text
    ///     tells itself.
    ///   - code: Where in a failure the backend's own code stands, a text or a whole number.
    ///   - codes: What codes of the backend mean; others mean
    ///     ``NetworkError/Code-swift.struct/rejected``.
    /// - Returns: A request that fails when the answer tells so.
    public func failing(
        at failures: MemberPath,
        message: MemberPath = "message",
        code: MemberPath? = nil,
        codes: [String: NetworkError.Code] = [:]
    ) -> NetworkRequest {
        let earlier = check
        var request = self
        request.check = { response in
            try earlier(response)
            guard (try? response.json(Told?.self, at: failures))?.isFailure == true else { return }
            let places = [failures.appending("[0]"), failures]
            func told(at member: MemberPath) -> String? {
                places.lazy.compactMap { response.told(at: $0.appending(member)) }.first
            }
            throw NetworkError(
                response,
                told: (code.flatMap(told), told(at: message) ?? told(at: [])),
                codes: codes,
                otherwise: .rejected
            )
        }
        return request
    }
}

extension NetworkResponse {
    /// The text or whole number at a place in the body; `nil` when there is no such thing.
    fileprivate func told(at path: MemberPath) -> String? {
        (try? json(Identifier<NetworkError>.self, at: path))?.rawValue
    }
}

/// Whether something is told at all.
private struct Told: Decodable {
    let isFailure: Bool

    init(from decoder: any Decoder) throws {
        if let array = try? decoder.unkeyedContainer() {
            isFailure = !array.isAtEnd
        } else if let object = try? decoder.container(keyedBy: MemberName.self) {
            isFailure = !object.allKeys.isEmpty
        } else {
            let value = try decoder.singleValueContainer()
            if let flag = try? value.decode(Bool.self) {
                isFailure = flag
            } else if let number = try? value.decode(Double.self) {
                isFailure = number != 0
            } else {
                isFailure = (try? value.decode(String.self))?.isEmpty != true
            }
        }
    }
}
