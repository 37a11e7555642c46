public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Why a request brought no usable answer, and what could be done about it.
///
/// It holds nothing secret: no header, no user information, and no value of a query item whose name
/// sounds like a secret.
public struct NetworkError: Error, Sendable {
    /// What could be done about it.
    public let code: Code
    /// The method of the request; `nil` when the error is about no request.
    public private(set) var method: String?
    /// The address of the request, without its secrets.
    public private(set) var url: URL?
    /// The status of the answer; `nil` when none came.
    public let statusCode: Int?
    /// The first 4 KiB of the answer's body.
    public let body: Data
    /// What the server told about the failure (RFC 9457); `nil` when it told nothing.
    public let problem: ProblemDetails?
    /// How often the request was sent, when it was more than once.
    public internal(set) var attempts: [NetworkAttempt]
    /// What the error comes from, such as a `URLError` or a `DecodingError`.
    public let underlying: (any Error)?
    /// What happened and what to do, as one or two sentences.
    public let reason: String
    /// Where the answer came from that was no success; `nil` when there was none.
    let source: FetchSource?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: What could be done about it.
    ///   - request: What was being sent; its secrets are left out.
    ///   - response: What was answered; at most 4 KiB of its body are kept.
    ///   - underlying: What the error comes from.
    ///   - reason: What happened and what to do; by default what the server told, or else the code,
    ///     and what the code advises.
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

    /// Creates an error from what was told in whatever words.
    init(
        _ code: Code,
        request: URLRequest? = nil,
        response: NetworkResponse?,
        problem: ProblemDetails?,
        underlying: (any Error)? = nil,
        reason: String? = nil
    ) {
        self.code = code
        method = request?.tellableMethod
        url = request?.url?.withoutSecrets
        statusCode = response?.statusCode
        body = Data(response?.body.prefix(4_096) ?? Data())
        self.problem = problem
        attempts = response?.attempts ?? []
        source = response?.source
        // A system error's user info holds the address with all its secrets; its code is enough.
        self.underlying = (underlying as? URLError).map { URLError($0.code) } ?? underlying
        self.reason = reason ?? "\(problem?.sentence ?? code.problem) \(code.advice)"
    }

    /// The same error, told of a request when it is told of none yet.
    func about(_ request: URLRequest) -> NetworkError {
        guard method == nil else { return self }
        var error = self
        error.method = request.tellableMethod
        error.url = request.url?.withoutSecrets
        return error
    }
}

extension NetworkError: LocalizedError {
    /// What happened, to what, and what to do, for a person.
    public var errorDescription: String? {
        guard let method, let url else { return reason }
        let status = statusCode.map { " (status \($0))" } ?? ""
        return "\(method) \(url.absoluteString) failed\(status): \(reason)"
    }
}

extension NetworkError: CustomDebugStringConvertible {
    /// Everything that is known, for a developer.
    public var debugDescription: String {
        var lines = ["NetworkError.\(code.rawValue): \(errorDescription ?? reason)"]
        if !attempts.isEmpty { lines.append("attempts: \(attempts)") }
        if let problem { lines.append("problem: \(problem)") }
        if let underlying { lines.append("underlying: \(String(reflecting: underlying))") }
        if problem == nil, !body.isEmpty {
            lines.append("body: \(String(decoding: body.prefix(256), as: UTF8.self))")
        }
        return lines.joined(separator: "\n")
    }
}

extension ProblemDetails {
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
    /// The method, or what of it is one.
    fileprivate var tellableMethod: String? {
        httpMethod.map { String($0.httpTokenPrefix) }
    }
}

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
