import Synchronization

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A behavior that sends the hash of a GraphQL query in place of its text, over `GET`.
///
/// These are “automatic persisted queries”, which Apollo Server, GraphQL Yoga, Hot Chocolate and
/// other servers implement. Requests are smaller, and a CDN can store the responses. If the server
/// does not know the hash, the query is sent once more as a `POST`, with its text and its hash, and
/// the server then knows it.
///
/// ```swift
/// let client = NetworkClient(
///     baseURL: api,
///     behaviors: [
///         CachingBehavior(cache: cache, partition: { session.userID }),
///         CoalescingBehavior(partition: { session.userID }),
///         PersistedQueryBehavior(),
///         RetryBehavior(),
///     ]
/// )
/// ```
///
/// It applies to a `POST` that ``NetworkRequest/reading(as:)`` declares to be a read, and whose body
/// is a JSON object with a `query`. All other requests are sent unchanged, such as mutations.
///
/// The `variables` become part of the URL, which servers often log. Do not use the behavior if they
/// contain secrets. A request whose URL would exceed 8,000 bytes is sent unchanged.
///
/// If the server refuses a hashed query and executes its text, it does not support hashed queries or
/// `GET`. After that, all requests are sent unchanged.
///
/// **Position.** Place it inside of ``CachingBehavior`` and ``CoalescingBehavior``, which then treat
/// the `GET` and the `POST` as one request, and outside of ``RetryBehavior`` and ``TokenBehavior``,
/// which then retry and sign both.
public final class PersistedQueryBehavior: RequestBehavior {
    private let isSupported = Mutex(true)

    /// Creates a behavior.
    ///
    /// Use one instance for each server, because it stores whether the server supports it.
    public init() {}

    /// Sends a query by its hash, and with its text if the server requires that.
    public func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard isSupported.withLock(\.self), let query = PersistedQuery(request) else {
            return try await next(request)
        }
        var response = try await next(query.hashedRequest)
        switch PersistedQuery.Outcome(response) {
        case .unknownHash:
            response = try await next(query.registration)
            guard case .refused = PersistedQuery.Outcome(response) else { return response }
            return try await sendUnchanged(request, next)
        case .refused:
            return try await sendUnchanged(request, next)
        case .tooLong:
            return try await next(request)
        case .final:
            // Whether it was sent as a GET or a POST makes no difference to the caller and the cache.
            if response.url == query.hashedRequest.url { response.url = request.url }
            return response
        }
    }
}

extension PersistedQueryBehavior {
    /// Sends the text after a hash was refused.
    private func sendUnchanged(
        _ request: URLRequest,
        _ next: NetworkExchange
    ) async throws -> NetworkResponse {
        let response = try await next(request)
        if response.hasData { isSupported.withLock { $0 = false } }
        return response
    }
}

/// The two forms of a query: with its hash only, and with both text and hash.
private struct PersistedQuery {
    /// The query as a `GET` with its hash.
    let hashedRequest: URLRequest
    /// The query as a `POST` with its text and its hash.
    let registration: URLRequest

    /// The maximum length of a URL that all servers should accept (RFC 9110 §4.1).
    private static let maximumLength = 8_000

    /// Creates both forms; `nil` if the request is not a query that may be sent as a `GET`.
    init?(_ request: URLRequest) {
        guard request.method == "POST", request.isRead, let url = request.url,
            let body = request.httpBody, let members = JSONMembers(body),
            members["extensions"] == nil,
            let query = members["query"].flatMap({
                try? JSONDecoder().decode(String.self, from: $0)
            })
        else { return nil }
        let hash = SHA256.hexadecimalDigest(of: query.utf8)
        let extensions = #"{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}"#
        var items = [("extensions", extensions)]
        if let variables = members["variables"] {
            items.append(("variables", String(decoding: variables, as: UTF8.self)))
        }
        if let text = members["operationName"],
            let name = try? JSONDecoder().decode(String?.self, from: text)
        {
            items.append(("operationName", name))
        }
        guard let hashedURL = url.adding(items),
            hashedURL.absoluteString.utf8.count <= Self.maximumLength
        else { return nil }
        var hashed = request.withoutReadDeclaration
        hashed.url = hashedURL
        hashed.httpMethod = "GET"
        hashed.httpBody = nil
        hashedRequest = hashed
        var registration = request
        let start = body.prefix { $0 != .openBrace } + [.openBrace]
        registration.httpBody =
            start + Data(#""extensions":\#(extensions),"#.utf8) + body.dropFirst(start.count)
        self.registration = registration
    }
}

extension PersistedQuery {
    /// The report of a server about a hash.
    enum Outcome {
        /// It does not know the hash.
        case unknownHash
        /// It does not support hashed queries or `GET`, or the query is not valid.
        case refused
        /// It does not accept a URL of this length.
        case tooLong
        /// The response is that to the query.
        case final

        init(_ response: NetworkResponse) {
            let failures = Failure.failures(in: response)
            if let outcome = failures.lazy.compactMap(\.outcome).first {
                self = outcome
                return
            }
            switch response.statusCode {
            case 414: self = .tooLong
            // The credentials are missing, or the server is busy.
            case 401, 407, 408, 425, 429: self = .final
            case 400..<500, 501: self = .refused
            case 200..<300 where response.isNotJSON(accepting: "application/json"): self = .refused
            // Without data, the query was not executed.
            case 200..<300 where !failures.isEmpty && !response.hasData: self = .refused
            default: self = .final
            }
        }
    }

    /// An error in the response of a GraphQL server.
    private struct Failure: Decodable {
        struct Extensions: Decodable {
            let code: String?
        }

        let message: String?
        let extensions: Extensions?

        /// The report of the error about the hash; `nil` for another error.
        var outcome: Outcome? {
            switch (message, extensions?.code) {
            case ("PersistedQueryNotFound", _), (_, "PERSISTED_QUERY_NOT_FOUND"): .unknownHash
            case ("PersistedQueryNotSupported", _), (_, "PERSISTED_QUERY_NOT_SUPPORTED"):
                .refused
            default: nil
            }
        }

        /// The errors of a response that may be about the request.
        ///
        /// Only such a response is decoded, and none that is larger than such a response can be.
        static func failures(in response: NetworkResponse) -> [Failure] {
            guard response.body.count <= 64 << 10,
                response.body.range(of: Data(#""errors""#.utf8)) != nil
            else { return [] }
            return (try? response.json([Failure].self, at: "errors")) ?? []
        }
    }
}

extension NetworkResponse {
    /// Whether it is a success with a member `data`, which is in a GraphQL response if the query was
    /// executed.
    fileprivate var hasData: Bool {
        (200..<300).contains(statusCode) && JSONMembers(body)?["data"] != nil
    }
}

extension URL {
    /// Returns the URL with further query items.
    fileprivate func adding(_ items: [(name: String, value: String)]) -> URL? {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return nil
        }
        let items = items.map { "\($0.name)=\($0.value.percentEncoded)" }
        components.percentEncodedQuery =
            ([components.percentEncodedQuery].compactMap(\.self) + items)
            .filter { !$0.isEmpty }
            .joined(separator: "&")
        return components.url
    }
}
