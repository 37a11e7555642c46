public import Foundation

/// A private HTTP cache (RFC 9111) that serves `GET` requests from a ``ResponseCache``.
///
/// It treats a request that ``NetworkRequest/reading(as:)`` declares to be a read like a `GET`.
///
/// **Position.** Place it outside of ``CoalescingBehavior`` and ``RetryBehavior``: a fresh response
/// needs neither, and a stale one is served only after all retries have failed. Place it outside of
/// ``TokenBehavior``, because a renewed token does not change what is stored. Place it inside of
/// behaviors that add fields named by `Vary`, such as `Accept-Language`. Pass it to the client itself:
/// inside of a behavior of your own, the sign-out of a service does not empty it.
///
/// **Serving.** The ``FetchPolicy`` of a request decides whether the cache, the network or both are
/// used. With ``FetchPolicy/standard``, a stale response is served at once within its `stale-while-revalidate`
/// (RFC 5861 §3), and one revalidation runs in the background for each cache key, however many callers there are.
///
/// <doc:CachingAndOfflineReading> lists the failures of the server after which a stored response is served, and what
/// unsafe requests, such as `PUT`, remove or invalidate before their callers continue (RFC 9111 §4.4).
///
/// **Cancellation.** A request that ends with `CancellationError` stores nothing. A response that arrives nevertheless
/// is stored and returned. A background revalidation is not cancelled, because no caller waits for it.
public final class CachingBehavior: RequestBehavior {
    let cache: ResponseCache
    let policy: CachePolicy
    let partition: @Sendable (UserSession?) -> String?
    let now: @Sendable () -> Date
    private let writePartition: @Sendable (UserSession?) -> String?
    private let related: (@Sendable (URL) -> [URL])?
    /// The cache keys whose responses are being revalidated in the background.
    private let revalidating = Locked<Set<CacheKey>>([])

    /// Creates a behavior that uses a cache.
    ///
    /// - Parameters:
    ///   - cache: The store of responses.
    ///   - partition: Returns the partition, usually the identifier of the user; a constant if all users get the
    ///     same responses. It is called when a request is sent and again when its response is received; if the
    ///     partition has changed, the response is dropped. Responses of one partition are never served in another.
    ///     While it returns `nil`, nothing is served or stored.
    ///   - related: Returns further URLs that an unsafe request to a URL invalidates. Their queries
    ///     are ignored. For the API described by `Docs/openapi.yaml`, pass
    ///     ``OpenAPIContract/relatedURLs(baseURL:)``. With `nil`, the default, an unsafe request
    ///     invalidates all responses of the partition.
    ///   - heuristicFraction: The freshness lifetime of a response without explicit expiration, as a fraction of the
    ///     time since its `Last-Modified` (RFC 9111 §4.2.2). With 0, it is always stale.
    ///   - maximumHeuristicLifetime: The upper limit of that lifetime, one hour by default.
    ///   - staleIfErrorLimit: How long after it became stale a response may be served when the server fails, unless it
    ///     or the request has `stale-if-error`; one day by default. With zero, only a fresh response is served then.
    ///   - effects: The date, which ages and freshness lifetimes are measured with.
    public convenience init(
        cache: ResponseCache = ResponseCache(),
        partition: @escaping @Sendable () -> String?,
        related: (@Sendable (URL) -> [URL])? = nil,
        heuristicFraction: Double = 0.1,
        maximumHeuristicLifetime: Duration = .seconds(3_600),
        staleIfErrorLimit: Duration = .seconds(86_400),
        effects: SystemEffects = SystemEffects()
    ) {
        self.init(
            cache: cache,
            policy: CachePolicy(
                heuristicFraction: heuristicFraction,
                maximumHeuristicLifetime: maximumHeuristicLifetime,
                staleIfErrorLimit: staleIfErrorLimit
            ),
            sessionPartition: { _ in partition() },
            related: related,
            effects: effects
        )
    }

