public import Foundation

/// A request in flight, as behaviors receive it: its parts, and what belongs to it.
///
/// ```swift
/// let traced = ClosureBehavior(modify: { request in request.headers["X-Trace"] = "7" })
/// ```
///
/// A ``NetworkClient`` creates the `URLRequest` once for each exchange, from the request that the innermost behavior
/// passes on. The server receives the method, the URL, the header fields and the body.
public struct OutgoingRequest: Sendable {
    /// The method, such as `GET`, which is case-sensitive (RFC 9110 §9.1).
    public var method: String
    /// The absolute URL.
    public var url: URL
    /// The header fields.
    public var headers: NetworkHeaders
    /// The body, whose `Content-Type` must be in the header fields; `nil` for none.
    public var body: Data?
    /// The maximum time of one attempt, from 1 millisecond to 10⁹ seconds; `nil` for 60 seconds.
    public var timeout: Duration?
    /// Whether the response comes from a cache or from the network.
    ///
    /// ``urlRequest()`` adds its directive to `Cache-Control`, for the caches between here and the server.
    public var policy: FetchPolicy
    /// The name that ``NetworkRequest/reading(as:)`` gives to a read; may be empty, and is `nil` for other requests.
    public var readName: String?
    /// The number of the attempt, counted from 1; set by ``RetryBehavior``.
    public var attempt = 1
    /// Throws if a response with a success status reports a failure; `nil` if none can.
    var failureCheck: FailureCheck?
    /// The state of the cache in which the request was sent; `nil` without a cache.
    var cacheGeneration: CacheGeneration?
    /// What replaces the `Cache-Control` of the response for the cache; `nil` for nothing.
    var responseCacheControl: String?
    /// Finds a failure for which the request has an output, in a response without a success status; `nil` for none.
    var expectedProblem: (@Sendable (NetworkResponse) -> ProblemDetails?)?
    /// Creates the decoder of the client that sends the request; `nil` without one of its own.
    var makeDecoder: (@Sendable () -> JSONDecoder)?
    /// The session of the service that sends the request; `nil` outside of a service.
    var session: UserSession?
    /// The end of all attempts, and the clock that it is measured with; `nil` outside of ``RetryBehavior``.
    var deadline: (end: Duration, elapsed: @Sendable () -> Duration)?
    /// The users whose tokens have signed the attempts; `nil` outside of ``RetryBehavior``.
    var signers: RequestSigners?
    /// Whether a cache has decided that the request is sent, so that no other one below it responds.
    var bypassesCaches = false
    /// The key of an unsafe request that carries out a change of an ``Outbox``; `nil` for others.
    ///
    /// ``urlRequest()`` adds it as `Idempotency-Key`. It lets the request be repeated only if an
    /// ``IdempotencyKeyBehavior`` has added it before, because the server may ignore it.
    public internal(set) var changeKey: String?
    /// Whether no key makes the request repeatable, because duplicates are recognized in another way.
    var ignoresKeys = false
    /// Whether the server has just failed, so that a cache serves what it serves after a failure.
    var isAfterFailure = false

    /// Creates a request, such as for the test of a behavior.
    ///
    /// A behavior changes a copy of the request that it received. A new one has lost what belongs to that
    /// request, such as the check for failures in successful responses.
    public init(
        method: String = "GET",
        url: URL,
        headers: NetworkHeaders = [:],
        body: Data? = nil,
        policy: FetchPolicy = .standard
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.policy = policy
    }
}

extension OutgoingRequest {
    /// Whether the request is safe: it does not request a change on the server (RFC 9110 §9.2.1).
    ///
    /// Its method is safe, or it is declared to be a read.
    public var isSafe: Bool { method.isSafeMethod || readName != nil }

    /// Whether sending the request twice has the same effect as sending it once (RFC 9110 §9.2.2).
    public var isIdempotent: Bool { isSafe || method.isIdempotentMethod }

    /// Whether equal requests get the same response, which may be shared and stored: a `GET`, or a declared read.
    package var isRead: Bool { method == "GET" || isDeclaredRead }

    /// Whether the request is a read although its method is not safe.
    private var isDeclaredRead: Bool { readName != nil && !method.isSafeMethod }

    /// Whether the request may be sent again although the server may have received it.
    ///
    /// It is idempotent, or has an `Idempotency-Key`, which is set if the server recognizes duplicates by it.
    var isRepeatable: Bool { isIdempotent || !ignoresKeys && headers["Idempotency-Key"] != nil }

    /// The text that distinguishes a declared read from other requests to its URL; `nil` for a `GET`.
    ///
    /// It consists of the name, a number sign, and the method and the body in Base64. The body takes
    /// part also if there is a name, so that a wrong one cannot lead to the response of another query.
    var readIdentity: String? {
        guard isDeclaredRead, let readName else { return nil }
        let name = readName.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
        let fields = ["Content-Type", "Content-Encoding"].map { headers[$0] ?? "" }
        let head = ([method] + fields).joined(separator: "\n") + "\n\n"
        return name + "#" + (Data(head.utf8) + (body ?? Data())).base64EncodedString()
    }

