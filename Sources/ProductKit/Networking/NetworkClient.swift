public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends typed requests to one API.
///
/// A client has no behavior of its own: what you see is what is sent.
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
    /// Where the API lives; the paths of requests go below it.
    public let baseURL: URL
    private let networking: any Networking
    private let behaviors: [any RequestBehavior]
    private let failure: @Sendable (NetworkResponse) -> any Error

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: Where the API lives, such as `https://api.example.com/v1`.
    ///   - networking: What carries the requests.
    ///   - behaviors: What happens around every request, the outermost first.
    ///   - failure: Makes the error for an answer whose status is not between 200 and 299. The
    ///     default reads problem details (RFC 9457).
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

    /// Sends a request and reads the answer, away from the caller's actor.
    ///
    /// - Parameters:
    ///   - request: What to send and how to read the answer.
    ///   - behaviors: What happens around this request alone, outside of the client's own.
    /// - Returns: What the request makes of the answer.
    /// - Throws: `CancellationError` when the calling task was cancelled; ``NetworkError`` when the
    ///   request could not be built, no answer came, or it could not be read; what `failure` makes
    ///   of an answer that is no success; and, unchanged, what behaviors and networking of yours
    ///   throw.
    @concurrent public func send<Output>(
        _ request: NetworkRequest<Output>,
        behaviors: [any RequestBehavior] = []
    ) async throws -> Output {
        let behavior = CombinedBehavior(behaviors + self.behaviors)
        behavior.beforeSend()
        do {
            let output = try await output(of: request, behavior: behavior)
            behavior.afterSuccess(result: output)
            return output
        } catch {
            behavior.afterFailure(error: error)
            throw error
        }
    }

    private func output<Output>(
        of request: NetworkRequest<Output>,
        behavior: CombinedBehavior
    ) async throws -> Output {
        try Task.checkCancellation()
        let urlRequest = try request.urlRequest(relativeTo: baseURL)
        let networking = networking
        let wire = NetworkExchange { request in
            // A behavior may ask again when nobody waits any longer.
            try Task.checkCancellation()
            try request.validate()
            return try await networking.response(for: request)
        }
        do {
            var response = try await behavior.intercept(urlRequest, next: wire)
            guard (200..<300).contains(response.statusCode) else { throw failure(response) }
            // What stands in an answer may be relative to where it came from.
            response.url = response.url ?? urlRequest.url
            do {
                return try request.read(response)
            } catch {
                behavior.removeUndecodable(response, for: urlRequest)
                throw error
            }
        } catch let error as NetworkError {
            throw error.about(urlRequest)
        } catch let error as URLError where error.code == .cancelled && Task.isCancelled {
            throw CancellationError()
        } catch let error as URLError {
            throw NetworkError(error, request: urlRequest)
        }
    }
}
