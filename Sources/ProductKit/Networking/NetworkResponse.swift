public import Foundation

/// A complete HTTP response.
///
/// It is a plain value, so a test creates a response in one expression:
///
/// ```swift
/// let gone = NetworkResponse(statusCode: 404)
/// ```
public struct NetworkResponse: Sendable {
    /// The URL of the response after redirects, or else of the request.
    ///
    /// It may be `nil` only for those who call a ``Networking`` by themselves.
    public var url: URL? { didSet { decodedValues = nil } }
    /// The status code, from 100 to 599 (RFC 9110 §15).
    public var statusCode: Int
    /// The header fields.
    public var headers: NetworkHeaders { didSet { decodedValues = nil } }
    /// The decompressed body; empty if there is none.
    public var body: Data { didSet { decodedValues = nil } }
    /// The attempts to send the request, if there was more than one.
    public var attempts: [NetworkAttempt] = []
    /// The source of the response: the network, unless a cache served it.
    public var source = FetchSource.network { didSet { decodedValues = nil } }
    /// When the attempt that led to the response began; `nil` if that is not known.
    var requestedAt: Date?
    /// The copy in a cache; `nil` if there is none.
    var stored: (any StoredCopy)?
    /// What the error for the response tells developers about the failure; `nil` for nothing.
    var details: String?
    /// Whether a token signed the request; `nil` if that is not known.
    var isSigned: Bool?
    /// The failure that the response reports, if the request has an output for it.
    var expectedProblem: ProblemDetails?
    /// The status code of the server, if the body reports a failure and `statusCode` is that of its meaning.
    var sentStatusCode: Int?
    /// Whether the request was redirected to another origin, without most of its header fields.
    var isOfOtherOrigin = false
    /// Whether the body may have been cut off, and nothing shows it.
    var mayBeTruncated = false
    /// Creates a decoder for the body; `nil` for `JSONDecoder()`.
    var makeDecoder: (@Sendable () -> JSONDecoder)? { didSet { decodedValues = nil } }
    /// The values that were decoded from the body; `nil` if they are not remembered.
    var decodedValues: DecodedValues?

    /// Creates a response.
    public init(
        statusCode: Int = 200,
        headers: NetworkHeaders = [:],
        body: Data = Data(),
        url: URL? = nil
    ) {
        self.statusCode = statusCode
        self.headers = headers
        self.body = body
        self.url = url
    }

    /// Creates a response with a JSON body.
    ///
    /// Its `Content-Type` is `application/json` unless the header fields contain another one.
    ///
    /// - Throws: `EncodingError` if the value cannot be encoded.
    public init(
        statusCode: Int = 200,
        headers: NetworkHeaders = [:],
        json value: some Encodable
    ) throws {
        let body = try JSONEncoder().encode(value)
        self.init(statusCode: statusCode, headers: headers, body: body)
        self.headers["Content-Type"] = headers["Content-Type"] ?? "application/json"
    }

    /// Whether the response has a success status, or reports a failure for which its request has an output.
    var isSuccess: Bool { (200..<300).contains(statusCode) || expectedProblem != nil }

    /// Returns whether a redirect led from a URL to another origin.
    func isOfOtherOrigin(than url: URL) -> Bool {
        isOfOtherOrigin || self.url.map { !url.hasSameOrigin(as: $0) } ?? false
    }
}

extension NetworkResponse: Equatable {
    /// Whether the public properties are equal.
    public static func == (one: NetworkResponse, other: NetworkResponse) -> Bool {
        one.statusCode == other.statusCode && one.url == other.url && one.headers == other.headers
            && one.body == other.body && one.attempts == other.attempts
            && one.source == other.source
    }
}

extension NetworkResponse: CustomStringConvertible, RedactedInDumps {
    /// The status code, the URL and the header fields without secrets, and the size of the body.
    public var description: String {
        let url = url?.withoutSecrets?.absoluteString ?? "no URL"
        return "NetworkResponse(\(statusCode), \(url), \(headers), \(body.count) bytes)"
    }
}

/// The copy of a response that a cache has stored.
protocol StoredCopy: Sendable {
    /// Removes the copy, so that it is not served again, unless another response has replaced it.
    func remove()
}

