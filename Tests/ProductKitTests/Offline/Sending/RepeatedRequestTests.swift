import ProductKit
import Testing

/// Requests that are not idempotent, on servers that recognize repeated ones and on others.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RepeatedRequestTests {
    private let clock = ManualClock(skipsDelays: true)

    // Rule: retry/added-key-repeats-nothing (16)
    @Test(arguments: Loss.received)
    func `an addition whose response is lost makes one row`(loss: Loss) async throws {
        for outboxIsUsed in [false, true] {
            let shop = Shop(lists: [.init(id: "a", name: "A")])
            shop.lose([loss, loss])
            let service = service(of: shop, outbox: outboxIsUsed ? .controlled() : nil)

            try? await service.listManager.addProduct(withID: "boots", toListWithID: "a")
            #expect(shop.writes == ["POST lists/a/rows"])
            try await sendAll(service.outbox)

            #expect(shop.lists.map(\.products) == [["boots"]])
        }
    }

    // Rule: retry/added-key-repeats-nothing (16)
    @Test(arguments: Loss.received)
    func `the first favorite makes one list of favorites`(loss: Loss) async throws {
        let shop = Shop()
        shop.lose([loss, loss])
        let service = service(of: shop, outbox: .controlled(), favoritesList: "Favorites")

        _ = try? await service.loader.setFavoriteStatus(true, forProductWithID: "boots")
        try await sendAll(service.outbox)

        #expect(shop.lists.map(\.name) == ["Favorites"])
        #expect(shop.lists.map(\.products) == [["boots"]])
    }

    // Rule: retry/promised-keys-repeat-all (17)
    @Test(arguments: Loss.received, [false, true])
    func `a backend that recognizes keys gets each request again at once`(
        loss: Loss,
        outboxIsUsed: Bool
    ) async throws {
        let shop = Shop(lists: [.init(id: "a", name: "A")])
        recognizeKeys(in: shop)
        shop.lose([loss, loss])
        let service = service(
            of: shop,
            outbox: outboxIsUsed ? .controlled() : nil,
            recognizesIdempotencyKeys: true
        )

        try await service.listManager.addProduct(withID: "boots", toListWithID: "a")

        #expect(shop.requests == Array(repeating: "POST lists/a/rows", count: 3))
        #expect(shop.lists.map(\.products) == [["boots"]])
    }

    // Rule: requests/created-list-is-found (12)
    @Test(arguments: Loss.received)
    func `a created list is found although its request has a key`(
        loss: Loss
    ) async throws {
        let shop = Shop()
        shop.lose([loss, loss])
        let lists = keyedLists(of: shop).findingCreatedLists()

        let list = try await lists.createList(named: "Camp")

        #expect(list.id == "list1" && shop.writes == ["POST lists"])
    }

    // Rule: retry/idempotent-requests-are-retried (1)
    @Test func `a key that the closure sets repeats its request`() async throws {
        let shop = Shop()
        recognizeKeys(in: shop)
        shop.lose([.lostConnection])

        _ = try await keyedLists(of: shop).createList(named: "Camp")

        #expect(shop.writes == ["POST lists", "POST lists"] && shop.lists.count == 1)
    }

    /// Sends until nothing waits, like the passing of time.
    private func sendAll(_ outbox: Outbox.Session?) async throws {
        guard let outbox else { return }
        for _ in 0..<5 { _ = try await outbox.sendAll(ignoringRetryAfter: true) }
        #expect(outbox.changes.isEmpty && outbox.rejections.isEmpty)
    }

    /// Lets a shop return its first response to a key again.
    private func recognizeKeys(in shop: Shop) {
        let responses = Observed<[String: NetworkResponse]>(wrappedValue: [:])
        shop.respond = { request, carryOut in
            guard let key = request.value(forHTTPHeaderField: "Idempotency-Key") else {
                return try carryOut()
            }
            if let known = responses.wrappedValue[key] { return known }
            let response = try carryOut()
            responses.change { $0[key] = response }
            return response
        }
    }

    private func keyedLists(of shop: Shop) -> ListManager {
        let retry = RetryBehavior(effects: clock.effects())
        let client = NetworkClient(
            baseURL: .api,
            networking: shop.networking,
            behaviors: [retry]
        )
        return .shop(client, creationKey: true)
    }

    private func service(
        of shop: Shop,
        outbox: Outbox?,
        recognizesIdempotencyKeys: Bool = false,
        favoritesList: String? = nil
    ) -> ProductService {
        let backend = ProductBackend(
            client: NetworkClient(baseURL: .api, networking: shop.networking),
            retry: RetryBehavior(effects: clock.effects()),
            recognizesIdempotencyKeys: recognizesIdempotencyKeys,
            favoritesList: favoritesList,
            loader: ProductLoader.shop,
            listManager: { .shop($0) }
        )
        return ProductService(
            backend: backend,
            localUser: .shopper,
            user: .signedIn("anna"),
            outbox: outbox
        )
    }
}