    /// Creates a behavior whose partition follows from the session of each request.
    init(
        cache: ResponseCache,
        policy: CachePolicy,
        sessionPartition partition: @escaping @Sendable (UserSession?) -> String?,
        writePartition: (@Sendable (UserSession?) -> String?)? = nil,
        related: (@Sendable (URL) -> [URL])?,
        effects: SystemEffects
    ) {
        self.cache = cache
        self.policy = policy
        self.partition = partition
        self.writePartition = writePartition ?? partition
        self.related = related
        now = effects.now
    }

    /// Serves a stored response, or forwards the request and stores the response.
    ///
    /// - Throws: `CancellationError` when the task was cancelled or the partition has changed while
    ///   the request was in flight. ``NetworkError`` with code
    ///   ``NetworkError/Code-swift.struct/notCached`` when nothing is stored for a request with
    ///   ``FetchPolicy/cacheOnly``. Otherwise the error of the inner behaviors.
    public func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard request.isRead else {
            return try await request.isSafe
                ? next(request.bypassingCaches) : sendUnsafe(request, next)
        }
        guard let partition = partition(request.session) else {
            return try await next(request.bypassingCaches)
        }
        let cacheRequest = CacheRequest(request, partition: partition)
        guard !cacheRequest.mustBeForwarded, !cacheRequest.control.has("no-store") else {
            return try await forward(request, cacheRequest, next)
        }
        let lookup = cache.lookUp(cacheRequest, policy: policy)
        try checkPartition(of: cacheRequest, request.session)
        let now = now()
        var decision = policy.decision(for: cacheRequest, stored: lookup.response, now: now)
        // The server has just failed, so a stored response is served only if it may be after a failure.
        if request.isAfterFailure, let stored = lookup.response,
            [.serve, .fail].contains(decision)
        {
            let mayServe = policy.mayServeOnError(stored, for: cacheRequest, now: now)
            decision = mayServe ? .serve : .fail
        }
        switch (decision, lookup.response) {
        case (.serve, let stored?):
            return response(stored, for: cacheRequest, at: now)
        case (.serveAndRevalidate, let stored?):
            revalidateInBackground(request, lookup, next)
            return response(stored, for: cacheRequest, at: now)
        case (.fail, _):
            return try failure(of: request, cacheRequest)
        default:
            return try await fetch(request, lookup, next)
        }
    }

    /// Invalidates the stored responses of a URL for the user of a session; its query is ignored.
    func invalidate(_ url: URL, for session: UserSession) {
        if let partition = partition(session) { cache.invalidate(url, partition: partition) }
    }

    /// Removes all stored responses of all users.
    func removeAll() { cache.removeAll() }
}

// MARK: - Serving

extension CachingBehavior {
    /// Returns a stored response for a caller, with its `Age` in whole seconds (RFC 9111 §5.1).
    func response(
        _ cached: CachedResponse,
        for request: CacheRequest,
        at now: Date,
        source: FetchSource? = nil
    ) -> NetworkResponse {
        let stored = cached.stored
        var response = NetworkResponse(
            statusCode: stored.statusCode,
            headers: stored.headers,
            body: stored.body,
            url: request.url
        )
        let age = min(cached.freshness.age(at: now), 2_147_483_648)
        response.headers["Age"] = String(Int64(age))
        response.source = source ?? .cache(asOf: stored.receivedAt)
        response.stored = CacheCopy(behavior: self, request: request, receivedAt: stored.receivedAt)
        return response
    }

    /// Returns a 504 for a request with `only-if-cached` (RFC 9111 §5.2.1.7), and throws for ``FetchPolicy/cacheOnly``.
    private func failure(
        of request: OutgoingRequest,
        _ cacheRequest: CacheRequest
    ) throws -> NetworkResponse {
        guard cacheRequest.policy != .cacheOnly else {
            throw NetworkError(.notCached, request: request)
        }
        return NetworkResponse(statusCode: 504, url: request.url)
    }
}

// MARK: - Fetching from the origin server