extension NetworkResponse {
    /// Decodes the body from JSON, with the decoder of the client that received the response.
    ///
    /// Within a closure of ``NetworkRequest/map(_:)``, and of a loader or a list manager that takes a client, each
    /// type is decoded once at each path, also if the closure converts many rows.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - path: The path of the value; empty for the whole body. If the type is optional, the last member may be missing.
    /// - Returns: The value.
    /// - Throws: ``NetworkError`` with code ``NetworkError/Code-swift.struct/unreadable`` if the
    ///   body is empty, is not JSON (for example a web page) or not UTF-8, has more than 64 nested
    ///   brackets, or does not match the type. The message contains the path of the invalid member.
    public func json<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        at path: MemberPath = []
    ) throws -> Value {
        func decoded() throws -> Value {
            try decodeJSON { text, decoder in
                // The whole body is the most frequent case, and faster without an envelope.
                guard !path.isEmpty else { return try decoder.decode(type, from: text) }
                let envelope = ValueEnvelope<Value>.self
                return try decoder.decode(envelope, from: text, configuration: path).content
            }
        }
        return try decodedValues?.value(at: path, decoded) ?? decoded()
    }

    /// Decodes the body, or throws if it cannot be JSON.
    func decodeJSON<Value>(_ decode: (Data, JSONDecoder) throws -> Value) throws -> Value {
        guard !body.isEmpty else {
            throw unreadable(
                "Expected JSON, but the response body is empty. Check the URL and the method."
            )
        }
        if let mediaType = headers["Content-Type"], !Self.mayBeJSON(mediaType) {
            throw unreadable(
                "It is not JSON. Check that the base URL leads to an API and not to a website."
            )
        }
        do {
            return try decode(body.checkedJSON(), decoder())
        } catch let error as DecodingError {
            throw NetworkError(error, in: self)
        }
    }

    /// Creates a decoder for the body.
    private func decoder() -> JSONDecoder {
        let decoder = makeDecoder?() ?? JSONDecoder()
        if makeDecoder != nil { decoder.acceptNamesOfJSON() }
        if source != .network, let key = CodingUserInfoKey.source {
            decoder.userInfo[key] = source
        }
        if let key = CodingUserInfoKey.responseURL { decoder.userInfo[key] = referenceBase }
        return decoder
    }

    /// The URL that relative references are resolved against; `nil` if it is longer than 512 bytes without its query.
    ///
    /// The server may have made it long with a redirect, and each reference of a body becomes a copy of it.
    private var referenceBase: URL? {
        guard let url, url.absoluteString.utf8.count > 512 else { return url }
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.query = nil
        components?.fragment = nil
        return components?.url.flatMap { $0.absoluteString.utf8.count > 512 ? nil : $0 }
    }

    private func unreadable(_ details: String) -> NetworkError {
        NetworkError(.unreadable, response: self, details: details)
    }

    /// Whether the response may be from an API, and not from a website or a file server.
    var mayBeFromAPI: Bool {
        guard !body.isEmpty else { return true }
        let mayBeJSON = headers["Content-Type"].map(Self.mayBeJSON) ?? true
        return mayBeJSON && text.first != UInt8(ascii: "<")
    }

    /// Whether the response to a request for JSON only is a web page, a file, or a success without JSON.
    func isNotJSON(accepting mediaTypes: String?) -> Bool {
        // A 204 is complete without a body (RFC 9110 §15.3.5).
        guard let mediaTypes, statusCode != 204, Self.areJSON(mediaTypes) else { return false }
        return !mayBeFromAPI || (200..<300).contains(statusCode) && !beginsLikeJSON
    }

    /// Whether all media types of an `Accept` are JSON.
    private static func areJSON(_ mediaTypes: String) -> Bool {
        ["application/json", RequestParts.mediaTypeOfJSONAPI].contains(mediaTypes)
            || mediaTypes.contains("json")
                && mediaTypes.split(separator: ",").allSatisfy { mediaType in
                    let name = mediaType.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
                        .lowercased()
                    return name == "application/json" || name.hasSuffix("+json")
                }
    }

    /// Whether the body is a web page, whatever its media type is, such as one of a proxy.
    var isWebPage: Bool {
        let start = String(decoding: text.prefix(16), as: UTF8.self).lowercased()
        return ["<html", "<!doctype html", "<head", "<body", "<!--"].contains(
            where: start.hasPrefix
        )
    }

    /// The body without a byte order mark and white space at its start.
    private var text: Data {
        let ignored = Data("\u{FEFF} \t\r\n".utf8)
        return body.drop { ignored.contains($0) }
    }

    private var beginsLikeJSON: Bool {
        let text = text
        return ["true", "false", "null"].contains { text.starts(with: $0.utf8) }
            || text.first.map(Data("{[\"-0123456789".utf8).contains) ?? false
    }

    /// Whether a body with this media type may be JSON; some servers send JSON as plain text.
    private static func mayBeJSON(_ mediaType: String) -> Bool {
        if mediaType.hasPrefix("application/json") { return true }
        let type = mediaType.lowercased()
        return type.contains("json") || type.hasPrefix("text/plain")
            || type.hasPrefix("application/octet-stream") || type.hasPrefix("text/javascript")
    }
}

