import Foundation
import ProductKit
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A cache before a server that each question scripts, in a time that stands still.
final class CachedShop: Sendable {
    typealias Answer = @Sendable (URLRequest) async throws -> NetworkResponse

    let timeline: Timeline
    let cache: ResponseCache
    let behavior: CachingBehavior
    private let log = Mutex<[URLRequest]>([])
    private let box: ScopeBox

    init(
        cache: ResponseCache = ResponseCache(),
        policy: CachePolicy = CachePolicy(),
        related: @escaping @Sendable (URL) -> [URL] = { _ in [] }
    ) {
        let timeline = Timeline()
        self.timeline = timeline
        self.cache = cache
        let box = ScopeBox()
        behavior = CachingBehavior(
            cache: cache,
            policy: policy,
            partition: { box.partition },
            related: related,
            now: { timeline.now }
        )
        self.box = box
    }

    /// Whose answers are stored and found.
    var partition: String {
        get { box.partition }
        set { box.partition = newValue }
    }

    /// What went out, in order.
    var asked: [URLRequest] { log.withLock(\.self) }

    /// How often something went out.
    var asks: Int { asked.count }

    /// Sends a request through the cache.
    @discardableResult func send(
        _ method: String = "GET",
        _ path: String = "products/boots",
        headers: [String: String] = [:],
        policy: FetchPolicy = .standard,
        answer: @escaping Answer = { _ in NetworkResponse(statusCode: 599) }
    ) async throws -> NetworkResponse {
        var request = URLRequest(method, .shop(path), headers: headers)
        policy.apply(to: &request)
        return try await behavior.send(request) { request in
            self.log.withLock { $0.append(request) }
            return try await answer(request)
        }
    }

    /// Stores an answer for what is asked.
    func store(
        _ body: String = "boots",
        _ path: String = "products/boots",
        headers: [String: String] = [:],
        answer: NetworkHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
    ) async throws {
        try await send("GET", path, headers: headers) { _ in .text(body, headers: answer) }
    }

    /// Whether a question goes out.
    func asks(
        _ path: String = "products/boots",
        headers: [String: String] = [:],
        policy: FetchPolicy = .standard
    ) async -> Bool {
        let before = asks
        _ = try? await send("GET", path, headers: headers, policy: policy)
        return asks > before
    }
}

/// A name that may change.
private final class ScopeBox: Sendable {
    private let name = Mutex("")

    var partition: String {
        get { name.withLock(\.self) }
        set { name.withLock { $0 = newValue } }
    }
}

extension URL {
    /// An address of the API.
    static func shop(_ path: String) -> URL {
        URL(string: "https://api.example.com/v1/\(path)") ?? .api
    }
}

extension NetworkResponse {
    /// An answer of text.
    static func text(
        _ text: String,
        statusCode: Int = 200,
        headers: NetworkHeaders = [:]
    ) -> NetworkResponse {
        NetworkResponse(statusCode: statusCode, headers: headers, body: Data(text.utf8))
    }

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// Connections fail.
let noConnection: CachedShop.Answer = { _ in throw NetworkError(.unreachable) }
