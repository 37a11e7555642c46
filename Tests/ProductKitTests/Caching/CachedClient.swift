import Foundation
import ProductKit

/// A client with a cache, whose server is a closure given with each request.
///
/// The clock stands still until a test moves ``clock``.
struct CachedClient: Sendable {
    typealias Server = @Sendable (URLRequest) async throws -> NetworkResponse

    let clock: ManualClock
    let cache: ResponseCache
    let behavior: CachingBehavior
    /// The partition of the cache that requests use.
    @Observed var partition: String
    /// The requests that the server received, in order.
    @Observed private(set) var requests: [URLRequest] = []
    private let lookups = Counter()

    init(
        cache: ResponseCache = ResponseCache(),
        related: (@Sendable (URL) -> [URL])? = { _ in [] },
        heuristicFraction: Double = 0.1,
        maximumHeuristicLifetime: Duration = .seconds(3_600),
        staleIfErrorLimit: Duration = .seconds(86_400)
    ) {
        let clock = ManualClock(skipsDelays: true)
        self.clock = clock
        self.cache = cache
        let partition = Observed(wrappedValue: "")
        _partition = partition
        behavior = CachingBehavior(
            cache: cache,
            partition: { [lookups] in
                lookups.next()
                return partition.wrappedValue
            },
            related: related,
            heuristicFraction: heuristicFraction,
            maximumHeuristicLifetime: maximumHeuristicLifetime,
            staleIfErrorLimit: staleIfErrorLimit,
            effects: clock.effects()
        )
    }

    /// How often a lookup was about to begin, or a response was about to be returned.
    var lookupCount: Int { lookups.count }

    /// The number of requests that the server received.
    var requestCount: Int { requests.count }

    /// The `If-None-Match` of the last request.
    var lastCondition: String? { requests.last?.value(forHTTPHeaderField: "If-None-Match") }

    /// Sends a request through the cache.
    @discardableResult func send(
        _ method: String = "GET",
        _ path: String = "products/boots",
        headers: [String: String] = [:],
        policy: FetchPolicy = .standard,
        server: @escaping Server = { _ in NetworkResponse(statusCode: 599) }
    ) async throws -> NetworkResponse {
        try await send(
            OutgoingRequest(method, .shop(path)),
            headers: headers,
            policy: policy,
            server: server
        )
    }

    /// Sends a request with further header fields through the cache.
    @discardableResult func send(
        _ request: OutgoingRequest,
        headers: [String: String] = [:],
        policy: FetchPolicy = .standard,
        server: @escaping Server
    ) async throws -> NetworkResponse {
        var request = request
        for (name, value) in headers { request.headers[name] = value }
        request.policy = policy
        return try await behavior.send(request) { request in
            _requests.change { $0.append(request) }
            return try await server(request)
        }
    }

    /// Sends a request whose response the cache stores.
    func store(
        _ body: String = "boots",
        _ path: String = "products/boots",
        headers: [String: String] = [:],
        responseHeaders: NetworkHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
    ) async throws {
        try await send("GET", path, headers: headers) { _ in .text(body, headers: responseHeaders) }
    }

    /// Stores a response that has just become stale.
    func storeStale(_ body: String = "old", _ path: String = "products/boots") async throws {
        try await store(body, path)
        clock.advance(by: .seconds(60))
    }

    /// Stores a response that varies by `X-Mode`; its body is the mode unless another one is given.
    func storeVariant(_ mode: String, _ body: String? = nil) async throws {
        try await store(
            body ?? mode,
            headers: ["X-Mode": mode],
            responseHeaders: ["Cache-Control": "max-age=60", "Vary": "X-Mode"]
        )
    }

    /// Returns whether a `GET` reaches the server.
    func sendsRequest(
        _ path: String = "products/boots",
        headers: [String: String] = [:],
        policy: FetchPolicy = .standard
    ) async -> Bool {
        let before = requestCount
        _ = try? await send("GET", path, headers: headers, policy: policy)
        return requestCount > before
    }

    /// Returns a network client with this cache, and further behaviors inside of it.
    func network(_ behaviors: any RequestBehavior..., server: @escaping Server) -> NetworkClient {
        NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                _requests.change { $0.append(request) }
                return try await server(request)
            },
            behaviors: [behavior] + behaviors
        )
    }

    /// Returns a network client with this cache, whose server returns each of these responses once,
    /// and cannot be reached afterwards.
    func network(returning responses: NetworkResponse...) -> NetworkClient {
        let sends = Counter()
        return network { _ in
            let number = sends.next()
            guard number <= responses.count else { throw NetworkError(.unreachable) }
            return responses[number - 1]
        }
    }
}

/// A change of a cache that is not a response.
enum CacheChange {
    case removed, allRemoved, invalidated
}

extension ResponseCache {
    /// Makes a change of the responses of a URL, or of all.
    func make(_ change: CacheChange, of path: String = "products/boots") {
        switch change {
        case .removed: remove(.shop(path), partition: "")
        case .allRemoved: removeAll()
        case .invalidated: invalidate(.shop(path), partition: "")
        }
    }
}

extension URL {
    /// The URL of a resource of the API.
    static func shop(_ path: String) -> URL {
        URL(string: "https://api.example.com/v1/\(path)") ?? .api
    }
}

extension NetworkResponse {
    /// A response with a body of text.
    static func text(
        _ text: String,
        statusCode: Int = 200,
        headers: NetworkHeaders = [:]
    ) -> NetworkResponse {
        NetworkResponse(statusCode: statusCode, headers: headers, body: Data(text.utf8))
    }

    /// A response with a body of text that is fresh for a minute.
    static func fresh(_ text: String = "new", statusCode: Int = 200) -> NetworkResponse {
        .text(text, statusCode: statusCode, headers: .fresh)
    }

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension NetworkHeaders {
    /// The header fields of a response that is fresh for a minute.
    static let fresh: NetworkHeaders = ["Cache-Control": "max-age=60"]
}

/// A server that cannot be reached.
let unreachable: CachedClient.Server = { _ in throw NetworkError(.unreachable) }
