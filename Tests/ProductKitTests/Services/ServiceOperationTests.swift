import Foundation
import ProductKit
import Synchronization
import Testing

/// The policies and sources of loaders and managers made from closures over a client with a cache.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServiceOperationTests {
    private let shop = CachedShop()

    /// A loader inside of another loader.
    private var outer: ProductLoader {
        ProductLoader(load: { id in try await shop.loader.loadProduct(withID: id) })
    }

    // Rule: cache/policy-reaches-every-request (70)
    @Test(
        arguments: [
            (.standard, .cache, 0), (.cacheFirst, .cache, 0), (.cacheOnly, .cache, 0),
            (.networkFirst, .network, 2), (.revalidate, .network, 2), (.reload, .network, 2),
        ] as [(FetchPolicy, FetchSource.Code, Int)],
        [false, true]
    )
    func `a policy applies to all requests of a load closure, also inside of another loader`(
        expected: (policy: FetchPolicy, source: FetchSource.Code, sends: Int),
        isNested: Bool
    ) async throws {
        let loader = isNested ? outer : shop.loader
        _ = try await loader.loadProduct(withID: "pan")
        let requests = shop.requestCount

        let fetched = try await loader.fetchProduct(withID: "pan", policy: expected.policy)

        #expect(fetched.source.code == expected.source)
        #expect(shop.requestCount == requests + expected.sends)
    }

    // Rule: cache/fetched-has-source (61); cache/read-before-write-revalidates (72)
    @Test func `loads and reads before a write fail offline, although all responses are fresh`()
        async throws
    {
        _ = try await shop.loader.loadProduct(withID: "pan")
        _ = try await shop.lists.list(withID: "camp")
        shop.isDown = true
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await shop.loader.loadProduct(withID: "pan") },
            { try await shop.lists.addProduct(withID: "pan", toListWithID: "camp") },
            {
                try await shop.lists.removeProduct(withID: "knife", fromListWithID: "camp")
            },
            { try await shop.lines.add("pan", to: "camp") },
        ]

        for call in calls { await expectNetworkError(.unreachable) { try await call() } }
    }

    // Rule: cache/worst-source-of-all-responses (71)
    @Test func `a product of two responses has the worst source and the oldest date`() async throws
    {
        _ = try await shop.loader.loadProduct(withID: "pan")
        shop.now += 50
        _ = try await shop.client.send(
            NetworkRequest<CachedGood>.get("prices", "pan").fetching(.reload)
        )

        let fetched = try await shop.loader.fetchProduct(withID: "pan")

        #expect(fetched.source == .cache(asOf: CachedShop.start))
    }

    // Rule: cache/worst-source-of-all-responses (71)
    @Test func `a product of a stored and a new response is not from the server`() async throws {
        _ = try await shop.good("pan")

        let fetched = try await shop.loader.fetchProduct(withID: "pan")

        #expect(fetched.source == .cache(asOf: CachedShop.start))
        #expect(shop.requestCount == 2)
    }

    // Rule: cache/worst-source-of-all-responses (71)
    @Test func `a closure with a store of its own returns the worse of both sources`() async throws
    {
        let loader = ProductLoader(fetch: { id, _ in
            Fetched(try await shop.good(id).product(), source: .network)
        })
        _ = try await loader.fetchProduct(withID: "pan")

        let fetched = try await loader.fetchProduct(withID: "pan")

        #expect(fetched.source == .cache(asOf: CachedShop.start))
    }

    // Rule: cache/worst-source-of-all-responses (71); cache/policy-reaches-every-request (70)
    @Test func `a page is loaded from the network, and has the source of its response`()
        async throws
    {
        _ = try await shop.loader.products()

        let loaded = try await shop.loader.products()
        shop.now += 100
        shop.isDown = true
        let page = try await shop.loader.products()

        #expect(loaded.source == .network && shop.requestCount == 2)
        #expect(page.source == .staleIfError(asOf: CachedShop.start, failure: Offline()))
        #expect(page.items.map(\.id) == ["pan"])
    }

    // Rule: cache/policy-reaches-every-request (70)
    @Test func `with the standard policy, a request keeps a policy of its own`() async throws {
        let loader = ProductLoader(load: { id in
            let request = NetworkRequest<CachedGood>.get("goods", id).fetching(.reload)
            return try await shop.client.send(request).product()
        })
        _ = try await loader.fetchProduct(withID: "pan")

        let fetched = try await loader.fetchProduct(withID: "pan", policy: .standard)

        #expect(fetched.source == .network)
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
        await expectNetworkError(.notCached) {
            try await loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        }

        #expect(fetched.source == .network)
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
    @Test func `a favorite that is read before it is toggled is never a stored one`() async throws {
        let loader = ProductLoader(
            load: { id in Product(id: id, name: "Pan") },
            setFavorite: { id, _ in
                _ = try await shop.good(id)
                return nil
            }
        )
        _ = try await shop.good("pan")

        _ = try await loader.setFavoriteStatus(true, forProductWithID: "pan")

        #expect(shop.requestCount == 2)
    }

    // Rule: cache/stored-not-found-is-revalidated (65)
    @Test func `a stored “not found” is loaded again by a loader made from closures`() async throws
    {
        shop.isMissing = true
        await #expect(throws: ProductError.notFound("pan")) {
            try await shop.loader.loadProduct(withID: "pan")
        }
        shop.isMissing = false

        await expectNetworkError(.notCached) {
            try await shop.loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        }
        let product = try await shop.loader.fetchProduct(withID: "pan", policy: .cacheFirst)

        #expect(product.source == .network)
    }

    // Rule: cache/stored-not-found-is-revalidated (65)
    @Test func `offline, a stored “not found” is the failure of the network`() async throws {
        shop.isMissing = true
        _ = try? await shop.loader.loadProduct(withID: "pan")
        shop.isDown = true

        let attempts = shop.attemptCount
        await expectNetworkError(.unreachable) {
            try await shop.loader.fetchProduct(withID: "pan", policy: .networkFirst)
        }

        #expect(shop.attemptCount == attempts + 1)
    }

    // Rule: cache/stored-not-found-is-revalidated (65)
    @Test func `a “not found” of the server counts, although another response is stored`()
        async throws
    {
        let loads = Counter()
        let inner = ProductLoader(load: { id in
            loads.next()
            throw ProductError.notFound(id)
        })
        let lists = ListManager(
            addProduct: { _, _ in },
            lists: { _ in
                var page = Page<ProductList>([])
                page.source = .staleIfError(asOf: .distantPast, failure: Offline())
                return page
            }
        )
        let loader = ProductLoader(load: { id in
            _ = try await lists.lists()
            return try await inner.loadProduct(withID: id)
        })

        await #expect(throws: ProductError.notFound("pan")) {
            try await loader.fetchProduct(withID: "pan")
        }

        #expect(loads.count == 1)
    }

    // Rule: cache/stored-not-found-is-revalidated (65)
    @Test(arguments: [true, false])
    func `a stored “not found” is loaded again, although something else does not exist`(
        isNested: Bool
    ) async throws {
        shop.isMissing = true
        _ = try? await shop.loader.loadProduct(withID: "pan")
        shop.isMissing = false
        let brands = ProductLoader(load: { id in throw ProductError.notFound(id) })
        let loader = ProductLoader(load: { [shop] id in
            _ = try? await brands.loadProduct(withID: "brand")
            do {
                guard isNested else { return try await shop.good(id).product() }
                var page = Page<ProductList>([])
                page.source = .cache(asOf: CachedShop.start)
                let lists = ListManager(addProduct: { _, _ in }, lists: { [page] _ in page })
                _ = try await lists.lists()
                guard FetchPolicy.current == .reload else { throw ProductError.notFound(id) }
                return Product(id: id, name: "Pan")
            } catch let error as NetworkError where error.code == .notFound {
                throw ProductError.notFound(id)
            }
        })

        #expect(try await loader.fetchProduct(withID: "pan", policy: .cacheFirst).value.id == "pan")
    }

    // Rule: errors/closure-error-names-the-member (9)
    @Test
    func `a decoding error of a closure names the member, and its request if it is the only one`()
        async throws
    {
        for loadsPrice in [false, true] {
            let loader = ProductLoader(load: { id in
                if loadsPrice { _ = try await shop.good(id, in: "prices") }
                let good = try await shop.good(id)
                return try MemberPath("price").reading { try good.product(pricedAt: "free") }
            })

            let error = await expectNetworkError(.unreadable) {
                try await loader.loadProduct(withID: "pan")
            }

            #expect(error?.debugDescription.contains("“price”") == true)
            #expect(error?.statusCode == (loadsPrice ? nil : 200))
            #expect(error?.url?.path() == (loadsPrice ? nil : "/goods/pan"))
            #expect(error?.body.isEmpty == loadsPrice)
        }
    }

    // Rule: errors/closure-error-names-the-member (9)
    @Test(arguments: [true, false])
    func `a stored response that a closure cannot read is loaded again`(
        readsBody: Bool
    ) async throws {
        let isOld = Mutex(true)
        let loader = ProductLoader(load: { id in
            let isOld = isOld.withLock(\.self)
            var response = try await shop.client.send(
                NetworkRequest<NetworkResponse>(method: "GET", segments: ["goods", id.rawValue]) {
                    $0
                }
            )
            if isOld, readsBody { response.body = Data("<!DOCTYPE html>".utf8) }
            let good = try response.json(CachedGood.self)
            return try MemberPath("price").reading {
                try good.product(pricedAt: isOld ? "free" : "39.95")
            }
        })
        _ = try? await loader.loadProduct(withID: "pan")
        isOld.withLock { $0 = false }

        let product = try await loader.fetchProduct(withID: "pan", policy: .cacheFirst)

        #expect(product.source == .network && shop.requestCount == 2)
    }

    // Rule: cache/policy-reaches-every-request (70)
    @Test func `with cacheOnly, a request that may change something is not sent`() async throws {
        let loader = ProductLoader(load: { id in
            try await shop.client.send(NetworkRequest<CachedGood>.post("goods", id)).product()
        })

        await expectNetworkError(.notCached) {
            try await loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        }

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
        let trace = ClosureBehavior(additionalHeaders: { ["X-Trace": "7"] })

        _ = try await outer.with(behaviors: [trace]).loadProduct(withID: "pan")
        _ = try await shop.lists.with(behaviors: [trace]).list(withID: "camp")
        _ = try await shop.lists.list(withID: "camp")

        #expect(shop.traces == ["7", "7", "7", nil])
    }
}