    /// The request, to which no cache below this one responds.
    var bypassingCaches: OutgoingRequest {
        var request = self
        request.bypassesCaches = true
        return request
    }

    /// Limits the timeout to the time that is left before the deadline, and throws if none is.
    mutating func limitTimeout() throws {
        guard let deadline else { return }
        let timeLeft = deadline.end - deadline.elapsed()
        guard timeLeft > .zero else {
            throw NetworkError(
                .timedOut,
                request: self,
                details: "It was not sent, because the deadline of the retries has passed."
            )
        }
        timeout = min(timeout ?? .seconds(60), max(timeLeft, .milliseconds(1)))
    }

    /// Adds the header fields that the request does not have yet.
    package mutating func add(_ headers: NetworkHeaders) {
        for (name, value) in headers where self.headers[name] == nil { self.headers[name] = value }
    }

    /// Creates the request for a ``Networking``, also for a signature of your own.
    ///
    /// - Returns: The request, without its declaration as a read.
    /// - Throws: ``NetworkError`` with code ``NetworkError/Code-swift.struct/invalidRequest`` if HTTP does not allow it, see
    ///   `URLRequest.validate()`; with code ``NetworkError/Code-swift.struct/notCached`` for ``FetchPolicy/cacheOnly``.
    public func urlRequest() throws -> URLRequest {
        guard policy.allowsNetwork else { throw NetworkError(.notCached, request: self) }
        try checkFields()
        var request = makeURLRequest(timeout: timeout.map { $0 / .seconds(1) } ?? 60)
        // On Linux, each assignment costs about a microsecond.
        if method != "GET" { request.httpMethod = method }
        if let body { request.httpBody = body }
        var headers = headers
        if isRead, let directive = policy.directive { headers.addCacheControl(directive) }
        if let changeKey, !isSafe, headers["Idempotency-Key"] == nil {
            headers["Idempotency-Key"] = changeKey
        }
        let fields = Dictionary(headers.map { ($0.name, $0.value) }) { $1 }
        if !fields.isEmpty { request.allHTTPHeaderFields = fields }
        try request.validateParts()
        return request
    }

    /// Throws if HTTP does not allow a header field that a token has set; the error refuses no saved edit.
    func checkTokenFields() throws {
        do { try checkFields() } catch { throw error.ofOtherRequest }
    }

    /// Throws if HTTP does not allow a header field, which the system would drop without an error, or send.
    func checkFields() throws {
        let size = body?.count ?? 0
        for (name, value) in headers {
            let problem = NetworkHeaders.problem(name: name, value: value, bodySize: size)
            if let problem {
                throw NetworkError(.invalidRequest, request: self, details: problem)
            }
        }
    }

    /// Creates a request with the policy for the `URLCache` of a `URLSession` of the app.
    private func makeURLRequest(timeout: Double) -> URLRequest {
        switch policy {
        case .standard where !bypassesCaches:
            URLRequest(url: url, cachePolicy: .useProtocolCachePolicy, timeoutInterval: timeout)
        case .revalidate where !bypassesCaches:
            URLRequest(
                url: url,
                cachePolicy: .reloadRevalidatingCacheData,
                timeoutInterval: timeout
            )
        default:
            URLRequest(
                url: url,
                cachePolicy: .reloadIgnoringLocalCacheData,
                timeoutInterval: timeout
            )
        }
    }
}

/// The state of a cache in which a request was sent.
///
/// Only requests of the same generation may share a response. A generation ends when the partition changes, or when a
/// stored response is invalidated, removed or replaced: an earlier response may be out of date for later callers.
struct CacheGeneration: Hashable, Sendable {
    /// The partition of the request.
    let partition: Identifier<CacheGeneration>
    /// The number of invalidations and removals so far.
    let invalidations: Int
    /// When the request was sent whose response this one may replace; `nil` if there is none.
    ///
    /// Callers that share a response store it at different times, but it has one date.
    let storedRequestedAt: Date?
}

extension NetworkHeaders {
    /// Adds a directive to `Cache-Control`, in place of those with the same name.
    mutating func addCacheControl(_ directive: String) {
        let name = String(directive.prefix { $0 != "=" })
        let others = (self["Cache-Control"]?.listMembers ?? []).filter { other in
            !String(other.prefix { $0 != "=" }.trimmingOWS).isEqualIgnoringASCIICase(to: name)
        }
        self["Cache-Control"] = (others.map(String.init) + [directive]).joined(separator: ", ")
    }
}

extension OutgoingRequest: CustomStringConvertible, RedactedInDumps {
    /// The method, the URL and the header fields without secrets, and the size of the body.
    public var description: String {
        "OutgoingRequest(\(method.httpTokenPrefix) \(url.withoutSecrets?.absoluteString ?? ""), "
            + "\(headers), \(body?.count ?? 0) bytes)"
    }
}
