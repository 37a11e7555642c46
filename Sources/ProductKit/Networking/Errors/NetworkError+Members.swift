import Foundation

extension NetworkError {
    /// Creates the error for a response that is not a success, from members of a backend's own
    /// format.
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
    /// The body may be of any kind: a member that is missing or has another type is ignored. If no
    /// member is found, the body is read as problem details (RFC 9457).
    ///
    /// - Parameters:
    ///   - response: A response whose status code is not between 200 and 299.
    ///   - message: The paths of the message for users, such as `errors[0].message`. The first that
    ///     is found becomes the `detail` of ``problem``.
    ///   - code: The path of the backend's code, a string or an integer. The code becomes the
    ///     `type` of ``problem``.
    ///   - codes: The meanings of the backend's codes. For other codes the status code decides, as
    ///     in ``init(_:)``.
    public init(
        _ response: NetworkResponse,
        message: MemberPath...,
        code: MemberPath? = nil,
        codes: [String: Code] = [:]
    ) {
        self.init(
            response,
            code: code,
            codes: codes,
            message: { response in message.lazy.compactMap(response.text).first }
        )
    }

    /// Creates the error for a response that is not a success, with a message from a closure.
    ///
    /// Use it for messages that no path leads to, such as those under the name of each invalid
    /// member: `{"sku": ["Unknown."]}`.
    ///
    /// - Parameters:
    ///   - response: A response whose status code is not between 200 and 299.
    ///   - code: The path of the backend's code, a string or an integer. The code becomes the
    ///     `type` of ``problem``.
    ///   - codes: The meanings of the backend's codes. For other codes the status code decides, as
    ///     in ``init(_:)``.
    ///   - message: Returns the message for users, which becomes the `detail` of ``problem``, or `nil`
    ///     if the response has none.
    public init(
        _ response: NetworkResponse,
        code: MemberPath? = nil,
        codes: [String: Code] = [:],
        message: (NetworkResponse) -> String?
    ) {
        self.init(
            response,
            details: (code.flatMap(response.text), message(response)),
            codes: codes,
            default: NetworkError(response)
        )
    }

    fileprivate init(
        _ response: NetworkResponse,
        details: (code: String?, message: String?),
        codes: [String: Code],
        default error: NetworkError
    ) {
        if details == (nil, nil) {
            self = error
        } else {
            let code = details.code.flatMap { codes[$0] } ?? error.code
            let problem = ProblemDetails(
                code: details.code,
                message: details.message,
                status: response.statusCode
            )
            self.init(code, response: response, problem: problem)
        }
    }
}

extension NetworkRequest {
    /// Returns a request for a backend that reports failures in responses with a success status, as
    /// GraphQL does.
    ///
    /// ```swift
    /// let request = NetworkRequest<Product>.get("products", id)
    ///     .inside("data.product")
    ///     .failing(at: "errors", code: "extensions.code", codes: ["BUSY": .throttled])
    /// ```
    ///
    /// A failure is thrown as a ``NetworkError`` with the status code of the response, and its
    /// message and code are in ``NetworkError/problem``. You can call this method before or after
    /// ``inside(_:)``. You can call it several times; the first failure that is found is thrown.
    ///
    /// - Parameters:
    ///   - failures: The path of the failures: an array, of which the first element is used, or one
    ///     object. If it is missing, `null`, `false`, 0 or empty, the response is a success.
    ///   - member: The path of a member that the object, or the first element, has only if it is a
    ///     failure.
    ///     Use it where a result and a failure have one path, such as the union that a GraphQL
    ///     mutation returns: `having: "errorCode"`.
    ///   - message: The path of the message for users inside of a failure. A failure that is a
    ///     string is its own message.
    ///   - code: The path of the backend's code inside of a failure, a string or an integer. If the
    ///     failure is the code itself, pass an empty path, `[]`.
    ///   - codes: The meanings of the backend's codes. Other codes mean
    ///     ``NetworkError/Code-swift.struct/rejected``.
    /// - Returns: A request that throws if the response contains a failure.
    public func failing(
        at failures: MemberPath,
        having member: MemberPath = [],
        message: MemberPath = "message",
        code: MemberPath? = nil,
        codes: [String: NetworkError.Code] = [:]
    ) -> NetworkRequest {
        let earlierCheck = failureCheck
        var request = self
        request.failureCheck = FailureCheck { response in
            try earlierCheck?.check(response)
            let candidates = [failures.appending("[0]"), failures]
            let isFailure = (member == [] ? [failures] : candidates).contains { path in
                let presence = try? response.json(FailurePresence?.self, at: path.appending(member))
                return presence?.isFailure == true
            }
            guard isFailure else { return }
            func text(at member: MemberPath) -> String? {
                candidates.lazy.compactMap { response.text(at: $0.appending(member)) }.first
            }
            throw NetworkError(
                response,
                details: (code.flatMap(text), text(at: message) ?? text(at: [])),
                codes: codes,
                default: NetworkError(.rejected, response: response)
            )
        }
        return request
    }
}

/// How a request detects a failure in a response whose status code is a success, see
/// ``NetworkRequest/failing(at:having:message:code:codes:)``.
///
/// A cache uses it too, so that such a response neither is stored nor replaces a stored one.
struct FailureCheck: Sendable {
    /// The check of the current task's request; `nil` if it has none.
    @TaskLocal static var current: FailureCheck?

    /// Throws the failure that a response reports.
    let check: @Sendable (NetworkResponse) throws -> Void

    /// Runs a closure that sends a request with a check; `nil` for a request that has none.
    static func with<Value: Sendable>(
        _ check: FailureCheck?,
        _ body: () async throws -> Value
    ) async throws -> Value {
        // Nothing to set is the usual case.
        guard check != nil || current != nil else { return try await body() }
        return try await $current.withValue(check, operation: body)
    }

    /// Returns the same check for responses that have not passed the client yet, with its decoder.
    func decoding(with makeDecoder: (@Sendable () -> JSONDecoder)?) -> FailureCheck {
        FailureCheck { response in
            var response = response
            response.context.makeDecoder = makeDecoder
            try check(response)
        }
    }

    /// Returns whether a response reports a failure.
    func fails(_ response: NetworkResponse) -> Bool {
        do {
            try check(response)
            return false
        } catch {
            return true
        }
    }
}

extension NetworkResponse {
    /// The string or integer at a path of the body, as text; `nil` for anything else.
    func text(at path: MemberPath) -> String? {
        (try? json(Identifier<NetworkError>.self, at: path))?.rawValue
    }
}

/// Whether a JSON value reports a failure: anything but `null`, `false`, 0 and empty values.
private struct FailurePresence: Decodable {
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
