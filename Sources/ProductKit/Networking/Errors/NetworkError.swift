public import Foundation

/// The failure of a request: what happened, and what can be done about it.
///
/// It contains no secrets of the request: no header fields, and its URL without user name, password
/// and the value of any query item whose name suggests a secret.
///
/// `localizedDescription` is for users: the message of the server alone, or else what happened and what they can do
/// about it. `debugDescription` is for developers, and also contains what to correct, the URL, the attempts, the
/// cause, the problem details and the target of a redirect. No description, mirror or dump contains the other header
/// fields or the body, because they may contain a token. Each text is cut off after 4 KiB in UTF-8.
public struct NetworkError: Error, Sendable {
    /// The kind of failure.
    public let code: Code
    /// The method of the request; `nil` if the request is not known.
    package private(set) var method: String?
    /// The URL of the request without secrets; `nil` if the request is not known.
    public private(set) var url: URL?
    /// The status code of the response; `nil` if there was no response.
    public let statusCode: Int?
    /// The header fields of the response, such as the server's identifier of the request; empty if there was none.
    ///
    /// Left out are fields whose names suggest a secret, such as `Set-Cookie`, and those that exceed 4 KiB in total.
    public let headers: NetworkHeaders
    /// The first 4 KiB of the response body; empty if there was no response.
    ///
    /// It may contain secrets: do not log it where others can read it.
    public let body: Data
    /// The problem details of the response (RFC 9457); `nil` if it has none or is a success.
    public let problem: ProblemDetails?
    /// The attempts to send the request; empty if there was only one.
    public internal(set) var attempts: [NetworkAttempt]
    /// The cause of the error, such as a `URLError` or a `DecodingError`.
    ///
    /// Errors of the system and of decoders are copied without secrets: a `URLError`, or an `NSError` in its domain,
    /// with only its code, others with bounded texts. An error of your own type is unchanged.
    public let underlying: (any Error)?
    /// The message for users: what happened and what they can do about it.
    package let reason: String
    /// What a developer must know or correct; `nil` if there is nothing.
    package let details: String?
    /// Where the response came from, such as a stored 404; `nil` if there was no response.
    let source: FetchSource?
    /// Whether the request only reads, by its method or its declaration.
    var isOfRead: Bool
    /// Whether a closure has failed with this error after another request of it had changed something.
    var followsWrite = false
    /// Whether a token signed the request; `nil` if that is not known.
    let isSigned: Bool?
    /// Whether a client or the refresh of a token has thrown this error.
    ///
    /// Then it is about another request for everybody who sends that request for one of their own.
    var isOfOtherRequest = false
    /// Whether the error is about a request that a behavior or a networking has sent, such as that of a token.
    var isOfFurtherRequest = false
    /// Whether the response, which could not be read, may report that the server has refused the request.
    ///
    /// See ``NetworkRequest/failing(at:having:unless:message:code:codes:)``. A web page may be that of a firewall.
    var mayHideFailure: Bool
    /// The media type of the response body, for ``debugDescription``.
    private let contentType: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - request: The request that failed; its secrets are removed.
    ///   - response: The response.
    ///   - underlying: The cause of the error.
    ///   - reason: The message for users; by default the text of the problem details, or else that of the code.
    ///   - details: A text for developers: what to know or correct; by default that of the code.
    public init(
        _ code: Code,
        request: URLRequest? = nil,
        response: NetworkResponse? = nil,
        underlying: (any Error)? = nil,
        reason: String? = nil,
        details: String? = nil
    ) {
        self.init(
            code,
            request: request.map(FailedRequest.init),
            response: response,
            underlying: underlying,
            reason: reason,
            details: details
        )
    }

    /// Creates an error of a behavior about its request; the other parameters are those for a `URLRequest`.
    public init(
        _ code: Code,
        request: OutgoingRequest,
        response: NetworkResponse? = nil,
        underlying: (any Error)? = nil,
        reason: String? = nil,
        details: String? = nil
    ) {
        self.init(
            code,
            request: FailedRequest(request),
            response: response,
            underlying: underlying,
            reason: reason,
            details: details
        )
    }

