import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
        let epoch = Epoch(
            scope: question.key.scope,
            invalidations: asking.finding.invalidations
        )
        do {
            let response = try await Epoch.$current.withValue(epoch) {
                try await settle(request, asking, number, next)
            }
            try checkScope(of: question)
            guard policy.isFailure(response) else { return response }
            return standIn(asking, for: NetworkError(response)) ?? response
        } catch {
            try checkScope(of: question)
            guard policy.isFailure(error, of: request), let response = standIn(asking, for: error)
            else { throw error }
            return response
        }
    }

    /// The answer to somebody who is gone is nobody's.
    func checkScope(of question: CacheQuestion) throws {
        guard scope() == question.key.scope else { throw CancellationError() }
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
        case .confirmed: plain.ask(caches: "max-age=0")
        case .anew: plain.ask(caches: "no-cache")
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
        guard scope() == question.key.scope, response.statusCode != 304 else { return response }
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
        if scope() == question.key.scope {
            if let storable = policy.stored(updated, to: question) {
                cache.store(storable, freshness: freshness, for: number) { _ in true }
            } else {
                cache.forget(for: number)
            }
        }
        var answer = CachedResponse(updated, freshness: freshness)
            .response(for: question.url, at: receivedAt, source: .validated)
        answer.attempts = response.attempts
        return answer
    }

    /// What is stored, in place of a server that cannot be had; `nil` where it may not.
    private func standIn(_ asking: Asking, for failure: any Error) -> NetworkResponse? {
        let now = now()
        guard let cached = asking.cached,
            policy.mayStandIn(cached, for: asking.question, now: now)
        else { return nil }
        let response = cached.response(
            for: asking.question.url,
            at: now,
            source: .standIn(asOf: cached.stored.receivedAt, failure: failure)
        )
        return policy.cut(response, to: asking.question.range)
    }
}
