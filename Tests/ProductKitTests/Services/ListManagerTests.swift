import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ListManagerTests {
    @Test func `the methods pass their arguments to the closures`() async throws {
        let lines = Mutex<[String]>([])
        let log: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
        let trip = ProductList(id: "trip", name: "Trip", version: "7")
        let manager = ListManager(
            addProduct: { product, list in log("add \(product) \(list)") },
            removeProduct: { product, list in log("remove \(product) \(list)") },
            lists: { cursor in
                log("lists \(cursor?.rawValue ?? "first")")
                return Page([trip])
            },
            list: { id in
                log("list \(id)")
                return trip
            },
            create: { id, name in
                log("create \(id) \(name)")
                return trip
            },
            rename: { id, name, version in
                log("rename \(id) \(name) \(version ?? "any")")
                return trip
            },
            delete: { id in log("delete \(id)") }
        )

        try await manager.addProduct(withID: "boots", toListWithID: "trip")
        try await manager.removeProduct(withID: "boots", fromListWithID: "trip")
        #expect(try await manager.lists() == Page([trip]))
        #expect(try await manager.lists(after: "2") == Page([trip]))
        #expect(try await manager.list(withID: "a") == trip)
        #expect(try await manager.createList(named: "New", id: "b") == trip)
        #expect(try await manager.renameList(withID: "c", to: "Other") == trip)
        #expect(try await manager.renameList(withID: "d", to: "Other", ifUnchanged: trip) == trip)
        try await manager.deleteList(withID: "e")

        let expected = [
            "add boots trip", "remove boots trip", "lists first", "lists 2", "list a",
            "create b New", "rename c Other any", "rename d Other 7", "delete e",
        ]
        #expect(lines.withLock { $0 } == expected)
    }

    @Test func `an operation without a closure throws UnsupportedOperation with its name`()
        async throws
    {
        let manager = ListManager(addProduct: { _, _ in })

        await #expect(throws: UnsupportedOperation("removeProduct")) {
            try await manager.removeProduct(withID: "boots", fromListWithID: "trip")
        }
        await #expect(throws: UnsupportedOperation("lists")) { try await manager.lists() }
        await #expect(throws: UnsupportedOperation("list")) { try await manager.list(withID: "a") }
        await #expect(throws: UnsupportedOperation("create")) {
            try await manager.createList(named: "Trip")
        }
        await #expect(throws: UnsupportedOperation("rename")) {
            try await manager.renameList(withID: "a", to: "Trip")
        }
        await #expect(throws: UnsupportedOperation("delete")) {
            try await manager.deleteList(withID: "a")
        }
    }

    @Test func `errors of a closure are thrown unchanged`() async throws {
        let manager = ListManager(addProduct: { _, list in throw ListError.notFound(list) })

        await #expect(throws: ListError.notFound("trip")) {
            try await manager.addProduct(withID: "boots", toListWithID: "trip")
        }
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test(
        arguments: [
            NetworkError(.notFound), ListError.notFound("camp"), ProductError.notFound("pan"),
        ] as [any Error]
    )
    func `a removal of something that does not exist succeeds`(error: any Error) async throws {
        let lists = ListManager(
            addProduct: { _, _ in },
            removeProduct: { _, _ in throw error },
            delete: { _ in throw error }
        )

        try await lists.removeProduct(withID: "pan", fromListWithID: "camp")
        try await lists.deleteList(withID: "camp")
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test func `a 404 to a list that is loaded or renamed means that the list does not exist`()
        async throws
    {
        let lists = ListManager(
            addProduct: { _, _ in },
            list: { _ in throw NetworkError(.notFound) },
            rename: { _, _, _ in throw NetworkError(.notFound) }
        )

        await #expect(throws: ListError.notFound("camp")) {
            try await lists.list(withID: "camp")
        }
        await #expect(throws: ListError.notFound("camp")) {
            try await lists.renameList(withID: "camp", to: "Tour")
        }
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test func `another failure of a removal is thrown`() async throws {
        let lists = ListManager(
            addProduct: { _, _ in },
            removeProduct: { _, _ in throw NetworkError(.forbidden) }
        )

        await #expect(throws: NetworkError.self) {
            try await lists.removeProduct(withID: "pan", fromListWithID: "camp")
        }
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test(arguments: [true, false])
    func `a removal is not a success if the list still contains the product`(
        isGone: Bool
    ) async throws {
        let reads = Counter()
        let lines = ListLines(
            read: { id in
                let line = ListLines.Line(id: "1", product: "pan")
                let isEmpty = reads.next() > 1 && isGone
                return ListLines.Contents(id: id, name: "Camp", lines: isEmpty ? [] : [line])
            },
            add: { _, _ in },
            remove: { _, _ in
                throw NetworkError(.notFound, response: NetworkResponse(statusCode: 404))
            }
        )
        let lists = ListManager(addProduct: lines.add, removeProduct: lines.remove)
        let remove = { try await lists.removeProduct(withID: "pan", fromListWithID: "camp") }
        guard !isGone else { return try await remove() }

        let error = await #expect(throws: NetworkError.self) { try await remove() }

        #expect(error?.code == .unexpected)
        #expect((error?.underlying as? NetworkError)?.code == .notFound)
        #expect(reads.count == 2)
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test func `a token that cannot be found is not a success of a removal`() async throws {
        let missing: any Networking = .closure { _ in NetworkResponse(statusCode: 404) }
        let auth = NetworkClient(baseURL: .api, networking: missing)
        let token = TokenBehavior {
            try await auth.send(NetworkRequest<String>.post("token"))
        }
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in NetworkResponse() },
            behaviors: [token]
        )
        let lists = ListManager(
            addProduct: { _, _ in },
            delete: { list in try await client.send(.delete("lists", list)) }
        )

        let error = await #expect(throws: NetworkError.self) {
            try await lists.deleteList(withID: "camp")
        }

        #expect(error?.code == .unexpected)
        #expect((error?.underlying as? NetworkError)?.code == .notFound)
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test func `a 404 to a read, and a missing member, are not a success of a deletion`()
        async throws
    {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                request.httpMethod == "GET"
                    ? NetworkResponse(statusCode: 404) : try NetworkResponse(json: [String: Int]())
            }
        )
        let reading = ListManager(
            addProduct: { _, _ in },
            delete: { _ in _ = try await client.send(NetworkRequest<String>.get("session")) }
        )
        let mutating = ListManager(
            addProduct: { _, _ in },
            delete: { _ in
                let request = NetworkRequest<String?>.post("graphql").inside("deleted").unwrapped()
                _ = try await client.send(request)
            }
        )

        for lists in [reading, mutating] {
            let error = await #expect(throws: NetworkError.self) {
                try await lists.deleteList(withID: "camp")
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test func `a removal succeeds if a success status reports that nothing is left to remove`()
        async throws
    {
        let body = #"{"data": {"remove": {"errorCode": "GONE", "message": "It is gone."}}}"#
        let client = NetworkClient(baseURL: .api, networking: .closure { _ in .json(body) })
        let send: @Sendable () async throws -> Void = {
            let request = NetworkRequest<Void>.post("graphql").failing(
                at: "data.remove",
                having: "errorCode",
                code: "errorCode",
                codes: ["GONE": .notFound]
            )
            try await client.send(request)
        }
        let lists = ListManager(
            addProduct: { _, _ in },
            removeProduct: { _, _ in try await send() },
            delete: { _ in try await send() }
        )

        try await lists.removeProduct(withID: "pan", fromListWithID: "camp")
        try await lists.deleteList(withID: "camp")
    }

    @Test func `a failed read before a removal is not its success`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .json(#"{"errors": [{"code": "GONE"}]}"#) }
        )
        let lists = ListManager(
            addProduct: { _, _ in },
            removeProduct: { _, _ in
                let read = NetworkRequest<Void>.post("graphql").reading()
                try await client.send(
                    read.failing(at: "errors", code: "code", codes: ["GONE": .notFound])
                )
            }
        )

        let error = await #expect(throws: NetworkError.self) {
            try await lists.removeProduct(withID: "pan", fromListWithID: "camp")
        }

        #expect(error?.code == .notFound)
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html>", nil), ("  <html>", "application/json"),
        ("\n<HTML>", "text/plain"), ("<!-- A comment --><html>", "text/html"), ("<body>", nil),
    ])
    func `a web page is not a successful write`(body: String, type: String?) async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                NetworkResponse(
                    headers: type.map { ["Content-Type": $0] } ?? [:],
                    body: Data(body.utf8)
                )
            }
        )
        let requests: [NetworkRequest<Void>] = [.put("a"), .post("a"), .delete("a")]

        for request in requests {
            let error = await #expect(throws: NetworkError.self) { try await client.send(request) }
            #expect(error?.code == .unreadable)
        }
    }

    @Test(arguments: ["", "OK", "<ok/>", "{}", "<svg>", "<?xml version='1.0'?><html>"])
    func `any other response to a write is a success`(body: String) async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                NetworkResponse(
                    headers: ["Content-Type": "text/html"],
                    body: Data(body.utf8)
                )
            }
        )

        try await client.send(NetworkRequest<Void>.delete("a"))
    }

    @Test func `every new list has a different identifier`() async throws {
        let manager = ListManager(
            addProduct: { _, _ in },
            create: { id, name in ProductList(id: id, name: name) }
        )

        var ids: Set<ProductList.ID> = []
        for _ in 0..<100 { ids.insert(try await manager.createList(named: "Trip").id) }

        #expect(ids.count == 100)
        #expect(ids.allSatisfy { $0.rawValue.wholeMatch(of: /[0-9a-f-]{36}/) != nil })
    }

    @Test func `a conditional rename needs a version`() async throws {
        let manager = ListManager(
            addProduct: { _, _ in },
            rename: { id, name, _ in
                Issue.record("The list was renamed.")
                return ProductList(id: id, name: name)
            }
        )

        await #expect(throws: UnsupportedOperation("renameList ifUnchanged")) {
            try await manager.renameList(
                withID: "trip",
                to: "Trek",
                ifUnchanged: ProductList(id: "trip", name: "Trip")
            )
        }
    }

    // Rule: cancellation/cancelled-task-sends-nothing (4)
    @Test(arguments: 0..<7)
    func `a method that is called in a cancelled task calls no closure`(method: Int) async {
        let calls = Counter()
        let trip: @Sendable () -> ProductList = {
            calls.next()
            return ProductList(id: "trip", name: "Trip", version: "7")
        }
        let manager = ListManager(
            addProduct: { _, _ in calls.next() },
            removeProduct: { _, _ in calls.next() },
            lists: { _ in Page([trip()]) },
            list: { _ in trip() },
            create: { _, _ in trip() },
            rename: { _, _, _ in trip() },
            delete: { _ in calls.next() }
        )
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            switch method {
            case 0: try await manager.addProduct(withID: "boots", toListWithID: "trip")
            case 1: try await manager.removeProduct(withID: "boots", fromListWithID: "trip")
            case 2: _ = try await manager.lists()
            case 3: _ = try await manager.list(withID: "trip")
            case 4: _ = try await manager.createList(named: "Trip")
            case 5: _ = try await manager.renameList(withID: "trip", to: "Trek")
            default: try await manager.deleteList(withID: "trip")
            }
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(calls.count == 0)
    }
}
