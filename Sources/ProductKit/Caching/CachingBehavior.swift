public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Answers what is known already, and asks cheaply for the rest: a private HTTP cache (RFC 9111).
///
/// **Where it stands.** Outside of ``CoalescingBehavior`` and ``RetryBehavior``: what is fresh needs
/// neither, and it falls back on what is stored only after both gave up. Outside of ``TokenBehavior``:
/// a renewed token changes nothing that is stored. Inside of what adds fields that the server selects
/// by, such as `Accept-Language`.
///
/// **Offline**, an answer stands in for up to a day past its freshness unless somebody says otherwise,
/// marked as ``FetchSource/Code-swift.struct/standIn``. **Asked twice**, an answer that is fresh comes
/// from memory; behind a stale one that may be given meanwhile, one refresh runs, however many ask.
/// **Cancelled**, a question throws `CancellationError` and stores nothing; a refresh goes on, as nobody
/// waits for it.
///
/// What ``FetchPolicy`` a request travels with decides who may answer. A mutation makes old what it
/// touched before its caller goes on.
public final class CachingBehavior: RequestBehavior {
    /// What is stored.
    public let cache: ResponseCache
    let policy: CachePolicy
    let scope: @Sendable () -> String?
    let related: @Sendable (URL) -> [URL]
    let now: @Sendable () -> Date
    let refreshes = Mutex<Set<CacheKey>>([])

    /// Creates a behaviour over a cache.
    ///
    /// - Parameters:
    ///   - cache: What keeps the answers.
    ///   - policy: What it may do.
    ///   - scope: Names the user, asked at each question and at its answer. What is stored for one is
    ///     never given to another, and an answer to somebody who is gone is dropped. For `nil`, nobody
    ///     in particular, nothing is read or stored.
    ///   - related: Further addresses that a mutation of one makes old, whatever their query; see
    ///     ``CachePolicy/relatedByContract(baseURL:)``.
    ///   - now: The time of day.
    public init(
        cache: ResponseCache = ResponseCache(),
        policy: CachePolicy = CachePolicy(),
        scope: @escaping @Sendable () -> String? = { "" },
        related: @escaping @Sendable (URL) -> [URL] = { _ in [] },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.cache = cache
        self.policy = policy
        self.scope = scope
        self.related = related
        self.now = now
    }

    /// Answers from the cache, or asks and keeps the answer.
    ///
    /// - Throws: `CancellationError` when the task was cancelled or the scope has changed meanwhile,
    ///   ``NetworkError`` with code ``NetworkError/Code-swift.struct/notStored`` when nothing is stored
    ///   for a request that may not go out, else what the behaviours further in throw.
    public func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard request.httpMethod ?? "GET" == "GET" else {
            return try await request.isMutation ? mutate(request, next) : next(request.forNetwork)
        }
        guard let scope = scope(), let question = CacheQuestion(request, scope: scope) else {
            return try await next(request.forNetwork)
        }
        guard !question.hasOwnConditions, !question.control.has("no-store") else {
            return try await pass(request, question, next)
        }
        let finding = cache.find(question.key, freshness: policy.freshness)
        let cached = policy.match(question, among: finding.variants)
        let asking = Asking(question: question, cached: cached, finding: finding)
        let now = now()
        switch (policy.decision(on: question, stored: cached, now: now), cached) {
        case (.answer, let cached?):
            return answer(cached, to: question, at: now)
        case (.answerAndRefresh, let cached?):
            refresh(request, asking, next)
            return answer(cached, to: question, at: now)
        case (.refuse, _):
            return try refusal(of: request, question)
        default:
            return try await ask(request, asking, next)
        }
    }

    /// Forgets an answer that could not be read.
    public func afterUnreadable(_ response: NetworkResponse, to request: URLRequest) {
        guard let url = response.url ?? request.url else { return }
        if let scope = scope() { cache.remove(url, scope: scope) }
    }

    /// Asks for what is neither read nor kept (RFC 9111 §5.2.1.5).
    private func pass(
        _ request: URLRequest,
        _ question: CacheQuestion,
        _ next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard policy.decision(on: question, stored: nil, now: now()) == .ask else {
            return try refusal(of: request, question)
        }
        do {
            let response = try await next(request.forNetwork)
            try checkScope(of: question)
            return response
        } catch {
            try checkScope(of: question)
            throw error
        }
    }

    /// Says that nothing could be given: to a policy as an error, to a directive with a status.
    private func refusal(
        of request: URLRequest,
        _ question: CacheQuestion
    ) throws -> NetworkResponse {
        guard question.policy != .storedOnly else {
            throw NetworkError(.notStored, request: request)
        }
        return NetworkResponse(statusCode: 504, url: request.url)
    }

    private func answer(
        _ cached: CachedResponse,
        to question: CacheQuestion,
        at now: Date
    ) -> NetworkResponse {
        let source = FetchSource.stored(asOf: cached.stored.receivedAt)
        let response = cached.response(for: question.url, at: now, source: source)
        return policy.cut(response, to: question.range)
    }
}

extension URLRequest {
    /// The request as it leaves the cache: no cache below answers it.
    ///
    /// What only a cache was to answer stays so, and is refused further in.
    var forNetwork: URLRequest {
        guard ![.returnCacheDataDontLoad, .reloadIgnoringLocalCacheData].contains(cachePolicy)
        else { return self }
        var request = self
        request.cachePolicy = .reloadIgnoringLocalCacheData
        return request
    }
}