extension CachingBehavior {
    /// Forwards a request without reading or storing a response: one with `no-store` (RFC 9111
    /// §5.2.1.5), with conditions of its own or with a range.
    private func forward(
        _ request: OutgoingRequest,
        _ cacheRequest: CacheRequest,
        _ next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard !cacheRequest.forbidsForwarding else {
            return try failure(of: request, cacheRequest)
        }
        do {
            var outgoing = request.bypassingCaches
            outgoing.cacheGeneration = cacheRequest.generation(after: cache.invalidations)
            let response = try await next(outgoing)
            try checkPartition(of: cacheRequest, request.session)
            return response
        } catch {
            try checkPartition(of: cacheRequest, request.session)
            throw error
        }
    }

    /// Fetches a response and stores it, or serves the stored one if the origin server fails.
    private func fetch(
        _ request: OutgoingRequest,
        _ lookup: CacheLookup,
        _ next: NetworkExchange
    ) async throws -> NetworkResponse {
        let fetch = OriginFetch(after: lookup, for: request.session, by: self)
        defer { fetch.end() }
        do {
            let response = try await fetch.exchange(request, next)
            try checkPartition(of: lookup.request, request.session)
            guard policy.isOriginFailure(response) else { return response }
            return fetch.staleResponse(after: NetworkError(response)) ?? response
        } catch {
            try checkPartition(of: lookup.request, request.session)
            guard policy.isOriginFailure(error, of: request),
                let response = fetch.staleResponse(after: error)
            else { throw error }
            return response
        }
    }

    /// Throws if the partition has changed, so that no response reaches the user of another one.
    private func checkPartition(of request: CacheRequest, _ session: UserSession?) throws {
        guard request.key.isOf(partition(session)) else { throw CancellationError() }
    }

    /// Starts to revalidate a response that is served stale, once at a time for each cache key.
    ///
    /// Failures are ignored: the next request tries again.
    private func revalidateInBackground(
        _ request: OutgoingRequest,
        _ lookup: CacheLookup,
        _ next: NetworkExchange
    ) {
        let key = lookup.request.key
        guard revalidating.withLock({ $0.insert(key).inserted }) else { return }
        Task(priority: .utility) {
            _ = try? await fetch(request, lookup, next)
            revalidating.withLock { _ = $0.remove(key) }
        }
    }
}

// MARK: - Unsafe requests

extension CachingBehavior {
    /// Forwards an unsafe request, and then invalidates or removes what it may have changed (RFC 9111 §4.4).
    private func sendUnsafe(
        _ request: OutgoingRequest,
        _ next: NetworkExchange
    ) async throws -> NetworkResponse {
        var request = request
        let signers = request.signers ?? RequestSigners()
        request.signers = signers
        let url = request.url
        let partitionAtStart = writePartition(request.session)
        // The request may have been signed for the partition before or after a change.
        func partitions() -> [String] {
            // Identifiers are compared byte by byte: equal strings can be different partitions.
            let names = [partitionAtStart, writePartition(request.session)].compactMap(\.self)
            return Set(names.map { Identifier<CachingBehavior>($0) }).map(\.rawValue)
        }
        do {
            let response = try await next(request.bypassingCaches)
            let changed = policy.changedURLs(by: response, to: url)
            if response.statusCode < 400 {
                for partition in partitions() {
                    for url in changed { cache.remove(url, partition: partition) }
                }
                invalidate(changed, changedBy: url, partitions())
            } else if request.expectedProblem?(response) != nil || response.sentStatusCode != nil
                || NetworkError(response).mayHaveReachedServer
            {
                // The server may have carried out a part: an expected failure, or a failure with a success status,
                // does not exclude that.
                invalidate(changed, changedBy: url, partitions())
            }
            return response
        } catch {
            // Without a token, the request was not sent.
            if error.mayHaveReachedServer, !(error is TokenError && signers.isEmpty) {
                invalidate([url], changedBy: url, partitions())
            }
            throw error
        }
    }

    /// Invalidates URLs and those that are related to the URL of an unsafe request.
    private func invalidate(_ urls: [URL], changedBy url: URL, _ partitions: [String]) {
        for partition in partitions {
            if let related {
                for url in urls + related(url) { cache.invalidate(url, partition: partition) }
            } else {
                cache.invalidateAll(partition: partition)
            }
        }
    }
}
