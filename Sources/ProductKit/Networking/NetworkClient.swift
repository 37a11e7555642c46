public import Foundation

/// Sends typed requests to one API.
///
/// A client adds its `headers` to a request, the directive of the ``FetchPolicy``, and the key of the saved
/// change that it carries out, if any. Tokens, retries and caching are up to its behaviors.
///
/// ```swift
/// let client = NetworkClient(
///     baseURL: api,
///     networking: networking,
///     behaviors: [TokenBehavior { "demo-token" }]
/// )
/// let product: Product = try await client.send(.get("products", "walking-boots"))
/// ```
public struct NetworkClient: Sendable {
    /// The URL of the API, to which the paths of requests are appended.
    public let baseURL: URL
    private let networking: any Networking
    private let headers: NetworkHeaders
    private(set) var behaviors: [any RequestBehavior]
    /// The query items of every request that has none with their names.
    private var query: [URLQueryItem] = []
    private let appendsSlash: Bool
    private let makeDecoder: (@Sendable () -> JSONDecoder)?
    private let makeEncoder: (@Sendable () -> JSONEncoder)?
    private let statusCode: (@Sendable (NetworkResponse) -> Int?)?
    private let failure: @Sendable (NetworkResponse) -> any Error
    /// The session of the service whose requests the client sends; `nil` outside of a service.
    private var session: UserSession?
    /// The identifier of the service's user in the closures of a ``ProductBackend``, for paths such as
    /// `wishlists/by_user/7`; `nil` for a guest, and outside of a service.
    public var userID: String? { session?.user?.rawValue }
    /// The identifier of the user, for requests that a guest cannot send.
    ///
    /// - Throws: ``NetworkError`` with code ``NetworkError/Code-swift.struct/unauthorized`` if ``userID`` is `nil`.
    public var signedInUserID: String {
        get throws {
            guard let userID else {
                throw NetworkError(
                    .unauthorized,
                    details: "The request was not sent: it needs a user who has signed in."
                )
            }
            return userID
        }
    }
    /// The ISO 4217 code of the user's currency, for requests such as `products?currency=EUR`; `nil` outside of a service.
    public var currency: String? { session?.currency }
    /// The user's language tag (RFC 5646), such as `de-DE`, also sent as `Accept-Language`; `nil` outside of a service.
    public var language: String? { session?.language }
    /// The ``language`` without its region, such as `de`, for texts in several languages; `nil` outside of a service.
    public var languageCode: String? { language?.split(separator: "-").first.map(String.init) }
    /// Detects failures in responses with a success status; `nil` for none.
    var failureCheck: FailureCheck?
    /// What replaces the `Cache-Control` of responses; `nil` for nothing.
    private var responseCacheControl: String?

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: The URL of the API, such as `https://api.example.com/v1`.
    ///   - networking: Sends the requests.
    ///   - headers: The header fields of every request, such as a key of the app. They are added inside of all
    ///     behaviors, unless the request has them: logs and caches do not see them, and a `Vary` that names one of them
    ///     keeps no response off the disk. An `Accept` replaces that of requests for JSON or without an output. Clients
    ///     with different values must not share a ``ResponseCache``, its folder or a ``CoalescingBehavior``.
    ///   - behaviors: The behaviors of every request, the outermost first.
    ///   - appendsSlash: Whether the path of each request ends in a slash, as Django REST framework
    ///     requires: `products/7/`. A request without segments is sent to the base URL as it is.
    ///   - usesSnakeCase: Whether the members of all JSON have names in snake case, such as `image_url`, for
    ///     properties in camel case, `imageUrl`. A dictionary keeps its keys if they are strings; identifiers as
    ///     keys are changed like names. A ``MemberPath`` has the names of the JSON text. It sets the strategies of
    ///     the `decoder` and the `encoder`, so leave out coding keys in snake case.
    ///   - decoder: Creates the decoder for each response, for example with a strategy for dates. Return a new one
    ///     each time: the client adds to its `userInfo`. `nil`, the default, is `JSONDecoder()`.
    ///   - encoder: Creates the encoder for each JSON body. Return a new one each time: the client lets it sort the
    ///     keys, so that equal values have equal bodies. `nil`, the default, is one that does not escape slashes.
    ///   - statusCode: Returns the status code that a response means, between 200 and 599; with `nil`, and with any
    ///     other number, it is that of the response. All behaviors see it: if a backend reports a rejected token or a
    ///     limit of requests with 200, tokens are refreshed, reads are sent again, and no cache stores the failure.
    ///   - failure: Creates the error for a status code not between 200 and 299; by default from RFC 9457 problem details.
    public init(
        baseURL: URL,
        networking: any Networking = .system,
        headers: NetworkHeaders = [:],
        behaviors: [any RequestBehavior] = [],
        appendsSlash: Bool = false,
        usesSnakeCase: Bool = false,
        decoder: (@Sendable () -> JSONDecoder)? = nil,
        encoder: (@Sendable () -> JSONEncoder)? = nil,
        statusCode: (@Sendable (NetworkResponse) -> Int?)? = nil,
        failure: @escaping @Sendable (NetworkResponse) -> any Error = { NetworkError($0) }
    ) {
        self.baseURL = baseURL
        self.networking = networking
        self.headers = headers
        self.behaviors = behaviors
        self.appendsSlash = appendsSlash
        if usesSnakeCase {
            makeDecoder = {
                let decoder = decoder?() ?? JSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                return decoder
            }
            makeEncoder = {
                let encoder = encoder?() ?? .sorting
                encoder.keyEncodingStrategy = .convertToSnakeCase
                return encoder
            }
        } else {
            (makeDecoder, makeEncoder) = (decoder, encoder)
        }
        self.statusCode = statusCode
        self.failure = failure
    }

