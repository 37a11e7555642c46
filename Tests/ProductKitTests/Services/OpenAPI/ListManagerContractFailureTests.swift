import Foundation
import ProductKit
import Testing

/// The errors of a list manager for each status code of the default contract.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ListManagerContractFailureTests {
    @Test(
        arguments: [
            ("walking-boots", "/products/walking-boots"),
            ("walking-boots", "/v1/products/walking-boots/"),
            ("walking-boots", "https://api.example.com/v1/products/walking-boots"),
            ("walking-boots", "/v1/products/walking-boots?locale=de#top"),
            ("a/b", "/v1/products/a%2Fb"), ("größe", "/v1/products/gr%C3%B6%C3%9Fe"),
            ("größe", "/v1/products/größe"), ("lists", "/v1/products/lists"),
        ] as [(Product.ID, String)],
        [#""title": "Not found""#, #""status": 404"#]
    )
    func `a 404 whose problem instance is the product throws ProductError`(
        product: (id: Product.ID, instance: String),
        member: String
    ) async {
        let manager = ListManager.contract { _ in
            .problem(#"{\#(member), "instance": "\#(product.instance)"}"#, statusCode: 404)
        }

        await #expect(throws: ProductError.notFound(product.id)) {
            try await manager.addProduct(withID: product.id, toListWithID: "trip")
        }
    }

    @Test(
        arguments: [
            #"{"title": "Not found", "instance": "/v1/lists/trip"}"#,
            #"{"title": "Not found", "instance": "/v1/lists/trip/products/walking-boots"}"#,
            #"{"title": "Not found", "instance": "/v1/products/other"}"#,
            #"{"title": "Not found", "instance": "/v1/lists/walking-boots"}"#,
            #"{"title": "Not found", "instance": "walking-boots"}"#,
            #"{"title": "Not found", "instance": ""}"#, #"{"title": "Not found"}"#, "{}", "",
        ]
    )
    func `any other 404 throws ListError`(body: String) async {
        let manager = ListManager.contract { _ in .problem(body, statusCode: 404) }

        await #expect(throws: ListError.notFound("trip")) {
            try await manager.addProduct(withID: "walking-boots", toListWithID: "trip")
        }
    }

    @Test(arguments: [404, 410])
    func `a list that does not exist is not found, and there is nothing to remove`(
        status: Int
    ) async throws {
        let manager = ListManager.contract { _ in NetworkResponse(statusCode: status) }

        await #expect(throws: ListError.notFound("a/b")) { try await manager.list(withID: "a/b") }
        await #expect(throws: ListError.notFound("a/b")) {
            try await manager.renameList(withID: "a/b", to: "New", ifUnchanged: loaded)
        }
        try await manager.removeProduct(withID: "boots", fromListWithID: "trip")
        try await manager.deleteList(withID: "trip")
        await expectNetworkError(.notFound) {
            try await manager.lists()
        }
    }

    // Rule: errors/not-found-needs-an-api (7)
    @Test(arguments: [404, 410])
    func `a web page does not mean that a list was removed`(status: Int) async {
        let manager = ListManager.contract { _ in .webPage(statusCode: status) }

        for (_, call) in manager.everyOperation {
            let error = await expectNetworkError(.unexpected) { try await call() }
            #expect(error?.statusCode == status)
        }
    }

    @Test func `a condition that fails throws the current list`() async {
        let lines = Lines()
        let manager = manager(refusingWritesTo: "Theirs") { lines.add($0.line) }
        let error = ListError.changed(
            current: ProductList(id: "a/b", name: "Theirs", version: "8")
        )

        await #expect(throws: error) {
            try await manager.renameList(withID: "a/b", to: "Mine", ifUnchanged: loaded)
        }
        await #expect(throws: error) { try await manager.createList(named: "Mine", id: "a/b") }

        let url = "https://api.example.com/v1/lists/a%2Fb"
        #expect(lines.all == ["PUT \(url)", "GET \(url)", "PUT \(url)", "GET \(url)"])
    }

    @Test func `a write whose condition fails is success if the list has the name`() async throws {
        let manager = manager(refusingWritesTo: "Mine")

        let current = ProductList(id: "a/b", name: "Mine", version: "8")
        #expect(try await manager.createList(named: "Mine", id: "a/b") == current)
        #expect(
            try await manager.renameList(withID: "a/b", to: "Mine", ifUnchanged: loaded) == current
        )
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test(arguments: [(NetworkError.Code.connectionLost, true), (.unreachable, false)])
    func `a list was created, whatever its name is, only if an earlier attempt may have arrived`(
        failure: NetworkError.Code,
        isCreated: Bool
    ) async {
        let writes = Counter()
        let manager = ListManager(
            baseURL: .api,
            networking: .closure { request in
                guard request.httpMethod == "PUT" else {
                    return .json(#"{"id": "a", "name": "Trip"}"#)
                }
                guard writes.next() > 1 else { throw NetworkError(failure) }
                return NetworkResponse(statusCode: 412)
            },
            behaviors: [RetryBehavior(effects: .skippingDelays)]
        )

        let list = try? await manager.createList(named: "Trip ", id: "a")

        #expect(list == (isCreated ? ProductList(id: "a", name: "Trip") : nil))
        #expect(writes.count == 2)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `a saved list whose name the server trims is created although a response is lost`()
        async throws
    {
        let writes = Counter()
        let service = ProductService.contract(
            user: .signedIn("anna"),
            networking: .closure { request in
                guard request.httpMethod == "PUT" else {
                    return .json(#"{"id": "a", "name": "Trip"}"#)
                }
                guard writes.next() > 1 else { throw NetworkError(.connectionLost) }
                return NetworkResponse(statusCode: 412)
            },
            outbox: .controlled(),
            retry: RetryBehavior(effects: .skippingDelays)
        )
        let outbox = try #require(service.outbox)

        try await outbox.saveAndSend(.createList("a", name: "Trip "))

        #expect(writes.count == 2 && outbox.changes.isEmpty && outbox.rejections.isEmpty)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test func `a list whose name the server trims is created by two attempts of an outbox`()
        async throws
    {
        let attempts = Counter()
        let lists = ListManager(
            addProduct: { _, _ in },
            create: { id, _ in
                guard attempts.next() > 1 else { throw NetworkError(.connectionLost) }
                throw ListError.changed(current: ProductList(id: id, name: "Trip"))
            }
        )
        let loader = ProductLoader(load: { Product(id: $0, name: "Boots") })
        let outbox = Outbox.controlled().start(
            sending: Outbox.sending(loader, lists, recognizesIdempotencyKeys: true)
        )

        try await outbox.saveAndSend(.createList("a", name: "Trip "), times: 2)
        #expect(attempts.count == 2 && outbox.changes.isEmpty && outbox.rejections.isEmpty)

        // Nothing was lost, so the list is that of somebody else.
        try await outbox.saveAndSend(.createList("b", name: "Trip "))
        #expect(outbox.changes.isEmpty && outbox.rejections.count == 1)
    }

    @Test func `a list that is deleted before it is loaded again is not found`() async {
        let manager = ListManager.contract { request in
            NetworkResponse(statusCode: request.httpMethod == "PUT" ? 412 : 404)
        }

        await #expect(throws: ListError.notFound("a")) {
            try await manager.createList(named: "Mine", id: "a")
        }
    }

    @Test(arguments: [304, 400, 401, 403, 409, 422, 429, 500, 503])
    func `any other status code throws a network error`(status: Int) async {
        let manager = ListManager.contract { _ in NetworkResponse(statusCode: status) }

        for (_, call) in manager.everyOperation {
            let error = await #expect(throws: NetworkError.self) { try await call() }
            #expect(error?.statusCode == status)
        }
    }

    @Test func `a 409 throws a network error, although the list can be loaded`() async {
        let manager = manager(refusingWritesTo: "Theirs", with: 409)

        await expectNetworkError(.conflict) {
            try await manager.renameList(withID: "a", to: "Mine")
        }
    }

    @Test(arguments: ["", ".", "..", "a\nb"])
    func `identifiers that cannot be a path segment are rejected without a request`(
        id: String
    ) async {
        let manager = ListManager(
            baseURL: .api,
            networking: .unimplemented(otherwise: { Issue.record($0) })
        )

        for (product, list) in [(id, "trip"), ("boots", id)] {
            await expectNetworkError(.invalidRequest) {
                try await manager.removeProduct(
                    withID: Product.ID(product),
                    fromListWithID: ProductList.ID(list)
                )
            }
        }
    }

    private let loaded = ProductList(id: "a/b", name: "Old", version: "7")

    /// Creates a manager of a server with a list of this name, which refuses all writes.
    private func manager(
        refusingWritesTo name: String,
        with status: Int = 412,
        onRequest: @escaping @Sendable (URLRequest) -> Void = { _ in }
    ) -> ListManager {
        .contract { request in
            onRequest(request)
            return request.httpMethod == "PUT"
                ? NetworkResponse(statusCode: status)
                : .json(#"{"id": "a/b", "name": "\#(name)"}"#, headers: ["ETag": "8"])
        }
    }
}
