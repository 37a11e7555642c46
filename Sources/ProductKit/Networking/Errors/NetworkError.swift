public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The failure of a request: what happened, and what can be done about it.
///
/// It contains no secrets of the request: no header fields, and its URL without user name, password
/// and the value of any query item whose name suggests a secret. Of the response it contains the
/// status code, the media type, and the start of the body, whatever the server sent in it.
///
/// `localizedDescription` is for users and contains no URL, except within a text of the server.
/// `debugDescription` is for developers, and also contains the URL, the attempts, the cause and the
/// start of the body or the problem details.
public struct NetworkError: Error, Sendable {
    /// The kind of failure.
    public let code: Code
    /// The method of the request; `nil` if the request is not known.
    package private(set) var method: String?
    /// The URL of the request without secrets; `nil` if the request is not known.
    public private(set) var url: URL?
    /// The status code of the response; `nil` if there was no response.
    public let statusCode: Int?
    /// The first 4 KiB of the response body; empty if there was no response.
    public let body: Data
    /// The problem details of the response (RFC 9457); `nil` if it has none.
    public let problem: ProblemDetails?
    /// The attempts to send the request; empty if there was only one.
    public internal(set) var attempts: [NetworkAttempt]
    /// The cause of the error, such as a `URLError` or a `DecodingError`.
    public let underlying: (any Error)?
    /// The message for users: what happened and what to do about it.
    package let reason: String
    /// Where the response came from, such as a stored 404; `nil` if there was no response.
    let source: FetchSource?
    /// The media type of the response body, for ``debugDescription``.
    private let contentType: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - request: The request that failed; its secrets are removed.
    ///   - response: The response; at most 4 KiB of its body are kept.
    ///   - underlying: The cause of the error.
    ///   - reason: The message for users of the app. By default it is the text of the problem
    ///     details, or else of the code, followed by the advice of the code.
    public init(
        _ code: Code,
        request: URLRequest? = nil,
        response: NetworkResponse? = nil,
        underlying: (any Error)? = nil,
        reason: String? = nil
    ) {
        self.init(
            code,
            request: request,
            response: response,
            problem: response.flatMap(ProblemDetails.init),
            underlying: underlying,
            reason: reason
        )
    }

    /// Creates an error with problem details that were read in the format of the backend.
    init(
        _ code: Code,
        request: URLRequest? = nil,
        response: NetworkResponse?,
        problem: ProblemDetails?,
        underlying: (any Error)? = nil,
        reason: String? = nil
    ) {
        self.code = code
        method = request?.validMethod
        url = request?.url?.withoutSecrets
        statusCode = response?.statusCode
        body = Data(response?.body.prefix(4_096) ?? Data())
        contentType = response?.headers["Content-Type"]
        self.problem = problem
        attempts = response?.attempts ?? []
        source = response?.source
        // The `userInfo` of a `URLError` contains the URL with its secrets. The code is enough.
        self.underlying = (underlying as? URLError).map { URLError($0.code) } ?? underlying
        self.reason = reason ?? "\(problem?.sentence ?? code.problem) \(code.advice)"
    }

    /// Returns the same error with the method and URL of a request, unless it already has them.
    func attributed(to request: URLRequest) -> NetworkError {
        guard method == nil else { return self }
        var error = self
        error.method = request.validMethod
        error.url = request.url?.withoutSecrets
        return error
    }
}

extension NetworkError: LocalizedError {
    /// The message for users of the app: what happened and what to do about it.
    public var errorDescription: String? { reason }
}

extension NetworkError: CustomDebugStringConvertible {
    /// The message, the request, the response and the cause, for developers.
    ///
    /// The first 256 bytes of the body are included if there are no problem details.
    public var debugDescription: String {
        var lines = ["NetworkError.\(code.rawValue): \(reason)"]
        if let method, let url { lines.append("request: \(method) \(url.absoluteString)") }
        if let statusCode { lines.append("status code: \(statusCode)") }
        if !attempts.isEmpty { lines.append("attempts: \(attempts)") }
        if let problem { lines.append("problem: \(problem)") }
        if let underlying { lines.append("underlying: \(String(reflecting: underlying))") }
        if problem == nil, !body.isEmpty {
            let text = String(decoding: body.prefix(256), as: UTF8.self)
            lines.append("body (\(contentType ?? "no media type")): \(text)")
        }
        return lines.joined(separator: "\n")
    }
}

extension ProblemDetails {
    /// The texts of the problem on one line, with a final period; `nil` without any text.
    fileprivate var sentence: String? {
        let parts = errors.map { part in [part.pointer, part.detail].compactMap(\.self) }
            .map { $0.joined(separator: ": ") }
        let text = ([detail ?? title].compactMap(\.self) + parts).joined(separator: " ")
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard let last = text.last else { return nil }
        return last.isPunctuation ? text : text + "."
    }
}

extension URLRequest {
    /// The method up to its first invalid character, because the rest may contain a secret.
    fileprivate var validMethod: String? {
        httpMethod.map { String($0.httpTokenPrefix) }
    }
}

extension NetworkError {
    /// Creates the error for a response body that cannot be decoded, with the path of the member.
    init(_ error: DecodingError, in response: NetworkResponse) {
        let member = error.member()
        self.init(
            .unreadable,
            response: response,
            underlying: error,
            reason: member.isEmpty
                ? "\(Code.unreadable.problem) \(error.reason) \(Code.unreadable.advice)"
                : "\(Code.unreadable.problem) Its member “\(member)” is not valid. \(error.reason) "
                    + "Correct the server or the type to decode."
        )
    }
}
