import Foundation
import ProductKit
import Synchronization
import Testing

/// The responses that a service stores, for which user, and when it removes them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductServiceCachingTests {
    // Rule: cache/changed-partition-drops-response (39); cache/sign-out-empties-the-cache (42)
    // Rule: security/sign-out-removes-data (19)
    @Test func `signing out empties the cache and cancels in-flight loads`() async throws {
        let gate = ActionGate<Void>()
        let cache = ResponseCache()
        let isBlocked = Mutex(false)
        let service = ProductService(
            baseURL: .api,
            localUser: .shopper,
            user: .guest,
            networking: .closure { request in
                if isBlocked.withLock(\.self) { try await gate.hold() }
                return try .boots(to: request)
            },
            cache: cache
        )
        _ = try await service.loader.loadProduct(withID: "walking-boots")
        isBlocked.withLock { $0 = true }
        let load = Task { try await service.loader.loadProduct(withID: "walking-boots") }
        await gate.waitForCalls(1)

        await service.signOut()
        gate.open()

        await #expect(throws: CancellationError.self) { _ = try await load.value }
        #expect(cache.summaries().isEmpty)
    }

    // Rule: cache/language-is-part-of-lookup (21)
    @Test func `responses are stored separately for each language`() async throws {
        let cache = ResponseCache()
        let requests = Counter()
        func loader(in language: String) -> ProductLoader {
            ProductService(
                baseURL: .api,
                localUser: LocalUser(currency: "EUR", locale: Locale(identifier: language)),
                user: .guest,
                networking: .closure { request in
                    requests.next()
                    let name = request.value(forHTTPHeaderField: "Accept-Language") ?? ""
                    let headers: NetworkHeaders = [
                        "Vary": "Accept-Language", "Cache-Control": "max-age=86400",
                    ]
                    return try NetworkResponse(headers: headers, json: Product.boots(named: name))
                },
                cache: cache
            ).loader
        }

        for language in ["de", "en", "de", "en"] {
            let fetched = try await loader(in: language).fetchProduct(withID: "walking-boots")
            #expect(fetched.value.name == language)
        }

        #expect(requests.count == 2)
    }

    // Rule: cache/partitions-are-separate (40)
    @Test func `each user has a partition of the cache, whatever the token is`() async throws {
        let cache = ResponseCache()
        let requests = Counter()
        func loader(for user: ServiceUser) -> ProductLoader {
            ProductService(
                baseURL: .api,
                localUser: .shopper,
                user: user,
                networking: .closure { request in
                    requests.next()
                    return try .boots(to: request)
                },
                cache: cache
            ).loader
        }

        let users = [ServiceUser.signedIn("anna") { "a" }, .signedIn("bert") { "a" }, .guest]
        for user in users {
            _ = try await loader(for: user).fetchProduct(withID: "walking-boots")
        }
        #expect(requests.count == 3)
        let known: [ServiceUser] = [.signedIn("anna") { "new" }, .signedIn("bert"), .guest]
        for user in known {
            let fetched = try await loader(for: user).fetchProduct(withID: "walking-boots")
            #expect(fetched.source.code == .cache)
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `a load after signing out stores nothing`() async throws {
        let cache = ResponseCache()
        let service = ProductService(
            baseURL: .api,
            localUser: .shopper,
            user: .signedIn("anna"),
            networking: .closure { request in try .boots(to: request) },
            cache: cache
        )
        await service.signOut()

        await #expect(throws: TokenError.sessionEnded) {
            try await service.loader.loadProduct(withID: "walking-boots")
        }

        #expect(cache.summaries().isEmpty)
    }

    // Rule: cache/failure-invalidates-responses (45)
    @Test func `a write whose first attempt was lost invalidates if its retries are unreachable`()
        async throws
    {
        let attempts = Counter()
        let service = ProductService.contract(
            networking: .closure { request in
                guard request.httpMethod != "GET" else { return try .boots(to: request) }
                throw NetworkError(attempts.next() == 1 ? .connectionLost : .unreachable)
            },
            cache: ResponseCache(),
            retry: RetryBehavior(delays: .zero ... .zero)
        )
        let loader = service.loader
        _ = try await loader.fetchProduct(withID: "walking-boots")
        let stored = try await loader.fetchProduct(withID: "walking-boots")
        #expect(stored.source.code == .cache)

        let error = await #expect(throws: NetworkError.self) {
            try await loader.setFavoriteStatus(true, forProductWithID: "walking-boots")
        }

        #expect(error?.code == .unreachable && attempts.count == 3)
        let loaded = try await loader.fetchProduct(withID: "walking-boots")
        #expect(loaded.source.code == .revalidated)
    }

    // Rule: cache/invalidation-survives-restart (46)
    @Test func `an invalidated path is loaded again`() async throws {
        let requests = Counter()
        let service = ProductService(
            baseURL: .api,
            localUser: .shopper,
            user: .signedIn("anna"),
            networking: .closure { request in
                requests.next()
                return try .boots(to: request)
            },
            cache: ResponseCache()
        )
        for _ in 0..<2 { _ = try await service.loader.fetchProduct(withID: "walking-boots") }
        #expect(requests.count == 1)

        service.invalidate(.api.appending(path: "products/walking-boots"))
        _ = try await service.loader.fetchProduct(withID: "walking-boots")

        #expect(requests.count == 2)
    }
}