extension NetworkResponse {
    /// Creates a response from one of `URLSession`; throws if there is none, and as ``checkHeaders(for:)`` does.
    init(_ response: URLResponse?, body: Data, to request: URLRequest) throws {
        guard let response = response as? HTTPURLResponse else {
            throw NetworkError(.connectionLost, request: request)
        }
        self.init(
            statusCode: response.statusCode,
            headers: NetworkHeaders(response),
            body: body,
            url: response.url
        )
        try checkHeaders(for: request)
    }

    /// Creates a response without a body from one of `URLSession`, for an error.
    init?(headOf response: URLResponse?) {
        guard let response = response as? HTTPURLResponse, response.statusCode >= 200 else {
            return nil
        }
        self.init(statusCode: response.statusCode, headers: NetworkHeaders(response))
    }

    /// Throws if the header fields exceed a limit, or if the length is ambiguous or not a number.
    func checkHeaders(for request: URLRequest) throws(NetworkError) {
        guard !headers.exceedsLimits else { throw NetworkError.tooManyFields(request, of: self) }
        guard let length = headers["Content-Length"] else { return }
        let lengths = Set(length.listMembers)
        if lengths.count > 1 { throw invalidLength("It specifies several lengths", request) }
        guard let number = lengths.first?.decimalNumber else {
            throw invalidLength("Its length “\(length.prefix(64))” is not a number", request)
        }
        guard number < .max else {
            throw NetworkError(.tooLarge, request: FailedRequest(request), head: self)
        }
    }

    private func invalidLength(_ problem: String, _ request: URLRequest) -> NetworkError {
        NetworkError(
            .unreadable,
            request: request,
            response: self,
            details: "\(problem) (RFC 9112 §6.3). Correct the server."
        )
    }
}

extension NetworkError {
    /// Creates the error for a response that is unusable, with its status code.
    ///
    /// The status code is a fact: after a success, the server has carried out the request. The error has it
    /// only if the response itself is the reason, unlike after a timeout. A final response (not 1xx, RFC 9110
    /// §15.2) means that the server has processed the request, so a lost connection has the code `incomplete`.
    init(
        _ code: Code,
        request: FailedRequest,
        head: NetworkResponse?,
        underlying: (any Error)? = nil,
        details: String? = nil
    ) {
        let code = code == .connectionLost && head != nil ? .incomplete : code
        let response = [.unreadable, .tooLarge, .incomplete].contains(code) ? head : nil
        self.init(
            code,
            request: request,
            response: response,
            underlying: underlying,
            details: details
        )
    }

    /// Creates the error for a response with too many or too large header fields.
    static func tooManyFields(_ request: URLRequest, of head: NetworkResponse?) -> NetworkError {
        NetworkError(
            .tooLarge,
            request: request,
            response: head,
            details:
                "It has more than \(NetworkHeaders.maximumCount) header fields, or they are larger "
                + "than \(NetworkHeaders.maximumSize >> 10) KiB. Correct the server."
        )
    }
}

/// One of several attempts to send a request, and its outcome.
public struct NetworkAttempt: Hashable, Sendable {
    /// The status code of the response; `nil` if there was no response.
    public let statusCode: Int?
    /// The kind of failure; `nil` if there was a response.
    public let failure: NetworkError.Code?
    /// The delay before the next attempt; `nil` for the last attempt.
    public let delay: Duration?

    package init(
        statusCode: Int? = nil,
        failure: NetworkError.Code? = nil,
        delay: Duration? = nil
    ) {
        self.statusCode = statusCode
        self.failure = failure
        self.delay = delay
    }
}
