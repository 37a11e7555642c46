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
/// marked as ``FetchSource/Code-swift.struct/staleIfError``. **Asked twice**, an answer that is fresh comes
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
    let partition: @Sendable () -> String?
    let related: @Sendable (URL) -> [URL]
    let now: @Sendable () -> Date
    let refreshes = Mutex<Set<CacheKey>>([])

    /// Creates a behavior over a cache.
    ///
    /// - Parameters:
    ///   - cache: What keeps the answers.
    ///   - policy: What it may do.
    ///   - partition: Names the user, asked at each question and at its answer. What is stored for one is
    ///     never given to another, and an answer to somebody who is gone is dropped. For `nil`, nobody
    ///     in particular, nothing is read or stored.
    ///   - related: Further addresses that a mutation of one makes old, whatever their query; see
    ///     ``OpenAPIContract/relatedURLs(baseURL:)``.
    ///   - now: The time of day.
    public init(
        cache: ResponseCache = ResponseCache(),
        policy: CachePolicy = CachePolicy(),
        partition: @escaping @Sendable () -> String? = { "" },
        related: @escaping @Sendable (URL) -> [URL] = { _ in [] },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.cache = cache
        self.policy = policy
        self.partition = partition
        self.related = related
        self.now = now
    }

    /// Answers from the cache, or asks and keeps the answer.
    ///
    /// - Throws: `CancellationError` when the task was cancelled or the partition has changed meanwhile,
    ///   ``NetworkError`` with code ``NetworkError/Code-swift.struct/notCached`` when nothing is stored
    ///   for a request that may not go out, else what the behaviors further in throw.
    public func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard request.httpMethod ?? "GET" == "GET" else {
            return try await request.isMutation ? mutate(request, next) : next(request.forNetwork)
        }
        guard let partition = partition(),
            let question = CacheQuestion(request, partition: partition)
        else {
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
        if let partition = partition() { cache.remove(url, partition: partition) }
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
            try checkPartition(of: question)
            return response
        } catch {
            try checkPartition(of: question)
            throw error
        }
    }

    /// Says that nothing could be given: to a policy as an error, to a directive with a status.
    private func refusal(
        of request: URLRequest,
        _ question: CacheQuestion
    ) throws -> NetworkResponse {
        guard question.policy != .cacheOnly else {
            throw NetworkError(.notCached, request: request)
        }
        return NetworkResponse(statusCode: 504, url: request.url)
    }

    private func answer(
        _ cached: CachedResponse,
        to question: CacheQuestion,
        at now: Date
    ) -> NetworkResponse {
        let source = FetchSource.cache(asOf: cached.stored.receivedAt)
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

extension CachingBehavior {
    /// A question for the server, and what is known before it is asked.
    struct Asking: Sendable {
        let question: CacheQuestion
        /// The answer to it that is stored.
        let cached: CachedResponse?
        let finding: ResponseCache.Finding
    }

    /// Asks behind an answer that was given already; one at a time for a key, in silence.
    func refresh(_ request: URLRequest, _ asking: Asking, _ next: NetworkExchange) {
        let key = asking.question.key
        guard refreshes.withLock({ $0.insert(key).inserted }) else { return }
        Task(priority: .utility) {
            _ = try? await ask(request, asking, next)
            refreshes.withLock { _ = $0.remove(key) }
        }
    }

    /// Asks the server, keeps what it says, and falls back on what is stored when it cannot be had.
    func ask(
        _ request: URLRequest,
        _ asking: Asking,
        _ next: NetworkExchange
    ) async throws -> NetworkResponse {
        let question = asking.question
        let number = cache.ask(question.key, after: asking.finding)
        defer { cache.end(number) }
        let generation = CacheGeneration(
            partition: question.key.partition,
            invalidations: asking.finding.invalidations
        )
        do {
            let response = try await CacheGeneration.$current.withValue(generation) {
                try await settle(request, asking, number, next)
            }
            try checkPartition(of: question)
            guard policy.isFailure(response) else { return response }
            return staleIfError(asking, for: NetworkError(response)) ?? response
        } catch {
            try checkPartition(of: question)
            guard policy.isFailure(error, of: request),
                let response = staleIfError(asking, for: error)
            else { throw error }
            return response
        }
    }

    /// The answer to somebody who is gone is nobody's.
    func checkPartition(of question: CacheQuestion) throws {
        guard partition() == question.key.partition else { throw CancellationError() }
    }

    /// Asks with conditions if something is stored, and again without them if the answer is about
    /// something else.
    private func settle(
        _ request: URLRequest,
        _ asking: Asking,
        _ number: Int,
        _ next: NetworkExchange
    ) async throws -> NetworkResponse {
        let question = asking.question
        var plain = request.forNetwork
        switch question.policy {
        case .revalidate: plain.ask(caches: "max-age=0")
        case .reload: plain.ask(caches: "no-cache")
        default: break
        }
        // A piece is asked for as it is, and neither kept nor compared.
        guard question.range == nil else { return try await next(plain) }
        if let cached = asking.cached, question.policy.isConditional,
            cached.stored.headers.hasValidator
        {
            var conditional = plain
            policy.addConditions(of: cached.stored, to: &conditional)
            let requestedAt = now()
            let response = try await next(conditional)
            guard response.statusCode == 304 else {
                return keep(response, question, number, requestedAt: requestedAt)
            }
            if policy.isConfirmed(cached.stored, by: response) {
                return confirm(cached.stored, response, question, number, requestedAt: requestedAt)
            }
        }
        let requestedAt = now()
        let response = try await next(plain)
        return keep(response, question, number, requestedAt: requestedAt)
    }

    /// Keeps a whole answer if it may be kept; if not, and it is final, what was stored is wrong.
    private func keep(
        _ response: NetworkResponse,
        _ question: CacheQuestion,
        _ number: Int,
        requestedAt: Date
    ) -> NetworkResponse {
        guard partition() == question.key.partition, response.statusCode != 304 else {
            return response
        }
        let isPassing = policy.isPassing(response.statusCode)
        let stored = policy.stored(
            response,
            to: question,
            requestedAt: requestedAt,
            receivedAt: now()
        )
        if let stored {
            let freshness = policy.freshness(of: stored)
            cache.store(stored, freshness: freshness, for: number) { [policy] old in
                !isPassing || policy.isPassing(old.stored.statusCode)
            }
        } else if !isPassing {
            cache.forget(for: number)
        }
        return response
    }

    /// Updates what is stored with a 304 (RFC 9111 §4.3.4), and answers with it.
    private func confirm(
        _ stored: StoredResponse,
        _ response: NetworkResponse,
        _ question: CacheQuestion,
        _ number: Int,
        requestedAt: Date
    ) -> NetworkResponse {
        let receivedAt = now()
        let updated = policy.updated(
            stored,
            by: response,
            requestedAt: requestedAt,
            receivedAt: receivedAt
        )
        let freshness = policy.freshness(of: updated)
        if partition() == question.key.partition {
            if let storable = policy.stored(updated, to: question) {
                cache.store(storable, freshness: freshness, for: number) { _ in true }
            } else {
                cache.forget(for: number)
            }
        }
        var answer = CachedResponse(updated, freshness: freshness)
            .response(for: question.url, at: receivedAt, source: .revalidated)
        answer.attempts = response.attempts
        return answer
    }

    /// What is stored, in place of a server that cannot be had; `nil` where it may not.
    private func staleIfError(_ asking: Asking, for failure: any Error) -> NetworkResponse? {
        let now = now()
        guard let cached = asking.cached,
            policy.mayStandIn(cached, for: asking.question, now: now)
        else { return nil }
        let response = cached.response(
            for: asking.question.url,
            at: now,
            source: .staleIfError(asOf: cached.stored.receivedAt, failure: failure)
        )
        return policy.cut(response, to: asking.question.range)
    }
}

extension CachingBehavior {
    /// Sends what may change something, and makes old what it touched before its caller goes on
    /// (RFC 9111 §4.4).
    func mutate(_ request: URLRequest, _ next: NetworkExchange) async throws -> NetworkResponse {
        let asker = partition()
        do {
            let response = try await next(request.forNetwork)
            guard let url = request.url else { return response }
            for partition in partitions(since: asker) {
                switch response.statusCode {
                case ..<400:
                    for url in policy.invalidated(by: response, to: url) {
                        cache.remove(url, partition: partition)
                    }
                    invalidate([url] + related(url), partition)
                case 500...: invalidate(related(url), partition)
                default: break
                }
            }
            return response
        } catch {
            if let url = request.url, policy.mayHaveArrived(request, error) {
                for partition in partitions(since: asker) {
                    invalidate([url] + related(url), partition)
                }
            }
            throw error
        }
    }

    /// Whoever may have signed a request: who was there when it was asked, and who is there now.
    private func partitions(since asker: String?) -> Set<String> {
        Set([asker, partition()].compactMap(\.self))
    }

    private func invalidate(_ urls: [URL], _ partition: String) {
        for url in urls { cache.invalidate(url, partition: partition) }
    }
}