    /// Creates a client for a test that must not send a request.
    ///
    /// Every request throws ``UnimplementedAction``; see ``Networking/unimplemented(otherwise:file:line:)``. Its base
    /// URL never exists (RFC 2606 §2).
    public static func unimplemented(
        otherwise: @escaping @Sendable (UnimplementedAction) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> NetworkClient {
        NetworkClient(
            baseURL: URL(string: "https://unimplemented.invalid") ?? URL(filePath: "/"),
            networking: .unimplemented(otherwise: otherwise, file: file, line: line)
        )
    }

    /// Sends a request and decodes the response, outside of the caller's actor.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - behaviors: The behaviors of this request only. They are outside of the client's own.
    /// - Returns: The output of the request.
    /// - Throws: `CancellationError` if the task is cancelled; ``NetworkError`` if the request is not valid, there is
    ///   no response or it cannot be decoded; the error of `failure` if the status code is not between 200 and 299,
    ///   unless the request has an output for it; other errors of your behaviors and networking unchanged, but a
    ///   `URLError` as a ``NetworkError``. A ``NetworkError`` may be replaced, see ``NetworkRequest/throwing(_:for:)``.
    @concurrent public func send<Output>(
        _ request: NetworkRequest<Output>,
        behaviors: [any RequestBehavior] = []
    ) async throws -> Output {
        let operation = ServiceOperation.current
        if let operation, let request = request.independent(of: operation) {
            return try await ServiceOperation.outside(of: operation) {
                try await send(request, behaviors: behaviors)
            }
        }
        let behaviors = behaviors + (operation?.behaviors ?? []) + self.behaviors
        return try await ServiceOperation.outside(of: operation) {
            for behavior in behaviors { behavior.beforeSend() }
            do {
                let output = try await output(of: request, through: behaviors, in: operation)
                // One box for all behaviors.
                let result: any Sendable = output
                for behavior in behaviors.reversed() { behavior.afterSuccess(result: result) }
                return output
            } catch {
                let replaced = request.replacement(for: error)
                let error = (replaced as? NetworkError)?.ofOtherRequest ?? replaced
                for behavior in behaviors.reversed() { behavior.afterFailure(error: error) }
                throw error
            }
        }
    }

    /// Returns a client whose responses are stored as if the server had sent another `Cache-Control`.
    ///
    /// It is for a server that forbids to store any response of a user who has signed in:
    ///
    /// ```swift
    /// let client = NetworkClient(baseURL: api).overridingCacheControl("private, max-age=0")
    /// ```
    ///
    /// See ``NetworkRequest/overridingCacheControl(_:)``, which takes precedence for a single request. It also replaces
    /// the `max-age` of responses that may be stored, and one that must not be stored needs a request with `no-store`.
    ///
    /// - Parameter value: The value that takes the place of that of the server (RFC 9111 §5.2.2).
    /// - Returns: A client whose responses have this value.
    public func overridingCacheControl(_ value: String) -> NetworkClient {
        var client = self
        client.responseCacheControl = value
        return client
    }

    /// Returns a URL, and its spelling in requests: with percent-encoded segments, and with the slash of the client.
    func spellings(of url: URL) -> [URL] {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return [url]
        }
        let (path, base) = (components.percentEncodedPath, baseURL.path(percentEncoded: true))
        // The path of the base URL is sent as it is.
        let baseLength = path.hasPrefix(base) ? base.count : 0
        var spelling = path.dropFirst(baseLength)
            .split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.removingPercentEncoding?.percentEncoded ?? String($0) }
            .joined(separator: "/")
        spelling = path.prefix(baseLength) + spelling
        if appendsSlash, !spelling.hasSuffix("/") { spelling += "/" }
        guard spelling != path else { return [url] }
        components.percentEncodedPath = spelling
        return [url, components.url].compactMap(\.self)
    }

    /// Returns a client that has further behaviors, outside of its own.
    func with(behaviors: [any RequestBehavior]) -> NetworkClient {
        var client = self
        client.behaviors = behaviors + self.behaviors
        return client
    }

    /// Returns a client that has further behaviors, inside of its own, and sends the requests of a session.
    func adding(
        _ innerBehaviors: [any RequestBehavior],
        query: [String: String?] = [:],
        for session: UserSession
    ) -> NetworkClient {
        var client = self
        client.query = .init(namesAndValues: query.sorted { $0.key < $1.key })
        client.behaviors = behaviors.isEmpty ? innerBehaviors : behaviors + innerBehaviors
        client.session = session
        return client
    }

    private func output<Output>(
        of request: NetworkRequest<Output>,
        through behaviors: [any RequestBehavior],
        in operation: ServiceOperation?
    ) async throws -> Output {
        let request = request.changing { $0.failureCheck.add(failureCheck) }
        let outgoing = try prepare(request.parts, in: operation)
        do {
            var response = try await exchange(outgoing, through: behaviors, in: operation)
            // A behavior may return the response of another request, which expected its failure.
            response.expectedProblem = nil
            response.statusCode = response.sentStatusCode ?? response.statusCode
            if !response.isSuccess {
                let error = failure(response).adding(response.attempts)
                response.expectedProblem = try request.expectedProblem(in: error)
            }
            return try decode(response, of: request)
        } catch let error where error.isCancellation || session?.isOpen == false {
            throw CancellationError()
        } catch let error as NetworkError {
            throw error.attributed(to: outgoing)
        } catch {
            guard let systemError = error.urlError else { throw error }
            throw NetworkError(systemError, request: FailedRequest(outgoing))
        }
    }

    /// Creates the request that passes through the behaviors, with what belongs to it.
    private func prepare(
        _ parts: RequestParts,
        in operation: ServiceOperation?
    ) throws -> OutgoingRequest {
        try Task.checkCancellation()
        func outgoing(_ parts: RequestParts) throws -> OutgoingRequest {
            try parts.outgoing(
                relativeTo: baseURL,
                appendsSlash: appendsSlash,
                policy: operation?.policy ?? .standard,
                makeEncoder: makeEncoder
            )
        }
        var complete = parts
        complete.query += query.filter { item in !parts.query.contains { $0.name == item.name } }
        var request = try outgoing(complete)
        guard session?.isOpen != false else { throw TokenError.sessionEnded }
        request.session = session
        request.makeDecoder = makeDecoder
        request.responseCacheControl = request.responseCacheControl ?? responseCacheControl
        request.isAfterFailure = parts.isAfterFailure || operation?.isAfterFailure == true
        request.failureCheck = parts.failureCheck?.ignoring(parts.expectedProblems)
        if !parts.expectedProblems.isEmpty {
            request.expectedProblem = { [failure] response in
                failure(response).problem(in: parts.expectedProblems)
            }
        }
        if let operation {
            operation.record(session)
            request.ignoresKeys = operation.ignoresKeys
            if !request.isSafe, let attempt = operation.attempt {
                // Without the items of the user: another currency must not change the key.
                request.changeKey = try attempt.key(query.isEmpty ? request : outgoing(parts))
            }
            guard operation.policy?.allowsNetwork != false || request.isSafe else {
                throw NetworkError(.notCached, request: request)
            }
        }
        return request
    }

    /// Sends a request through the behaviors.
    private func exchange(
        _ request: OutgoingRequest,
        through behaviors: [any RequestBehavior],
        in operation: ServiceOperation?
    ) async throws -> NetworkResponse {
        do {
            var response = try await NetworkExchange(behaviors) {
                try await self.response(to: $0)
            }(request)
            response.makeDecoder = makeDecoder
            // URLs in the body and in header fields may be relative to the URL of the response.
            response.url = response.url ?? request.url
            operation?.record(response, to: request)
            return response
        } catch var error as NetworkError {
            // Another request may have failed, such as that of a token.
            error.isOfFurtherRequest = error.isOfOtherRequest
            if error.isMisleading {
                let attempts = error.attempts
                error = NetworkError(
                    .unexpected,
                    request: request,
                    underlying: error,
                    details:
                        "A request that this one needs has failed, such as the refresh of its token. Correct "
                        + "the underlying error."
                )
                error.attempts = attempts
            }
            if request.failureCheck != nil || statusCode != nil { error.mayHideFailure = true }
            throw error
        }
    }

    /// Sends a request as the behaviors have left it.
    private func response(to request: OutgoingRequest) async throws -> NetworkResponse {
        // A behavior may send a further request after the task was cancelled or the user signed out.
        try Task.checkCancellation()
        guard request.session?.isOpen != false else { throw ServiceSignedOut() }
        var request = request
        if let accept = headers["Accept"], let replaced = request.headers["Accept"],
            RequestParts.defaultAccepts.contains(replaced)
        {
            request.headers["Accept"] = accept
        }
        request.add(headers)
        // Within one attempt, a behavior may send a request twice, and refresh a token before.
        try request.limitTimeout()
        let urlRequest = try request.urlRequest()
        do {
            var response = try await networking.response(for: urlRequest)
            response.makeDecoder = makeDecoder
            response.url = response.url ?? request.url
            if let code = statusCode?(response), (200...599).contains(code) {
                response.statusCode = code
            }
            if response.isSuccess { request.failureCheck?.setStatusCode(of: &response) }
            return response
        } catch var error as NetworkError {
            // A `URLRequest` does not state whether a `POST` only reads.
            if request.isSafe { error.isOfRead = true }
            throw error
        }
    }

    /// Decodes a response; one that cannot be decoded is not served again by a cache.
    private func decode<Output>(
        _ response: NetworkResponse,
        of request: NetworkRequest<Output>
    ) throws -> Output {
        do {
            let output = try request.output(of: response)
            guard session?.isOpen != false else { throw CancellationError() }
            return output
        } catch {
            response.stored?.remove()
            throw error.adding(response.attempts)
        }
    }
}

extension NetworkClient: CustomStringConvertible, RedactedInDumps {
    /// The base URL without secrets.
    public var description: String {
        "NetworkClient(\(baseURL.withoutSecrets?.absoluteString ?? ""))"
    }
}
