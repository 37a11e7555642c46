import Foundation
import ProductKit
import Synchronization
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
        ] as [(Product.ID, String)]
    )
    func `a 404 whose problem instance is the product throws ProductError`(
        id: Product.ID,
        instance: String
    ) async throws {
        let manager = manager { _ in
            .problem(#"{"title": "Not found", "instance": "\#(instance)"}"#, statusCode: 404)
        }

        await #expect(throws: ProductError.notFound(id)) {
            try await manager.addProduct(withID: id, toListWithID: "trip")
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
    func `any other 404 throws ListError`(body: String) async throws {
        let manager = manager { _ in .problem(body, statusCode: 404) }

        await #expect(throws: ListError.notFound("trip")) {
            try await manager.addProduct(withID: "walking-boots", toListWithID: "trip")
        }
    }

    @Test func `a problem without a title still identifies the missing product`() async throws {
        let manager = manager { _ in
            .problem(#"{"status": 404, "instance": "/products/boots"}"#, statusCode: 404)
        }

        await #expect(throws: ProductError.notFound("boots")) {
            try await manager.addProduct(withID: "boots", toListWithID: "trip")
        }
    }

    @Test(arguments: [404, 410])
    func `a list that does not exist is not found`(status: Int) async throws {
        let manager = manager { _ in NetworkResponse(statusCode: status) }
        let loaded = ProductList(id: "a/b", name: "Old", version: "7")

        await #expect(throws: ListError.notFound("a/b")) { try await manager.list(withID: "a/b") }
        await #expect(throws: ListError.notFound("a/b")) { try await manager.get("a/b") }
        await #expect(throws: ListError.notFound("a/b")) {
            try await manager.renameList(withID: "a/b", to: "New", ifUnchanged: loaded)
        }
        await #expect(throws: ListError.notFound("a/b")) { try await manager.update(loaded) }
    }

    // Rule: errors/not-found-needs-an-api (7)
    @Test(arguments: [404, 410])
    func `a web page does not mean that a list was removed`(status: Int) async throws {
        let manager = manager { _ in .webPage(statusCode: status) }
        let loaded = ProductList(id: "trip", name: "Old", version: "7")
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await manager.list(withID: "trip") },
            { _ = try await manager.renameList(withID: "trip", to: "New", ifUnchanged: loaded) },
            { try await manager.addProduct(withID: "boots", toListWithID: "trip") },
            { try await manager.removeProduct(withID: "boots", fromListWithID: "trip") },
            { try await manager.deleteList(withID: "trip") },
        ]

        for call in calls {
            let error = try #require(await #expect(throws: NetworkError.self) { try await call() })
            #expect(error.code == .unexpected && error.statusCode == status)
        }
    }

    @Test(arguments: [204, 200, 404, 410])
    func `removing and deleting succeed if there is nothing to remove`(status: Int) async throws {
        let sent = Counter()
        let manager = manager { _ in
            sent.next()
            return NetworkResponse(statusCode: status)
        }

        try await manager.removeProduct(withID: "boots", fromListWithID: "trip")
        try await manager.deleteList(withID: "trip")
        try await manager.delete("trip")

        #expect(sent.count == 3)
    }

    @Test func `renaming an outdated version throws the current list`() async throws {
        let lines = Mutex<[String]>([])
        let manager = manager { request in
            lines.withLock { $0.append(request.line) }
            if request.httpMethod == "PUT" {
                return .problem(#"{"title": "Changed"}"#, statusCode: 412)
            }
            return .json(#"{"id": "a/b", "name": "Theirs"}"#, headers: ["ETag": "8"])
        }
        let loaded = ProductList(id: "a/b", name: "Old", version: "7")

        let current = ProductList(id: "a/b", name: "Theirs", version: "8")
        await #expect(throws: ListError.changed(current: current)) {
            try await manager.renameList(withID: "a/b", to: "Mine", ifUnchanged: loaded)
        }
        let url = "https://api.example.com/v1/lists/a%2Fb"
        #expect(lines.withLock { $0 } == ["PUT \(url)", "GET \(url)"])
    }

    @Test func `creating a list with the identifier of another list throws that list`() async throws
    {
        let manager = manager { request in
            request.httpMethod == "PUT"
                ? NetworkResponse(statusCode: 412)
                : .json(#"{"id": "a", "name": "Theirs"}"#, headers: ["ETag": "8"])
        }

        let current = ProductList(id: "a", name: "Theirs", version: "8")
        await #expect(throws: ListError.changed(current: current)) {
            try await manager.createList(named: "Mine", id: "a")
        }
    }

    @Test func `a write whose condition fails is success if the list has the name`() async throws {
        let manager = manager { request in
            request.httpMethod == "PUT"
                ? NetworkResponse(statusCode: 412)
                : .json(#"{"id": "a", "name": "Mine"}"#, headers: ["ETag": "8"])
        }
        let loaded = ProductList(id: "a", name: "Old", version: "7")

        let current = ProductList(id: "a", name: "Mine", version: "8")
        #expect(try await manager.createList(named: "Mine", id: "a") == current)
        #expect(
            try await manager.renameList(withID: "a", to: "Mine", ifUnchanged: loaded) == current
        )
    }

    @Test func `a list that is deleted before it is loaded again is not found`() async throws {
        let manager = manager { request in
            NetworkResponse(statusCode: request.httpMethod == "PUT" ? 412 : 404)
        }

        await #expect(throws: ListError.notFound("a")) {
            try await manager.createList(named: "Mine", id: "a")
        }
    }

    @Test(arguments: [304, 400, 401, 403, 409, 422, 429, 500, 503])
    func `any other status code throws a network error`(status: Int) async throws {
        let manager = manager { _ in NetworkResponse(statusCode: status) }
        let calls: [@Sendable () async throws -> Void] = [
            { try await manager.addProduct(withID: "boots", toListWithID: "trip") },
            { try await manager.removeProduct(withID: "boots", fromListWithID: "trip") },
            { _ = try await manager.lists() }, { _ = try await manager.list(withID: "trip") },
            { _ = try await manager.createList(named: "Trip") },
            { _ = try await manager.renameList(withID: "trip", to: "Trek") },
            { try await manager.deleteList(withID: "trip") },
        ]

        for call in calls {
            let error = try #require(await #expect(throws: NetworkError.self) { try await call() })
            #expect(error.statusCode == status)
        }
    }

    @Test func `a 409 throws a network error`() async throws {
        let manager = manager { request in
            request.httpMethod == "PUT"
                ? NetworkResponse(statusCode: 409) : .json(#"{"id": "a", "name": "Theirs"}"#)
        }

        let error = try #require(
            await #expect(throws: NetworkError.self) {
                try await manager.renameList(withID: "a", to: "Mine")
            }
        )

        #expect(error.code == .conflict)
    }

    @Test func `an invalid name throws the pointer to the rejected member`() async throws {
        let manager = manager { _ in
            .problem(
                #"{"title": "Invalid", "errors": [{"detail": "is empty", "pointer": "/name"}]}"#,
                statusCode: 422
            )
        }

        let error = try #require(
            await #expect(throws: NetworkError.self) { try await manager.createList(named: "") }
        )

        #expect(error.code == .rejected)
        #expect(error.problem?.errors.map(\.pointer) == ["/name"])
    }

    @Test func `a 404 for a page of lists throws a network error`() async throws {
        let manager = manager { _ in NetworkResponse(statusCode: 404) }

        let error = try #require(
            await #expect(throws: NetworkError.self) { try await manager.lists() }
        )

        #expect(error.code == .notFound)
    }

    @Test(arguments: ["", ".", "..", "a\nb"])
    func `identifiers that cannot be a path segment are rejected without a request`(
        id: String
    ) async throws {
        let manager = manager { _ in
            Issue.record("A request was sent.")
            return NetworkResponse(statusCode: 204)
        }

        for (product, list) in [(id, "trip"), ("boots", id)] {
            let error = try #require(
                await #expect(throws: NetworkError.self) {
                    try await manager.removeProduct(
                        withID: Product.ID(product),
                        fromListWithID: ProductList.ID(list)
                    )
                }
            )
            #expect(error.code == .invalidRequest)
        }
    }

    private func manager(
        _ respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> ListManager {
        ListManager(baseURL: .api, networking: .closure(respond))
    }
}