    /// Creates an error with problem details in the format of the backend, or else with those of the response.
    init(
        _ code: Code,
        request: FailedRequest?,
        response: NetworkResponse? = nil,
        problem: ProblemDetails? = nil,
        underlying: (any Error)? = nil,
        reason: String? = nil,
        details: String? = nil
    ) {
        let problem = problem ?? response.flatMap(ProblemDetails.init)
        self.code = code
        method = request?.method
        url = request?.url
        statusCode = response?.statusCode
        headers = response?.headers.withoutSecrets ?? [:]
        body = Data(response?.body.prefix(Self.maximumTextSize) ?? Data())
        contentType = response?.headers["Content-Type"]?.prefix(bytes: Self.maximumTextSize)
        self.problem = problem
        attempts = response?.attempts ?? []
        source = response?.source
        isOfRead = request?.isRead == true
        isSigned = response?.isSigned
        mayHideFailure = response?.isWebPage == true
        self.underlying = underlying.map { $0.redactedIfKnown ?? $0 }
        self.reason = (reason ?? problem?.sentence ?? code.message)
            .prefix(bytes: Self.maximumTextSize)
        let text = details ?? response?.details ?? code.hint
        self.details = text?.prefix(bytes: Self.maximumTextSize)
    }

    /// The maximum size of each text of an error and of its body, in bytes.
    static let maximumTextSize = 4_096

    /// Whether this error of a behavior or a networking would be misleading as the error of its request.
    ///
    /// It is from another request, such as a token refresh, and says that the server refused or carried out that one.
    var isMisleading: Bool {
        let codes: [Code] = [
            .invalidRequest, .insecure, .unauthorized, .forbidden, .notFound, .conflict, .rejected,
            .unreadable, .tooLarge, .incomplete,
        ]
        return isOfOtherRequest && (codes.contains(code) || [501, 505].contains(statusCode))
    }

    /// Whether the server has sent a complete response with a server error to a write.
    ///
    /// No attempt has lost its response, as a gateway reports with 502 and 504 (RFC 9110 §15.6).
    var isCompleteServerError: Bool {
        guard let statusCode, code != .incomplete, !isOfRead, !isOfFurtherRequest else {
            return false
        }
        return statusCode.isCompleteServerError
            && attempts.allSatisfy {
                $0.statusCode?.isCompleteServerError ?? false || !$0.mayHaveReachedServer
            }
    }

    /// Returns the error for those who have sent the request for one of their own.
    var ofOtherRequest: NetworkError {
        var error = self
        error.isOfOtherRequest = true
        return error
    }

    /// Returns the error of a part of a change: a success that cannot be read is not that of the whole change.
    var ofPartialWrite: NetworkError {
        let isUnreadable = [.unreadable, .tooLarge, .incomplete].contains(code)
        let isSuccess = statusCode.map { (200..<300).contains($0) } ?? true
        guard isUnreadable || isOfMissingOutput, !isOfRead, isSuccess else { return self }
        return NetworkError(
            .unexpected,
            underlying: self,
            reason: [.tooLarge, .incomplete].contains(code) ? reason : nil,
            details: "The response to a write cannot be read, and does not show that the whole "
                + "change was carried out. Correct the underlying error."
        )
    }

    /// Returns the same error with the method and URL of a request, unless it already has them.
    func attributed(to request: OutgoingRequest) -> NetworkError {
        guard method == nil else { return self }
        var error = self
        let request = FailedRequest(request)
        (error.method, error.url, error.isOfRead) = (request.method, request.url, request.isRead)
        return error
    }
}

extension Int {
    fileprivate var isCompleteServerError: Bool {
        (500..<600).contains(self) && ![502, 504].contains(self)
    }
}

extension Error {
    /// The same error, for those who have sent its request for one of their own.
    var ofOtherRequest: any Error {
        if let error = self as? NetworkError { return error.ofOtherRequest }
        guard !isCancellation else { return self }
        return urlError.map {
            NetworkError($0.networkCode, underlying: $0).ofOtherRequest
        } ?? self
    }
}

extension NetworkError: LocalizedError, CustomDebugStringConvertible, RedactedInDumps {
    /// The message for users of the app: what happened and what they can do about it.
    public var errorDescription: String? { reason }

