import ProductKit
import Testing

/// The reads before the next attempt of an edit that the server may have carried out.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StateReadingTests {
    private let shop = LossyShop(lists: [
        .init(id: "a", name: "A"), .init(id: "b", name: "B", rows: ["boots", "socks"]),
    ])
    private let edits: [Outbox.Edit] = [
        .setFavorite("boots", to: true), .addProduct("boots", toList: "a"),
        .removeProduct("boots", fromList: "b"), .renameList("a", name: "C"), .deleteList("b"),
    ]

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test(arguments: [(LossyShop.Loss.lostConnection, 1), (.notReceived, 2)], [true, false])
    func `an edit is sent again only if it was not carried out`(
        attempt: (loss: LossyShop.Loss, writeCount: Int),
        canLoadOne: Bool
    ) async throws {
        for edit in edits {
            let shop = LossyShop(lists: shop.lists)
            shop.lose([attempt.loss])
            let outbox = started(with: shop, canLoadOne: canLoadOne)
            try await outbox.save(edit)
            for _ in 0..<2 { _ = try await outbox.sendAll() }

            #expect(shop.writes.count == attempt.writeCount, "\(edit)")
            #expect(Set(shop.writes).count == 1, "\(edit)")
            #expect(outbox.changes.isEmpty && outbox.rejections.isEmpty, "\(edit)")
        }
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `nothing is read before the first attempt, or if no attempt reached the server`()
        async throws
    {
        for edit in edits {
            let shop = LossyShop(lists: shop.lists)
            let client = NetworkClient(baseURL: .api, networking: shop.networking)
            let sending = Outbox.sending(.lossy(client), .lossy(client))
            let attempts = Counter()
            let outbox = Outbox.controlled().start { change in
                guard attempts.next() > 1 else { throw NetworkError(.unreachable) }
                return try await sending(change)
            }
            try await outbox.save(edit)
            for _ in 0..<2 { _ = try await outbox.sendAll() }

            #expect(shop.requests == shop.writes && shop.writes.count == 1, "\(edit)")
        }
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `the state is read after a restart`() async throws {
        let storage = OutboxStorage.inMemory()
        let earlier = Outbox.controlled(storage: storage).start { _ in
            throw NetworkError(.unreachable)
        }
        try await earlier.save(.addProduct("boots", toList: "b"))
        await earlier.stop()

        let outbox = started(with: shop, storage: storage)
        _ = try await outbox.sendAll()

        #expect(shop.requests == ["GET lists/b"] && outbox.changes.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `nothing is read if the server recognizes keys`() async throws {
        shop.lose([.lostConnection])
        let outbox = started(with: shop, recognizesIdempotencyKeys: true)
        try await outbox.save(.addProduct("boots", toList: "a"))
        for _ in 0..<2 { _ = try await outbox.sendAll() }

        #expect(shop.requests == ["POST lists/a/rows", "POST lists/a/rows"])
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test(arguments: [LossyShop.Loss.serverError, .unavailable])
    func `the state is read before an attempt with another key`(loss: LossyShop.Loss) async throws {
        shop.lose([loss])
        let outbox = started(with: shop, recognizesIdempotencyKeys: true)
        try await outbox.save(.addProduct("boots", toList: "a"))
        for _ in 0..<2 { _ = try await outbox.sendAll(ignoringRetryAfter: true) }

        #expect(shop.requests == ["POST lists/a/rows", "GET lists/a"])
        #expect(shop.lists.first?.rows == ["boots"] && outbox.changes.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `the state is read before another change of what an attempt may have changed`()
        async throws
    {
        shop.lose([.lostConnection])
        let outbox = started(with: shop, recognizesIdempotencyKeys: true)
        #expect(try await outbox.perform(.addProduct("boots", toList: "a")) == .saved)
        let change = try #require(outbox.changes.first)
        #expect(try await outbox.discard(change.id))

        _ = try await outbox.perform(.addProduct("boots", toList: "a"))

        #expect(shop.requests == ["POST lists/a/rows", "GET lists/a"])
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test(arguments: [(false, false), (true, false), (true, true)])
    func `the state is read after an edit was discarded or refused`(
        isRefused: Bool,
        isRestarted: Bool
    ) async throws {
        shop.lose([.lostConnection])
        let storage = OutboxStorage.inMemory()
        var outbox = started(with: shop, storage: storage)
        #expect(try await outbox.perform(.addProduct("boots", toList: "a")) == .saved)
        if isRefused {
            shop.failReads(403)
            shop.lose([.refusal])
            _ = try await outbox.sendAll()
            let rejection = try #require(outbox.rejections.first)
            if isRestarted {
                await outbox.stop()
                outbox = started(with: shop, storage: storage)
            }
            try await outbox.resend(rejection.id)
        } else {
            let change = try #require(outbox.changes.first)
            #expect(try await outbox.discard(change.id))
            try await outbox.save(.addProduct("boots", toList: "a"))
        }
        for _ in 0..<2 { _ = try await outbox.sendAll() }

        #expect(shop.lists.first?.rows == ["boots"])
        #expect(outbox.changes.isEmpty && outbox.rejections.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `the star of a product that has gone is not removed again`() async throws {
        let attempts = Counter()
        let loader = ProductLoader(
            load: { id in throw ProductError.notFound(id) },
            setFavorite: { _, _ in
                attempts.next()
                throw NetworkError(.connectionLost)
            }
        )
        let outbox = Outbox.controlled().start(sending: Outbox.sending(loader, .only()))
        try await outbox.save(.setFavorite("boots", to: false))
        for _ in 0..<2 { _ = try await outbox.sendAll() }

        #expect(attempts.count == 1 && outbox.changes.isEmpty && outbox.rejections.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `a status or products that the server does not return confirm nothing`()
        async throws
    {
        let (attempts, lost) = (Counter(), NetworkError(.connectionLost))
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .json(#"{"id": "boots", "name": "Boots"}"#) }
        )
        let loader = ProductLoader(
            load: { id in try await client.send(.get("products", id)) },
            setFavorite: { id, _ in
                if attempts.next() == 1 { throw lost }
                return Product(id: id, name: "Boots")
            }
        )
        let lists = ListManager(
            addProduct: { _, _ in },
            removeProduct: { _, _ in if attempts.next() == 3 { throw lost } },
            lists: { _ in Page([ProductList(id: "a", name: "A")]) }
        )
        let outbox = Outbox.controlled().start(sending: Outbox.sending(loader, lists))
        for edit: Outbox.Edit in [
            .setFavorite("boots", to: false), .removeProduct("boots", fromList: "a"),
        ] {
            try await outbox.save(edit)
            for _ in 0..<2 { _ = try await outbox.sendAll() }
        }

        #expect(attempts.count == 4 && outbox.changes.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `opposite edits that follow leave one row`() async throws {
        shop.lose([.lostConnection])
        let outbox = started(with: shop)
        #expect(try await outbox.perform(.addProduct("boots", toList: "a")) == .saved)
        shop.isReachable = false
        for edit: Outbox.Edit in [
            .removeProduct("boots", fromList: "a"), .addProduct("boots", toList: "a"),
        ] {
            #expect(try await outbox.perform(edit) == .saved)
        }
        shop.isReachable = true
        for _ in 0..<2 { _ = try await outbox.sendAll() }

        #expect(shop.lists.first?.rows == ["boots"] && outbox.changes.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `an equal edit that was saved during the attempt leaves one row`() async throws {
        let gate = ActionGate<Void>()
        shop.lose([.lostConnection])
        let client = NetworkClient(
            baseURL: .api,
            networking: shop.networking,
            behaviors: [
                ClosureBehavior(intercept: { request, next in
                    if request.method == "POST" { try await gate.hold() }
                    return try await next(request)
                })
            ]
        )
        let outbox = Outbox.controlled().start(
            sending: Outbox.sending(.lossy(client), .lossy(client))
        )
        try await outbox.save(.addProduct("boots", toList: "a"))
        await gate.waitForCalls(1)
        try await outbox.save(.removeProduct("boots", fromList: "a"))
        try await outbox.save(.addProduct("boots", toList: "a"))
        gate.open()
        for _ in 0..<3 { _ = try await outbox.sendAll() }

        #expect(shop.lists.first?.rows == ["boots"] && outbox.changes.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test(arguments: [0, 401, 429, 502, 503])
    func `an edit waits while its state cannot be loaded`(statusCode: Int) async throws {
        shop.lose([.lostConnection])
        let outbox = started(with: shop)
        try await outbox.save(.addProduct("boots", toList: "a"))
        shop.failReads(statusCode)
        for _ in 0..<2 {
            _ = try await outbox.sendAll(ignoringRetryAfter: true)
            outbox.resume()
        }
        _ = try await outbox.sendAll()

        #expect(shop.writes == ["POST lists/a/rows"] && outbox.changes.isEmpty)
        #expect(shop.requests.filter { $0.hasPrefix("GET") }.count == 2)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test(arguments: [200, 302, 403, 410, 418])
    func `an edit whose state can never be loaded is sent`(statusCode: Int) async throws {
        shop.lose([.notReceived])
        let outbox = started(with: shop)
        try await outbox.save(.addProduct("boots", toList: "a"))
        shop.failReads(statusCode)
        for _ in 0..<2 { _ = try await outbox.sendAll() }

        #expect(shop.writes.count == 2 && shop.lists.first?.rows == ["boots"])
        #expect(outbox.changes.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `an operation that is not provided is not called for the state`() async throws {
        let attempts = Counter()
        let lists = ListManager.only(
            addProduct: { _, _ in
                guard attempts.next() > 1 else { throw NetworkError(.connectionLost) }
            },
            otherwise: { Issue.record($0) }
        )
        let loader = ProductLoader.only(
            setFavorite: { id, _ in
                guard attempts.next() > 3 else { throw NetworkError(.connectionLost) }
                return Product(id: id, name: "Boots")
            },
            otherwise: { Issue.record($0) }
        )
        let outbox = Outbox.controlled().start(sending: Outbox.sending(loader, lists))
        for edit: Outbox.Edit in [
            .addProduct("boots", toList: "a"), .setFavorite("boots", to: true),
        ] {
            try await outbox.save(edit)
            for _ in 0..<2 { _ = try await outbox.sendAll() }
        }

        #expect(attempts.count == 4 && outbox.changes.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `a list that may be among those that cannot be decoded is unknown`() async throws {
        let (attempts, error) = (Counter(), NetworkError(.connectionLost))
        let lists = ListManager(
            addProduct: { _, _ in },
            lists: { _ in
                Page(
                    [ProductList](),
                    rejected: [RejectedElement(index: 0, member: "name", reason: "It is missing.")]
                )
            },
            delete: { _ in if attempts.next() == 1 { throw error } }
        )
        let outbox = Outbox.controlled().start(sending: Outbox.sending(.only(), lists))
        try await outbox.save(.deleteList("a"))
        for _ in 0..<2 { _ = try await outbox.sendAll() }

        #expect(attempts.count == 2 && outbox.changes.isEmpty)
    }

    private func started(
        with shop: LossyShop,
        canLoadOne: Bool = true,
        storage: OutboxStorage = .inMemory(),
        recognizesIdempotencyKeys: Bool = false
    ) -> Outbox.Session {
        let client = NetworkClient(baseURL: .api, networking: shop.networking)
        return Outbox.controlled(storage: storage).start(
            sending: Outbox.sending(
                .lossy(client),
                .lossy(client, canLoadOne: canLoadOne),
                recognizesIdempotencyKeys: recognizesIdempotencyKeys
            )
        )
    }
}
