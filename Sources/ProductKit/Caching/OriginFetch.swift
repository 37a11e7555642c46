import Foundation

/// One fetch of a response from the origin server, from its start to the end of its use.
///
/// It adds the conditions of the stored response to the request, stores the response, and selects
/// the stored one to serve if the origin server fails.
struct OriginFetch: Sendable {
    private let lookup: CacheLookup
    private let session: UserSession?
    private let behavior: CachingBehavior
    private let number: Int

    private var request: CacheRequest { lookup.request }
    private var cache: ResponseCache { behavior.cache }
    private var policy: CachePolicy { behavior.policy }

    /// Begins a fetch, which stores nothing after the partition of the session has changed; call ``end()`` afterwards.
    init(after lookup: CacheLookup, for session: UserSession?, by behavior: CachingBehavior) {
        self.lookup = lookup
        self.session = session
        self.behavior = behavior
        number = behavior.cache.beginFetch(after: lookup)
    }

    /// Ends the fetch, whatever its outcome.
    func end() { cache.endFetch(number) }

    /// Sends a request, as a conditional request if a response with a validator is stored, and stores its response.
    ///
    /// After a 304, the stored response is updated and returned; if the 304 is of no use, the request is sent again
    /// without conditions.
    func exchange(
        _ outgoing: OutgoingRequest,
        _ next: NetworkExchange
    ) async throws -> NetworkResponse {
        var outgoing = outgoing.bypassingCaches
        outgoing.cacheGeneration = request.generation(
            after: lookup.invalidations,
            replacing: lookup.response?.stored
        )
        if let stored = lookup.response?.stored, request.policy.isConditional,
            stored.headers.hasValidator
        {
            var conditional = outgoing
            policy.addConditions(of: stored, to: &conditional)
            let response = try await response(to: conditional, next)
            switch response.statusCode {
            case 304:
                if policy.isValidated(stored, by: response, to: request),
                    let freshened = freshen(stored, with: response)
                {
                    return freshened
                }
            // Instead of a 304, servers may return a 412 to other methods than GET (RFC 9110 §13.1.2).
            // It does not show that the stored response is current.
            case 412 where outgoing.method != "GET": break
            default: return store(response)
            }
        }
        return store(try await response(to: outgoing, next))
    }

    /// Sends a request, and replaces the `Cache-Control` of a success if the request requires it.
    ///
    /// A missing value for which the request has an output is a success.
    private func response(
        to request: OutgoingRequest,
        _ next: NetworkExchange
    ) async throws -> NetworkResponse {
        let date = behavior.now()
        var response = try await next(request)
        response.requestedAt = response.requestedAt ?? date
        if [404, 410].contains(response.statusCode) {
            response.expectedProblem = request.expectedProblem?(response)
        }
        if let value = request.responseCacheControl,
            response.statusCode == 304 || response.isSuccess
        {
            response.headers["Cache-Control"] = value
        }
        return response
    }

    /// Returns the stored response after the origin server failed; `nil` when it may not be served.
    ///
    /// If the stored response has changed during the fetch, the current one is used, such as that of another fetch.
    /// The one that was looked up is used if the memory had no room for it.
    func staleResponse(after failure: any Error) -> NetworkResponse? {
        let current = cache.lookUp(request, policy: policy).response
        let earlier = cache.isCurrent(number) ? lookup.response : nil
        let now = behavior.now()
        guard let cached = current ?? earlier,
            policy.mayServeOnError(cached, for: request, now: now)
        else { return nil }
        let source = FetchSource.staleIfError(asOf: cached.stored.receivedAt, failure: failure)
        return behavior.response(cached, for: request, at: now, source: source)
    }

    /// Stores a complete response if it is storable, and returns it in any case.
    ///
    /// A response that is not storable removes the stored one, except for the obstacles of
    /// ``StoringObstacle/keepsStoredResponse``. A transient response, such as a 503, leaves the cache unchanged, unless
    /// the stored one is transient, too.
    private func store(_ response: NetworkResponse) -> NetworkResponse {
        // A 304 without a stored response to update is not a complete response.
        guard request.key.isOf(behavior.partition(session)), response.statusCode != 304 else {
            return response
        }
        let isTransient = policy.isTransient(response.statusCode)
        let stored: StoredResponse
        do {
            let now = behavior.now()
            stored = try policy.storedResponse(response, to: request, receivedAt: now)
        } catch {
            cache.count(error)
            if !isTransient, !error.keepsStoredResponse { cache.remove(for: number) }
            return response
        }
        cache.store(stored, policy: policy, for: number) { [policy] old in
            !isTransient || policy.isTransient(old.stored.statusCode)
        }
        var response = response
        let copy = CacheCopy(behavior: behavior, request: request, receivedAt: stored.receivedAt)
        response.stored = copy.with(response.stored)
        return response
    }

    /// Updates the stored response with a 304 and returns it; `nil` if it would have too many header fields.
    private func freshen(
        _ stored: StoredResponse,
        with notModified: NetworkResponse
    ) -> NetworkResponse? {
        let receivedAt = behavior.now()
        let freshened = policy.freshened(stored, with: notModified, receivedAt: receivedAt)
        guard !freshened.headers.exceedsLimits else { return nil }
        if request.key.isOf(behavior.partition(session)) {
            do {
                let storable = try policy.storable(freshened, for: request)
                cache.store(storable, policy: policy, for: number) { _ in true }
            } catch {
                cache.count(error)
                cache.remove(for: number)
            }
        }
        let cached = CachedResponse(freshened, freshness: policy.freshness(of: freshened))
        let source = FetchSource.revalidated
        var response = behavior.response(cached, for: request, at: receivedAt, source: source)
        response.attempts = notModified.attempts
        return response
    }
}

/// The copy of a response in the cache of a behavior.
///
/// A response refers to it without an allocation, because it has only three fields.
struct CacheCopy: StoredCopy {
    let behavior: CachingBehavior
    let request: CacheRequest
    let receivedAt: Date

    func remove() {
        behavior.cache.remove(request, receivedAt: receivedAt, policy: behavior.policy)
    }

    /// Returns this copy together with that in a cache below, if there is one.
    func with(_ inner: (any StoredCopy)?) -> any StoredCopy {
        inner.map { NestedCopies(outer: self, inner: $0) } ?? self
    }
}

/// The copies of a response in two caches.
private struct NestedCopies: StoredCopy {
    let outer: CacheCopy
    let inner: any StoredCopy

    func remove() {
        inner.remove()
        outer.remove()
    }
}
