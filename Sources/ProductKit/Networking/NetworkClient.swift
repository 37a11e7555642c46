public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends typed requests to one API.
///
/// A client adds nothing to its requests. Tokens, retries and caching are up to its behaviors.
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
    private let behaviors: [any RequestBehavior]
    private let failure: @Sendable (NetworkResponse) -> any Error

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: The URL of the API, such as `https://api.example.com/v1`.
    ///   - networking: Sends the requests.
    ///   - behaviors: The behaviors of every request, the outermost first.
    ///   - failure: Creates the error for a response whose status code is not between 200 and 299.
    ///     The default reads problem details (RFC 9457).
    public init(
        baseURL: URL,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = [],
        failure: @escaping @Sendable (NetworkResponse) -> any Error = { NetworkError($0) }
    ) {
        self.baseURL = baseURL
        self.networking = networking
        self.behaviors = behaviors
        self.failure = failure
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
    ///   networking, unchanged except that a `URLError` becomes a ``NetworkError``.
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
            behavior.afterFailure(error: error)
            throw error
        }
    }

    /// The stores of responses among the behaviors of the client.
    var responseStores: any ResponseStoring { CombinedBehavior(behaviors) }

    /// Returns a client that has further behaviors, outside of its own.
    func inside(of outerBehaviors: [any RequestBehavior]) -> NetworkClient {
        with(behaviors: outerBehaviors + behaviors)
    }

    /// Returns a client that has further behaviors, inside of its own.
    func outside(of innerBehaviors: [any RequestBehavior]) -> NetworkClient {
        with(behaviors: behaviors + innerBehaviors)
    }

    private func with(behaviors: [any RequestBehavior]) -> NetworkClient {
        NetworkClient(
            baseURL: baseURL,
            networking: networking,
            behaviors: behaviors,
            failure: failure
        )
    }

    private func output<Output>(
        of request: NetworkRequest<Output>,
        behavior: CombinedBehavior,
        in operation: ServiceOperation?
    ) async throws -> Output {
        try Task.checkCancellation()
        let urlRequest = try request.urlRequest(
            relativeTo: baseURL,
            policy: operation?.policy ?? .standard
        )
        let networking = networking
        let exchange = NetworkExchange { request in
            // A behavior may send a further request after the task was cancelled.
            try Task.checkCancellation()
            try request.validate()
            return try await networking.response(for: request)
        }
        do {
            var response = try await ServiceOperation.leaving(operation) {
                try await behavior.intercept(urlRequest, next: exchange)
            }
            // URLs in the body and in header fields may be relative to the URL of the response.
            response.url = response.url ?? urlRequest.url
            operation?.record(response, to: urlRequest) { [response] in
                behavior.removeUndecodable(response, for: urlRequest)
            }
            guard (200..<300).contains(response.statusCode) else {
                throw failure(response).adding(response.attempts)
            }
            do {
                return try request.output(of: response)
            } catch {
                behavior.removeUndecodable(response, for: urlRequest)
                throw error.adding(response.attempts)
            }
        } catch let error where error.isCancellation {
            throw CancellationError()
        } catch let error as NetworkError {
            throw error.attributed(to: urlRequest)
        } catch {
            guard let systemError = error.urlError else { throw error }
            throw NetworkError(systemError, request: urlRequest)
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
