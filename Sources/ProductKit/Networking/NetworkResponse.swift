public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a server answered, whole.
///
/// It is a plain value, so an answer in a test is one expression:
///
/// ```swift
/// let gone = NetworkResponse(statusCode: 404)
/// ```
public struct NetworkResponse: Hashable, Sendable {
    /// The address that answered, after any redirects; `nil` when nobody told.
    public var url: URL?
    /// The status, between 100 and 599 (RFC 9110 §15).
    public var statusCode: Int
    /// The header fields.
    public var headers: NetworkHeaders
    /// The body, unpacked; empty when there was none.
    public var body: Data
    /// How often the request was sent, when it was more than once.
    public var attempts: [NetworkAttempt] = []
    /// Where the answer came from: the server, unless a cache says otherwise.
    public var source = FetchSource.network

    /// Creates an answer.
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

    /// Creates an answer that holds a value as JSON, as a server would send it.
    ///
    /// Its `Content-Type` is `application/json` unless the headers name another one.
    ///
    /// - Throws: `EncodingError` when the value cannot be written as JSON.
    public init(
        statusCode: Int = 200,
        headers: NetworkHeaders = [:],
        json value: some Encodable
    ) throws {
        self.init(
            statusCode: statusCode,
            headers: headers,
            body: try JSONEncoder().encode(value)
        )
        self.headers["Content-Type"] = headers["Content-Type"] ?? "application/json"
    }
}

extension NetworkResponse {
    /// Reads the body as JSON.
    ///
    /// - Parameters:
    ///   - type: What the body should hold.
    ///   - path: Where in the body it stands; by default it is the whole body. A last member that
    ///     is missing is `nil` for an optional type.
    /// - Returns: The value in the body.
    /// - Throws: ``NetworkError`` with code ``NetworkError/Code-swift.struct/unreadable`` when the
    ///   body is empty, is a web page or other text, is not UTF-8, has more than 64 brackets open at
    ///   once, or has another shape; the message names the member that was wrong.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self,
        at path: MemberPath = []
    ) throws -> Value {
        try decoded { text, decoder in
            // Most bodies are wanted whole, and need no detour.
            guard !path.isEmpty else { return try decoder.decodeGuarded(type, from: text) }
            let envelope = ValueEnvelope<Value>.self
            return try decoder.decodeGuarded(envelope, from: text, configuration: path).content
        }
    }

    /// Reads the body, unless it cannot be JSON.
    func decoded<Value>(_ read: (Data, JSONDecoder) throws -> Value) throws -> Value {
        guard !body.isEmpty else {
            throw NetworkError(
                .unreadable,
                response: self,
                reason: "The answer is empty where JSON was due; check the address and the method."
            )
        }
        if let mediaType = headers["Content-Type"], !Self.mayHoldJSON(mediaType) {
            throw NetworkError(
                .unreadable,
                response: self,
                reason: "The answer is no JSON but \(mediaType); "
                    + "check that the base URL leads to an API and not to a web site."
            )
        }
        do {
            let decoder = JSONDecoder()
            if source != .network, let key = CodingUserInfoKey.source {
                decoder.userInfo[key] = source
            }
            return try read(body, decoder)
        } catch let error as DecodingError {
            throw NetworkError(error, in: self)
        }
    }

    /// Whether a body of this media type is worth reading; careless servers call JSON plain text.
    private static func mayHoldJSON(_ mediaType: String) -> Bool {
        if mediaType.hasPrefix("application/json") { return true }
        let type = mediaType.lowercased()
        return type.contains("json") || type.hasPrefix("text/plain")
            || type.hasPrefix("application/octet-stream") || type.hasPrefix("text/javascript")
    }
}

extension NetworkResponse {
    /// Creates an answer from what the system's session brought.
    ///
    /// - Throws: ``NetworkError`` when nothing came, or when nobody knows where the answer ends.
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
        guard Set(headers["Content-Length"]?.listMembers ?? []).count <= 1 else {
            throw NetworkError(
                .unreadable,
                request: request,
                reason: "The answer gives different lengths of itself (RFC 9112 §6.3), so that "
                    + "nobody knows where it ends. Correct the server."
            )
        }
    }
}

/// One of several times that a request was sent, and how it ended.
public struct NetworkAttempt: Hashable, Sendable {
    /// The status of the answer; `nil` when none came.
    public let statusCode: Int?
    /// Why no answer came; `nil` when one did.
    public let failure: NetworkError.Code?
    /// How long was waited before the next attempt; `nil` for the last one.
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