    /// The message, what to correct, the request, the response without its body, and the cause, for developers.
    public var debugDescription: String {
        var lines = ["NetworkError.\(code.rawValue): \(reason)"]
        if let details { lines.append("details: \(details)") }
        if let method, let url { lines.append("request: \(method) \(url.absoluteString)") }
        if let statusCode { lines.append("status code: \(statusCode)") }
        if let location { lines.append("location: \(location.absoluteString)") }
        if !attempts.isEmpty { lines.append("attempts: \(attempts)") }
        if let text = problem?.textForDevelopers, !text.isEmpty {
            lines.append("problem: \(text.redactingURLs)")
        }
        if let underlying {
            let text = String(reflecting: underlying).prefix(bytes: Self.maximumTextSize)
            lines.append("underlying: \(text)")
        }
        if !body.isEmpty {
            lines.append("body: \(body.count) bytes kept (\(contentType ?? "no media type"))")
        }
        return lines.joined(separator: "\n")
    }

    /// The target of a redirect that was not followed, without secrets.
    private var location: URL? {
        guard code == .redirect else { return nil }
        return headers["Location"].flatMap { URL(string: $0, relativeTo: url)?.withoutSecrets }
    }
}

extension ProblemDetails {
    /// The message of the server for users on one line, with a final period; `nil` without any.
    fileprivate var sentence: String? {
        let title = isTitleOfStatus ? nil : title
        let texts = ([detail ?? title].compactMap(\.self) + errors.map(\.detail))
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty && !$0.isNameOfStatus }
            .map { $0.last?.isPunctuation == true ? $0 : $0 + "." }
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    /// The members that the server has sent, on one line.
    fileprivate var textForDevelopers: String {
        let members = [
            ("type", type == "about:blank" ? nil : type), ("title", title), ("detail", detail),
            ("instance", instance),
        ]
        let texts = members.compactMap { name, text in
            text.map { "\(name) \($0.debugDescription)" }
        }
        let parts = errors.map { part in
            let pointer = part.pointer.map { " at \($0.debugDescription)" } ?? ""
            return "error \(part.detail.debugDescription)\(pointer)"
        }
        return (texts + parts).joined(separator: ", ")
    }
}

extension String {
    /// Whether this is only the name of a status code, such as “404 Not Found”.
    fileprivate var isNameOfStatus: Bool {
        let name = lowercased().drop { $0.isNumber || " :-".contains($0) }
        return Self.statusNames.contains(name.last == "." ? name.dropLast() : name)
    }

    /// The registered names of status codes from 400 on, and earlier ones, which some servers send as a message.
    private static let statusNames: Set<Substring> = [
        "bad request", "unauthorized", "payment required", "forbidden", "not found",
        "page not found", "method not allowed", "not acceptable", "proxy authentication required",
        "request timeout", "request time-out", "conflict", "gone", "length required",
        "precondition failed", "content too large", "payload too large", "request entity too large",
        "uri too long", "request-uri too long", "request-uri too large", "unsupported media type",
        "range not satisfiable", "requested range not satisfiable", "expectation failed",
        "misdirected request", "unprocessable content", "unprocessable entity", "locked",
        "failed dependency", "too early", "upgrade required", "precondition required",
        "too many requests", "request header fields too large", "unavailable for legal reasons",
        "internal server error", "not implemented", "bad gateway", "service unavailable",
        "gateway timeout", "gateway time-out", "http version not supported",
        "variant also negotiates", "insufficient storage", "loop detected", "not extended",
        "network authentication required",
    ]
}

/// The parts of a request that its error contains.
struct FailedRequest {
    /// The method up to its first invalid character, because the rest may contain a secret.
    let method: String
    /// The URL without secrets.
    let url: URL?
    /// Whether the request only reads, by its method or its declaration.
    let isRead: Bool

    init(_ request: URLRequest) {
        method = String(request.method.httpTokenPrefix)
        url = request.url?.withoutSecrets
        isRead = request.isSafe
    }

    init(_ request: OutgoingRequest) {
        method = String(request.method.httpTokenPrefix)
        url = request.url.withoutSecrets
        isRead = request.isSafe
    }
}

extension NetworkError {
    /// Creates the error for a response body that cannot be decoded, with the path of the member.
    init(_ error: DecodingError, in response: NetworkResponse?) {
        let member = error.member()
        self.init(
            .unreadable,
            response: response,
            underlying: error,
            details: member.isEmpty
                ? "\(error.reason) Check that the base URL leads to an API."
                : "The member “\(member)” is not valid. \(error.reason) Correct the server or the type to "
                    + "decode."
        )
    }
}

extension NetworkError: DeveloperTextProviding, DecodingErrorHolding {
    var textForDevelopers: String { [reason, details].compactMap(\.self).joined(separator: " ") }
    var decodingError: DecodingError? { underlying as? DecodingError }
}
