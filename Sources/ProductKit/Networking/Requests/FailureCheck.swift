import Foundation

extension NetworkRequest {
    /// Returns a request for a backend that reports failures in responses with a success status, as GraphQL does.
    ///
    /// ```swift
    /// let request = NetworkRequest<Product>.get("products", id)
    ///     .inside("data.product")
    ///     .failing(at: "errors", code: "extensions.code", codes: ["BUSY": .throttled])
    /// ```
    ///
    /// A failure is thrown as a ``NetworkError`` with the status code of the response, and its message and code
    /// are in ``NetworkError/problem``. All behaviors see a status code with the meaning of the failure instead,
    /// such as 401 for ``NetworkError/Code-swift.struct/unauthorized``: the token is refreshed, and the request
    /// is sent once more, also if it writes. After `throttled`, `timedOut` and `unavailable`, requests that may
    /// be repeated are sent again. So give a code one of these meanings only if the server has carried out
    /// nothing. No cache stores the failure. You can call this method before or after ``inside(_:)``, and
    /// several times; the first failure that is found is thrown. It also applies to requests without an output.
    /// For all requests of a client, use ``NetworkClient/failing(at:having:unless:message:code:codes:)``.
    ///
    /// - Parameters:
    ///   - failures: The path of the failures: an array, of which the first element is used, or one
    ///     object. If it is missing, `null`, `false`, 0 or empty, the response is a success, apart from `unless`. By
    ///     default it is the whole body; then pass `having` or `unless`, too.
    ///   - member: The path of a member that the object, or the first element, has only if it is a failure. Use it where a
    ///     result and a failure have one path, such as the union that a GraphQL mutation returns: `having: "errorCode"`.
    ///   - success: The path, in the whole body, of a member that is `false` in a failure. If it is `false`, 0 or
    ///     empty, the response is a failure, whether or not it has `failures`:
    ///     `failing(at: "errors", unless: "success")`. If the member is missing, or has another value, `failures`
    ///     and `having` decide; without them, the response is a success.
    ///   - message: The path of the message for users inside of a failure. A failure that is a
    ///     string is its own message. `nil` if the messages are for developers.
    ///   - code: The path of the backend's code inside of a failure, a string or an integer. If the
    ///     failure is the code itself, pass an empty path, `[]`.
    ///   - codes: The meanings of the backend's codes. Other codes mean ``NetworkError/Code-swift.struct/rejected``.
    /// - Returns: A request that throws if the response contains a failure.
    public func failing(
        at failures: MemberPath = [],
        having member: MemberPath = [],
        unless success: MemberPath = [],
        message: MemberPath? = "message",
        code: MemberPath? = nil,
        codes: [String: NetworkError.Code] = [:]
    ) -> NetworkRequest {
        let check = FailureCheck(
            at: failures,
            having: member,
            unless: success,
            message: message,
            code: code,
            codes: codes
        )
        return changing { $0.failureCheck.add(check) }
    }
}

extension NetworkClient {
    /// Returns a client for a backend that reports failures in responses with a success status, for all its requests.
    ///
    /// ```swift
    /// let client = client.failing(
    ///     having: "error",
    ///     message: "error.text",
    ///     code: "error.id"
    /// )
    /// ```
    ///
    /// The check of a request is made first. A response without such a failure, or with a body that is not JSON, is a
    /// success. You can call it several times. For everything else, see
    /// ``NetworkRequest/failing(at:having:unless:message:code:codes:)``.
    public func failing(
        at failures: MemberPath = [],
        having member: MemberPath = [],
        unless success: MemberPath = [],
        message: MemberPath? = "message",
        code: MemberPath? = nil,
        codes: [String: NetworkError.Code] = [:]
    ) -> NetworkClient {
        let check = FailureCheck(
            at: failures,
            having: member,
            unless: success,
            message: message,
            code: code,
            codes: codes
        )
        var client = self
        client.failureCheck.add(check)
        return client
    }
}

/// How a request detects a failure in a response whose status code is a success.
struct FailureCheck: Sendable {
    /// Throws the failure that a response reports.
    let check: @Sendable (NetworkResponse) throws -> Void

    /// Returns a check that ignores failures with some codes of the backend.
    func ignoring(_ problems: [String]) -> FailureCheck {
        guard !problems.isEmpty else { return self }
        return FailureCheck { response in
            do { try check(response) } catch  where error.problem(in: problems) != nil {}
        }
    }

    /// Gives a response with a failure the status code of its meaning, or 422 if that is not known, for all behaviors.
    func setStatusCode(of response: inout NetworkResponse) {
        do { try check(response) } catch {
            response.sentStatusCode = response.statusCode
            response.statusCode = (error as? NetworkError)?.code.statusCode ?? 422
        }
    }
}

extension FailureCheck? {
    /// Adds a check for responses in which this one finds no failure.
    mutating func add(_ other: FailureCheck?) {
        guard let first = self, let other else {
            self = self ?? other
            return
        }
        self = FailureCheck { response in
            try first.check(response)
            try other.check(response)
        }
    }
}

extension FailureCheck {
    /// Creates the check that `failing(…)` describes.
    fileprivate init(
        at failures: MemberPath,
        having member: MemberPath,
        unless success: MemberPath,
        message: MemberPath?,
        code: MemberPath?,
        codes: [String: NetworkError.Code]
    ) {
        self.init { response in
            let candidates = [failures.appending("[0]"), failures]
            func isTrue(_ path: MemberPath) -> Bool? {
                (try? response.json(Truth?.self, at: path))?.isTrue
            }
            let isFlagFalse = success != [] && isTrue(success) == false
            let hasOnlyFlag = success != [] && failures == [] && member == []
            // Without a member, an array counts as a failure if it has elements, whatever the first one is.
            lazy var hasFailure = (member == [] ? [failures] : candidates).contains { path in
                isTrue(path.appending(member)) == true
            }
            guard isFlagFalse || !hasOnlyFlag && hasFailure else { return }
            func text(at member: MemberPath) -> String? {
                candidates.lazy.compactMap { response.text(at: $0.appending(member)) }.first
            }
            throw NetworkError(
                response,
                details: (
                    code: code.flatMap(text),
                    message: message.flatMap { text(at: $0) ?? text(at: []) }
                ),
                codes: codes,
                default: NetworkError(.rejected, response: response)
            )
        }
    }
}

/// Whether a JSON value counts as true: anything but `null`, `false`, 0 and empty values.
private struct Truth: Decodable {
    let isTrue: Bool

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        isTrue = !decoder.hasEmptyValue && (try? value.decode(Double.self)) != 0
    }
}
