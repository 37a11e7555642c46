import Foundation
import ProductKit
import Synchronization
import Testing

/// The policies and sources of loaders and managers made from closures over a client with a cache.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServiceOperationTests {
    // Rule: cache/policy-reaches-every-request (70)
    @Test(
        arguments: [
            (.standard, "cache", 0), (.cacheFirst, "cache", 0), (.cacheOnly, "cache", 0),
            (.networkFirst, "network", 2), (.revalidate, "network", 2), (.reload, "network", 2),
        ] as [(FetchPolicy, String, Int)]
    )
    func `a policy applies to all requests of a load closure`(
        policy: FetchPolicy,
        source: String,
        sends: Int
    ) async throws {
        let shop = CachedShop()
        _ = try await shop.loader.loadProduct(withID: "pan")
        let requests = shop.requestCount

        let fetched = try await shop.loader.fetchProduct(withID: "pan", policy: policy)

        #expect(fetched.source.code.rawValue == source)
        #expect(shop.requestCount == requests + sends)
    }

    // Rule: cache/fetched-has-source (61)
    @Test func `loading a product fails offline, although all of its responses are fresh`()
        async throws
    {
        let shop = CachedShop()
        _ = try await shop.loader.loadProduct(withID: "pan")
        shop.isDown = true

        let error = await #expect(throws: NetworkError.self) {
            try await shop.loader.loadProduct(withID: "pan")
        }

        #expect(error?.code == .unreachable)
    }

    // Rule: cache/worst-source-of-all-responses (71)
    @Test func `a product of two responses has the worst source and the oldest date`() async throws
    {
        let shop = CachedShop()
        _ = try await shop.loader.loadProduct(withID: "pan")
        shop.advance(by: 50)
        _ = try await shop.client.send(
            NetworkRequest<CachedGood>.get("prices", "pan").fetching(.reload)
        )

        let fetched = try await shop.loader.fetchProduct(withID: "pan")

        #expect(fetched.source == .cache(asOf: CachedShop.start))
    }

    // Rule: cache/worst-source-of-all-responses (71)
    @Test func `a product of a stored and a new response is not from the server`() async throws {
        let shop = CachedShop()
        _ = try await shop.client.send(NetworkRequest<CachedGood>.get("goods", "pan"))

        let fetched = try await shop.loader.fetchProduct(withID: "pan")

        #expect(fetched.source == .cache(asOf: CachedShop.start))
        #expect(shop.requestCount == 2)
    }

    // Rule: cache/worst-source-of-all-responses (71)
    @Test func `a closure with a store of its own returns the worse of both sources`() async throws
    {
        let shop = CachedShop()
        let loader = ProductLoader(fetch: { id, _ in
            let good = try await shop.client.send(NetworkRequest<CachedGood>.get("goods", id))
            return Fetched(try good.product(pricedAt: "39.95"), source: .network)
        })
        _ = try await loader.fetchProduct(withID: "pan")

        let fetched = try await loader.fetchProduct(withID: "pan")

        #expect(fetched.source == .cache(asOf: CachedShop.start))
    }

    // Rule: cache/worst-source-of-all-responses (71)
    @Test func `a page made in a closure has the source of its response`() async throws {
        let shop = CachedShop()
        _ = try await shop.loader.products()
        shop.advance(by: 100)
        shop.isDown = true

        let page = try await shop.loader.products()

        #expect(page.source.code == .staleIfError)
        #expect(page.source.asOf == CachedShop.start)
        #expect(page.items.map(\.id) == ["pan"])
    }

    // Rule: cache/policy-reaches-every-request (70)
    @Test(arguments: [FetchPolicy.standard, .cacheOnly, .cacheFirst, .reload])
    func `a policy applies to a loader inside of another loader`(policy: FetchPolicy) async throws {
        let shop = CachedShop()
        let outer = ProductLoader(load: { id in try await shop.loader.loadProduct(withID: id) })
        _ = try await outer.loadProduct(withID: "pan")
        let requests = shop.requestCount

        let fetched = try await outer.fetchProduct(withID: "pan", policy: policy)

        #expect(fetched.source.isFromServer == (policy == .reload))
        #expect(shop.requestCount == requests + (policy == .reload ? 2 : 0))
    }

    // Rule: cache/policy-reaches-every-request (70)
    @Test func `with the standard policy, a request keeps a policy of its own`() async throws {
        let shop = CachedShop()
        let loader = ProductLoader(load: { id in
            let request = NetworkRequest<CachedGood>.get("goods", id).fetching(.reload)
            return try await shop.client.send(request).product(pricedAt: "39.95")
        })
        _ = try await loader.fetchProduct(withID: "pan")

        let fetched = try await loader.fetchProduct(withID: "pan", policy: .standard)

        #expect(fetched.source == .network)
        #expect(shop.requestCount == 2)
    }

    // Rule: cache/policy-reaches-every-request (70)
    @Test func `a page is loaded from the network, although a stored one is fresh`() async throws {
        let shop = CachedShop()
        _ = try await shop.loader.products()

        let page = try await shop.loader.products()

        #expect(page.source == .network)
        #expect(shop.requestCount == 2)
    }

    // Rule: cache/policy-reaches-every-request (70)
    @Test func `a closure without a client can read the policy`() async throws {
        let policies = Mutex<[FetchPolicy]>([])
        let loader = ProductLoader(load: { id in
            policies.withLock { $0.append(.current) }
            return Product(id: id, name: "Pan")
        })

        let fetched = try await loader.fetchProduct(withID: "pan", policy: .cacheFirst)
        let error = await #expect(throws: NetworkError.self) {
            _ = try await loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        }

        #expect(fetched.source == .network)
        #expect(error?.code == .notCached)
        #expect(policies.withLock(\.self) == [.cacheFirst, .cacheOnly])
        #expect(FetchPolicy.current == .standard)
    }

    // Rule: cache/policy-reaches-every-request (70)
    @Test func `a request of a behavior does not belong to the operation`() async throws {
        let policies = Mutex<[FetchPolicy]>([])
        let token = ClosureBehavior(intercept: { request, next in
            policies.withLock { $0.append(.current) }
            return try await next(request)
        })
        let shop = CachedShop(behaviors: [token])

        _ = try await shop.loader.fetchProduct(withID: "pan", policy: .reload)

        #expect(policies.withLock(\.self) == [.standard, .standard])
    }

    // Rule: cache/read-before-write-revalidates (72)
    @Test func `a list that is read before a write is never a stored one`() async throws {
        let shop = CachedShop()
        _ = try await shop.lists.list(withID: "camp")
        shop.isDown = true

        for write in [ListWrite.add, .remove] {
            let error = await #expect(throws: NetworkError.self) {
                try await write.callAsFunction(shop.lists)
            }
            #expect(error?.code == .unreachable)
        }
    }

    // Rule: cache/read-before-write-revalidates (72)
    @Test func `lines that are used without a manager are read from the server before a write`()
        async throws
    {
        let shop = CachedShop()
        _ = try await shop.lines.list("camp")
        let requests = shop.requestCount

        try await shop.lines.add("pan", to: "camp")

        #expect(shop.requestCount == requests + 1)
    }

    // Rule: cache/read-before-write-revalidates (72)
    @Test func `a favorite that is read before it is toggled is never a stored one`() async throws {
        let shop = CachedShop()
        let loader = ProductLoader(
            load: { id in Product(id: id, name: "Pan") },
            setFavorite: { id, _ in
                _ = try await shop.client.send(NetworkRequest<CachedGood>.get("goods", id))
                return nil
            }
        )
        _ = try await shop.client.send(NetworkRequest<CachedGood>.get("goods", "pan"))

        _ = try await loader.setFavoriteStatus(true, forProductWithID: "pan")

        #expect(shop.requestCount == 2)
    }

    // Rule: cache/stored-not-found-is-revalidated (65)
    @Test func `a stored “not found” is loaded again by a loader made from closures`() async throws
    {
        let shop = CachedShop()
        shop.isMissing = true
        await #expect(throws: ProductError.notFound("pan")) {
            try await shop.loader.loadProduct(withID: "pan")
        }
        shop.isMissing = false

        let error = await #expect(throws: NetworkError.self) {
            _ = try await shop.loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        }
        let product = try await shop.loader.fetchProduct(withID: "pan", policy: .cacheFirst)

        #expect(error?.code == .notCached)
        #expect(product.source == .network)
    }

    // Rule: cache/stored-not-found-is-revalidated (65)
    @Test func `offline, a stored “not found” is the failure of the network`() async throws {
        let shop = CachedShop()
        shop.isMissing = true
        _ = try? await shop.loader.loadProduct(withID: "pan")
        shop.isDown = true

        let attempts = shop.attemptCount
        let error = await #expect(throws: NetworkError.self) {
            _ = try await shop.loader.fetchProduct(withID: "pan", policy: .networkFirst)
        }

        #expect(error?.code == .unreachable)
        #expect(shop.attemptCount == attempts + 1)
    }

    // Rule: errors/closure-error-names-the-member (9)
    @Test func `a decoding error of a closure names the request and the member`() async throws {
        let shop = CachedShop()
        let loader = ProductLoader(load: { id in
            let good = try await shop.client.send(NetworkRequest<CachedGood>.get("goods", id))
            return try MemberPath("price").reading { try good.product(pricedAt: "free") }
        })

        let error = await #expect(throws: NetworkError.self) {
            try await loader.loadProduct(withID: "pan")
        }

        #expect(error?.code == .unreadable && error?.statusCode == 200)
        #expect(error?.url?.path() == "/goods/pan")
        #expect(error?.debugDescription.contains("“price”") == true)
    }

    // Rule: errors/closure-error-names-the-member (9)
    @Test func `a response that a closure cannot read is not served again`() async throws {
        let shop = CachedShop()
        let isOld = Mutex(true)
        let loader = ProductLoader(load: { id in
            let good = try await shop.client.send(NetworkRequest<CachedGood>.get("goods", id))
            let price = isOld.withLock(\.self) ? "free" : "39.95"
            return try MemberPath("price").reading { try good.product(pricedAt: price) }
        })
        _ = try? await loader.loadProduct(withID: "pan")
        isOld.withLock { $0 = false }

        let product = try await loader.fetchProduct(withID: "pan", policy: .cacheFirst)

        #expect(product.source == .network)
        #expect(shop.requestCount == 2)
    }

    // Rule: errors/closure-error-names-the-member (9)
    @Test func `a stored response that a closure cannot read itself is loaded again`() async throws
    {
        let shop = CachedShop()
        let isOld = Mutex(true)
        let loader = ProductLoader(load: { id in
            var response = try await shop.client.send(
                NetworkRequest<NetworkResponse>(method: "GET", segments: ["goods", id.rawValue]) {
                    $0
                }
            )
            if isOld.withLock(\.self) { response.body = Data("<!DOCTYPE html>".utf8) }
            return try response.json(CachedGood.self).product(pricedAt: "39.95")
        })
        _ = try? await loader.loadProduct(withID: "pan")
        isOld.withLock { $0 = false }

        let product = try await loader.fetchProduct(withID: "pan", policy: .cacheFirst)

        #expect(product.source == .network && shop.requestCount == 2)
    }

    // Rule: errors/closure-error-names-the-member (9)
    @Test func `a decoding error after two requests names none of them`() async throws {
        let shop = CachedShop()
        let loader = ProductLoader(load: { id in
            _ = try await shop.client.send(NetworkRequest<CachedGood>.get("prices", id))
            let good = try await shop.client.send(NetworkRequest<CachedGood>.get("goods", id))
            return try MemberPath("price").reading { try good.product(pricedAt: "free") }
        })

        let error = await #expect(throws: NetworkError.self) {
            try await loader.loadProduct(withID: "pan")
        }

        #expect(error?.debugDescription.contains("“price”") == true)
        #expect(error?.url == nil && error?.body.isEmpty == true)
    }

    // Rule: cache/policy-reaches-every-request (70)
    @Test func `with cacheOnly, a request that may change something is not sent`() async throws {
        let shop = CachedShop()
        let loader = ProductLoader(load: { id in
            try await shop.client.send(NetworkRequest<CachedGood>.post("goods", id))
                .product(pricedAt: "39.95")
        })

        let error = await #expect(throws: NetworkError.self) {
            _ = try await loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        }

        #expect(error?.code == .notCached)
        #expect(shop.attemptCount == 0)
    }

    // Rule: cache/policy-reaches-every-request (70)
    @Test func `a task that continues after a closure has no policy`() async throws {
        let gate = ActionGate<Void>()
        let tasks = Mutex<[Task<FetchPolicy, any Error>]>([])
        let loader = ProductLoader(load: { id in
            let task = Task {
                try await gate.hold()
                return FetchPolicy.current
            }
            tasks.withLock { $0.append(task) }
            return Product(id: id, name: "Pan")
        })
        _ = try await loader.fetchProduct(withID: "pan", policy: .reload)
        gate.open()

        #expect(try await tasks.withLock(\.first)?.value == .standard)
    }

    // Rule: screen/complete-product-replaces-everything (63)
    @Test func `a product that was loaded by itself is not a summary`() async throws {
        let loader = ProductLoader(load: { id in
            Product(id: id, name: "Pan").summary(of: [.prices])
        })

        #expect(try await loader.loadProduct(withID: "pan").unknownMembers.isEmpty)
    }

    @Test func `behaviors of a loader and a manager are added to their requests`() async throws {
        let shop = CachedShop()
        let trace = ClosureBehavior(additionalHeaders: { ["X-Trace": "7"] })

        let outer = ProductLoader(load: { id in try await shop.loader.loadProduct(withID: id) })

        _ = try await outer.with(behaviors: [trace]).loadProduct(withID: "pan")
        _ = try await shop.lists.with(behaviors: [trace]).list(withID: "camp")
        _ = try await shop.lists.list(withID: "camp")

        #expect(shop.traces == ["7", "7", "7", nil])
    }
}

private enum ListWrite {
    case add, remove

    func callAsFunction(_ lists: ListManager) async throws {
        switch self {
        case .add: try await lists.addProduct(withID: "pan", toListWithID: "camp")
        case .remove: try await lists.removeProduct(withID: "knife", fromListWithID: "camp")
        }
    }
}
