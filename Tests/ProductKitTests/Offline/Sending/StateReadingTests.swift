import Foundation
import ProductKit
import Testing

/// The reads before the next attempt of an edit that the server may have carried out.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StateReadingTests {
    private let shop = Shop(lists: [
        .init(id: "a", name: "A"), .init(id: "b", name: "B", products: ["boots", "socks"]),
    ])
    private let edits: [Outbox.Edit] = [
        .setFavorite("boots", to: true), .addProduct("boots", toList: "a"),
        .removeProduct("boots", fromList: "b"), .renameList("a", name: "C"), .deleteList("b"),
    ]
    private let addition = Outbox.Edit.addProduct("boots", toList: "a")

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test(arguments: [(Loss.lostConnection, 1), (.notReceived, 2)], [true, false])
    func `an edit is sent again only if it was not carried out`(
        attempt: (loss: Loss, writeCount: Int),
        canLoadOne: Bool
    ) async throws {
        for edit in edits {
            let shop = Shop(lists: shop.lists)
            shop.lose([attempt.loss])
            let outbox = started(with: shop, canLoadOne: canLoadOne)
            try await outbox.saveAndSend(edit, times: 2)

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
            let shop = Shop(lists: shop.lists)
            let client = NetworkClient(baseURL: .api, networking: shop.networking)
            let sending = Outbox.sending(.shop(client), .shop(client))
            let attempts = Counter()
            let outbox = Outbox.controlled().start { change in
                guard attempts.next() > 1 else { throw NetworkError(.unreachable) }
                return try await sending(change)
            }
            try await outbox.saveAndSend(edit, times: 2)

            #expect(shop.requests == shop.writes && shop.writes.count == 1, "\(edit)")
        }
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `the state is read after a restart`() async throws {
        let storage = try await OutboxStorage.saving(.addProduct("boots", toList: "b"))

        let outbox = started(with: shop, storage: storage)
        _ = try await outbox.sendAll()

        #expect(shop.requests == ["GET lists/b"] && outbox.changes.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test(arguments: [
        (Loss.lostConnection, "POST lists/a/rows"), (.serverError, "GET lists/a"),
        (.unavailable, "GET lists/a"),
    ])
    func `if keys are recognized, the state is read only before an attempt with another key`(
        loss: Loss,
        next: String
    ) async throws {
        shop.lose([loss])
        let outbox = started(with: shop, recognizesIdempotencyKeys: true)
        try await outbox.save(addition)
        for _ in 0..<2 { _ = try await outbox.sendAll(ignoringRetryAfter: true) }

        #expect(shop.requests == ["POST lists/a/rows", next] && outbox.changes.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test(arguments: [[Loss.serverError], [.notReceived, .lostConnection]])
    func `after a restart, the keys of the attempts are not known, and the state is read`(
        losses: [Loss]
    ) async throws {
        shop.lose(losses)
        let storage = OutboxStorage.inMemory()
        var outbox = started(with: shop, storage: storage, recognizesIdempotencyKeys: true)
        #expect(try await outbox.perform(addition) == .saved)
        await outbox.stop()
        outbox = started(with: shop, storage: storage, recognizesIdempotencyKeys: true)
        for _ in 0..<2 { _ = try await outbox.sendAll() }

        let requests = losses.flatMap { _ in ["POST lists/a/rows", "GET lists/a"] }
        #expect(shop.requests == requests && outbox.changes.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `the state is read before another change of what an attempt may have changed`()
        async throws
    {
        shop.lose([.lostConnection])
        let outbox = started(with: shop, recognizesIdempotencyKeys: true)
        #expect(try await outbox.perform(addition) == .saved)
        let change = try #require(outbox.changes.first)
        #expect(try await outbox.discard(change.id))

        _ = try await outbox.perform(addition)

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
        #expect(try await outbox.perform(addition) == .saved)
        if isRefused {
            shop.failRead(403)
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
            try await outbox.save(addition)
        }
        for _ in 0..<2 { _ = try await outbox.sendAll() }

        #expect(shop.lists.first?.products == ["boots"])
        #expect(outbox.changes.isEmpty && outbox.rejections.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `opposite edits that follow leave one row`() async throws {
        shop.lose([.lostConnection])
        let outbox = started(with: shop)
        #expect(try await outbox.perform(addition) == .saved)
        shop.isReachable = false
        for edit in [.removeProduct("boots", fromList: "a"), addition] {
            #expect(try await outbox.perform(edit) == .saved)
        }
        shop.isReachable = true
        for _ in 0..<2 { _ = try await outbox.sendAll() }

        #expect(shop.lists.first?.products == ["boots"] && outbox.changes.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `an equal edit that was saved during the attempt leaves one row`() async throws {
        let gate = ActionGate<Void>()
        shop.lose([.lostConnection])
        let hold = ClosureBehavior(intercept: { request, next in
            if request.method == "POST" { try await gate.hold() }
            return try await next(request)
        })
        let outbox = started(with: shop, behaviors: [hold])
        try await outbox.save(addition)
        await gate.waitForCalls(1)
        try await outbox.save(.removeProduct("boots", fromList: "a"))
        try await outbox.save(addition)
        gate.open()
        for _ in 0..<3 { _ = try await outbox.sendAll() }

        #expect(shop.lists.first?.products == ["boots"] && outbox.changes.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test(arguments: [0, 401, 429, 502, 503])
    func `an edit waits while its state cannot be loaded`(statusCode: Int) async throws {
        shop.lose([.lostConnection])
        let outbox = started(with: shop)
        try await outbox.save(addition)
        shop.failRead(statusCode)
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
        try await outbox.save(addition)
        shop.failRead(statusCode)
        for _ in 0..<2 { _ = try await outbox.sendAll() }

        #expect(shop.writes.count == 2 && shop.lists.first?.products == ["boots"])
        #expect(outbox.changes.isEmpty)
    }

    /// A state that a backend returns after the response to an edit was lost.
    struct State: CustomTestStringConvertible {
        let testDescription: String
        let edit: Outbox.Edit
        let isConfirmed: Bool
        var load: (@Sendable (Product.ID) async throws -> Product)?
        var lists: (@Sendable (PageCursor?) async throws -> Page<ProductList>)?
        var hasFavoritesInList = false
    }

    private static let states = [
        State(
            testDescription: "a product that has gone",
            edit: .setFavorite("boots", to: false),
            isConfirmed: true,
            load: { id in throw ProductError.notFound(id) }
        ),
        State(
            testDescription: "a product that has gone, and that a list may contain",
            edit: .setFavorite("boots", to: false),
            isConfirmed: false,
            load: { id in throw ProductError.notFound(id) },
            lists: { _ in
                Page([ProductList(id: "1", name: "Favorites", products: ["boots"])])
            },
            hasFavoritesInList: true
        ),
        State(
            testDescription: "lists of which some are hidden",
            edit: .deleteList("a"),
            isConfirmed: false,
            lists: { _ in
                let lists = ListManager(
                    addProduct: { _, _ in },
                    lists: { _ in Page([ProductList(id: "a", name: "Favorites")]) }
                )
                return try await lists.hidingLists(named: "Favorites").lists()
            }
        ),
        State(
            testDescription: "a product without a status",
            edit: .setFavorite("boots", to: false),
            isConfirmed: false,
            load: { _ in
                try NetworkResponse.json(#"{"id": "boots", "name": "Boots"}"#).json()
            }
        ),
        State(
            testDescription: "a list without products",
            edit: .removeProduct("boots", fromList: "a"),
            isConfirmed: false,
            lists: { _ in Page([ProductList(id: "a", name: "A")]) }
        ),
        State(
            testDescription: "a list that may be the one that cannot be decoded",
            edit: .deleteList("a"),
            isConfirmed: false,
            lists: { _ in
                Page([], rejected: [RejectedElement(index: 0, member: "name", reason: "Missing.")])
            }
        ),
        State(
            testDescription: "a list on pages that do not fit together",
            edit: .deleteList("a"),
            isConfirmed: false,
            lists: { cursor in
                let list = ProductList(id: cursor == nil ? "b" : "c", name: "B")
                return Page([list], next: cursor == nil ? "2" : nil, total: 3)
            }
        ),
        State(
            testDescription: "lists that were joined from such pages",
            edit: .deleteList("a"),
            isConfirmed: false,
            lists: { _ in
                let lists = ListManager(
                    addProduct: { _, _ in },
                    lists: { cursor in
                        let list = ProductList(id: cursor == nil ? "b" : "c", name: "B")
                        return Page([list], next: cursor == nil ? "2" : nil, total: 3)
                    }
                )
                return try await lists.allLists()
            }
        ),
        State(
            testDescription: "a product whose status is not known",
            edit: .setFavorite("boots", to: false),
            isConfirmed: false,
            load: { id in
                var product = Product(id: id, name: "Boots")
                product.unknownMembers = .isFavorite
                return product
            }
        ),
        State(
            testDescription: "a new list that has another name by now",
            edit: .createList("a", name: "A "),
            isConfirmed: true,
            lists: { _ in Page([ProductList(id: "a", name: "A")]) }
        ),
        State(
            testDescription: "a list that has another name than the new one",
            edit: .renameList("a", name: "A "),
            isConfirmed: false,
            lists: { _ in Page([ProductList(id: "a", name: "A")]) }
        ),
        State(
            testDescription: "no operation for a product",
            edit: .setFavorite("boots", to: true),
            isConfirmed: false
        ),
        State(
            testDescription: "no operation for a list",
            edit: .addProduct("boots", toList: "a"),
            isConfirmed: false
        ),
    ]

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test(arguments: states)
    func `an edit is sent again unless the state that a backend returns confirms it`(
        state: State
    ) async throws {
        let attempts = Counter()
        @Sendable func loseFirstResponse() throws {
            if attempts.next() == 1 { throw NetworkError(.connectionLost) }
        }
        let loader = ProductLoader.only(
            load: state.load,
            setFavorite: { id, _ in
                try loseFirstResponse()
                return Product(id: id, name: "Boots")
            },
            otherwise: { Issue.record($0) }
        )
        let lists = ListManager.only(
            addProduct: { _, _ in try loseFirstResponse() },
            removeProduct: { _, _ in try loseFirstResponse() },
            lists: state.lists,
            create: { id, name in
                try loseFirstResponse()
                return ProductList(id: id, name: name)
            },
            rename: { id, name, _ in
                try loseFirstResponse()
                return ProductList(id: id, name: name)
            },
            delete: { _ in try loseFirstResponse() },
            otherwise: { Issue.record($0) }
        )
        let listed = loader.storingFavorites(inListNamed: "Favorites", of: lists)
        let outbox = Outbox.controlled()
            .start(sending: Outbox.sending(state.hasFavoritesInList ? listed : loader, lists))

        try await outbox.saveAndSend(state.edit, times: 2)

        #expect(attempts.count == (state.isConfirmed ? 1 : 2))
        #expect(outbox.changes.isEmpty && outbox.rejections.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `the state is read if an attempt has failed after a write`() async throws {
        let requests = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                requests.add(request.httpMethod ?? "")
                if requests.all.count == 2 { throw NetworkError(.unreachable) }
                return .json(#"{"id": "boots", "name": "Boots", "isFavorite": true}"#)
            }
        )
        let loader = ProductLoader(
            load: { id in try await client.send(.get("goods", id)) },
            setFavorite: { id, _ in
                try await client.send(NetworkRequest<Void>.post("likes", id))
                return try await client.send(.get("goods", id))
            }
        )
        let lists = ListManager(addProduct: { _, _ in })
        let outbox = Outbox.controlled().start(sending: Outbox.sending(loader, lists))

        try await outbox.saveAndSend(.setFavorite("boots", to: true), times: 2)

        #expect(requests.all == ["POST", "GET", "GET"] && outbox.changes.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `lists that are refused are no state of a favorite`() async throws {
        let shop = Shop()
        shop.setFavorites(["pan"])
        shop.failLists(with: NetworkError(.connectionLost))
        let outbox = Outbox.controlled()
            .start(sending: Outbox.sending(shop.loader, shop.manager))
        try await outbox.save(.setFavorite("pan", to: false))
        _ = try await outbox.sendAll()

        shop.failLists(with: NetworkError(.unauthorized))
        #expect(try await outbox.sendAll() == 1)
        shop.failLists(with: nil)

        #expect(try await outbox.sendAll() == 0)
        #expect(shop.lists.first?.products == [])
    }

    private func started(
        with shop: Shop,
        canLoadOne: Bool = true,
        behaviors: [any RequestBehavior] = [],
        storage: OutboxStorage = .inMemory(),
        recognizesIdempotencyKeys: Bool = false
    ) -> Outbox.Session {
        let client = NetworkClient(
            baseURL: .api,
            networking: shop.networking,
            behaviors: behaviors
        )
        return Outbox.controlled(storage: storage).start(
            sending: Outbox.sending(
                .shop(client),
                .shop(client, canLoadOne: canLoadOne),
                recognizesIdempotencyKeys: recognizesIdempotencyKeys
            )
        )
    }
}
