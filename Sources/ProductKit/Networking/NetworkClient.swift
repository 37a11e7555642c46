public import Foundation

/// Sends typed requests to one API.
///
/// A client adds nothing to its requests but the directive of their ``FetchPolicy``. Tokens, retries and
/// caching are up to its behaviors.
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
    private var behaviors: [any RequestBehavior]
    private let appendsSlash: Bool
    private let makeDecoder: (@Sendable () -> JSONDecoder)?
    private let makeEncoder: (@Sendable () -> JSONEncoder)?
    private let failure: @Sendable (NetworkResponse) -> any Error
    /// The session of the service whose requests the client sends; `nil` outside of a service.
    private var session: UserSession?
    /// Detects failures in responses with a success status; `nil` for none.
    var failureCheck: FailureCheck?

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: The URL of the API, such as `https://api.example.com/v1`.
    ///   - networking: Sends the requests.
    ///   - behaviors: The behaviors of every request, the outermost first.
    ///   - appendsSlash: Whether the path of each request ends in a slash, as Django REST framework
    ///     requires: `products/7/`. A request without segments is sent to the base URL as it is.
    ///   - decoder: Creates the decoder for each response, for example with a strategy for dates or
    ///     names. Return a new one each time: the client adds to its `userInfo`. `nil`, the default,
    ///     is `JSONDecoder()`.
    ///   - encoder: Creates the encoder for each JSON body. `nil`, the default, is an encoder that
    ///     sorts the keys and does not escape slashes.
    ///   - failure: Creates the error for a response whose status code is not between 200 and 299.
    ///     The default reads problem details (RFC 9457).
    public init(
        baseURL: URL,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = [],
        appendsSlash: Bool = false,
        decoder: (@Sendable () -> JSONDecoder)? = nil,
        encoder: (@Sendable () -> JSONEncoder)? = nil,
        failure: @escaping @Sendable (NetworkResponse) -> any Error = { NetworkError($0) }
    ) {
        self.baseURL = baseURL
        self.networking = networking
        self.behaviors = behaviors
        self.appendsSlash = appendsSlash
        makeDecoder = decoder
        makeEncoder = encoder
        self.failure = failure
    }

    /// Creates a client for a test that must not send a request.
    ///
    /// Every request throws ``UnimplementedAction``; see
    /// ``Networking/unimplemented(otherwise:file:line:)``. Its base URL is one that never exists
    /// (RFC 2606 §2).
    ///
    /// - Parameters:
    ///   - otherwise: Receives the error of each request before it is thrown. Use
    ///     `{ Issue.record($0) }` to fail a test even if the error is caught.
    ///   - file: The file to name in the error.
    ///   - line: The line to name in the error.
    /// - Returns: A client that sends nothing.
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
    /// - Throws: `CancellationError` if the calling task is cancelled; ``NetworkError`` if the
    ///   request is not valid, there is no response or it cannot be decoded; the error of `failure`
    ///   if the status code is not between 200 and 299; and other errors of your behaviors and
    ///   networking, unchanged except that a `URLError` becomes a ``NetworkError``. A
    ///   ``NetworkError`` may be replaced, see ``NetworkRequest/throwing(_:for:)``.
    @concurrent public func send<Output>(
        _ request: NetworkRequest<Output>,
        behaviors: [any RequestBehavior] = []
    ) async throws -> Output {
        let operation = ServiceOperation.current
        let behavior = CombinedBehavior(
            behaviors + (operation?.behaviors ?? []) + self.behaviors
        )
        behavior.beforeSend()
        do {
            let output = try await output(of: request, behavior: behavior, in: operation)
            behavior.afterSuccess(result: output)
            return output
        } catch {
            let error = request.replacement(for: error)
            behavior.afterFailure(error: error)
            throw error
        }
    }

    /// The stores of responses among the behaviors of the client.
    ///
    /// They invalidate a URL also with the final slash that the requests of the client have.
    var responseStores: any ResponseStoring {
        let stores = CombinedBehavior(behaviors)
        return appendsSlash ? SlashAppendingStores(stores: stores) : stores
    }

    /// Whether one of the client's behaviors has a type.
    func hasBehavior<Behavior: RequestBehavior>(_ type: Behavior.Type) -> Bool {
        CombinedBehavior(behaviors).contains(type)
    }

    /// Returns a client that has further behaviors, outside of its own.
    func inside(of outerBehaviors: [any RequestBehavior]) -> NetworkClient {
        with(behaviors: outerBehaviors + behaviors)
    }

    /// Returns a client that has further behaviors, inside of its own, and sends the requests of a session.
    func outside(
        of innerBehaviors: [any RequestBehavior],
        for session: UserSession
    ) -> NetworkClient {
        var client = with(behaviors: behaviors + innerBehaviors)
        client.session = session
        return client
    }

    private func with(behaviors: [any RequestBehavior]) -> NetworkClient {
        var client = self
        client.behaviors = behaviors
        return client
    }

    private func output<Output>(
        of request: NetworkRequest<Output>,
        behavior: CombinedBehavior,
        in operation: ServiceOperation?
    ) async throws -> Output {
        try Task.checkCancellation()
        let request = request.checked(by: failureCheck)
        var outgoing = try request.outgoing(
            relativeTo: baseURL,
            appendsSlash: appendsSlash,
            policy: operation?.policy ?? .standard,
            makeEncoder: makeEncoder
        )
        outgoing.failureCheck = request.failureCheck?.decoding(with: makeDecoder)
        outgoing.session = session
        guard session?.isOpen != false else { throw TokenError.sessionEnded }
        let networking = networking
        let exchange = NetworkExchange { request in
            // A behavior may send a further request after the task was cancelled or the user signed out.
            try Task.checkCancellation()
            guard request.session?.isOpen != false else { throw SessionEnded() }
            let request = try request.urlRequest()
            do {
                return try await networking.response(for: request)
            } catch var error as NetworkError {
                // A transport may use a client: its error is about this request.
                error.isOfOtherRequest = false
                throw error
            }
        }
        var isChecked = false
        do {
            guard operation?.policy.allowsNetwork ?? true || outgoing.isSafe else {
                throw NetworkError(.notCached)
            }
            var response = try await ServiceOperation.leaving(operation) { [outgoing] in
                do {
                    return try await behavior.intercept(outgoing, next: exchange)
                } catch let error as NetworkError where error.isMisleading {
                    // Another request has failed, such as that of a token.
                    throw NetworkError(.unexpected, request: outgoing, underlying: error)
                }
            }
            response.context.makeDecoder = makeDecoder
            // URLs in the body and in header fields may be relative to the URL of the response.
            response.url = response.url ?? outgoing.url
            operation?.record(response, to: outgoing) { [outgoing] response in
                behavior.removeUndecodable(response, for: outgoing)
            }
            guard (200..<300).contains(response.statusCode) else {
                throw failure(response).adding(response.attempts)
            }
            isChecked = true
            do {
                let output = try request.output(of: response)
                guard session?.isOpen != false else { throw CancellationError() }
                return output
            } catch {
                // A response of the network that reports a failure has not been stored.
                if response.source != .network || request.failureCheck?.fails(response) != true {
                    behavior.removeUndecodable(response, for: outgoing)
                }
                throw error.adding(response.attempts)
            }
        } catch let error where error.isCancellation || session?.isOpen == false {
            throw CancellationError()
        } catch let error as NetworkError {
            var error = error.attributed(to: outgoing)
            error.mayHideFailure = request.failureCheck != nil && !isChecked
            throw error.ofOtherRequest
        } catch {
            guard let systemError = error.urlError else { throw error }
            throw NetworkError(systemError, request: FailedRequest(outgoing)).ofOtherRequest
        }
    }
}

extension NetworkClient: CustomStringConvertible, CustomReflectable {
    /// The base URL without secrets.
    public var description: String {
        "NetworkClient(\(baseURL.withoutSecrets?.absoluteString ?? ""))"
    }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The stores of a client whose requests end in a slash.
private struct SlashAppendingStores: ResponseStoring {
    let stores: CombinedBehavior

    func removeUndecodable(_ response: NetworkResponse, for request: OutgoingRequest) {
        stores.removeUndecodable(response, for: request)
    }

    func invalidate(_ url: URL, for session: UserSession?) {
        stores.invalidate(url, for: session)
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            !components.percentEncodedPath.hasSuffix("/")
        else { return }
        components.percentEncodedPath += "/"
        if let slashed = components.url { stores.invalidate(slashed, for: session) }
    }

    func removeAll() { stores.removeAll() }
}
