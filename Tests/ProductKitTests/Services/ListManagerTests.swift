import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ListManagerTests {
    @Test func `the methods pass their arguments to the closures`() async throws {
        let lines = Lines()
        let trip = ProductList(id: "trip", name: "Trip", version: "7")
        let manager = ListManager(
            addProduct: { product, list in lines.add("add \(product) \(list)") },
            removeProduct: { product, list in lines.add("remove \(product) \(list)") },
            lists: { cursor in
                lines.add("lists \(cursor?.rawValue ?? "first")")
                return Page([trip])
            },
            list: { id in
                lines.add("list \(id)")
                return trip
            },
            create: { id, name in
                lines.add("create \(id) \(name)")
                return trip
            },
            rename: { id, name, version in
                lines.add("rename \(id) \(name) \(version ?? "any")")
                return trip
            },
            delete: { id in lines.add("delete \(id)") }
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
        #expect(lines.all == expected)
    }

    @Test func `an operation without a closure throws UnsupportedOperation with its name`() async {
        let manager = ListManager(addProduct: { _, _ in })

        for (name, call) in manager.everyOperation where name != "addProduct" {
            await #expect(throws: UnsupportedOperation(name)) { try await call() }
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

    @Test func `a manager without closures supports no operation`() async {
        for (name, call) in ListManager().everyOperation {
            await #expect(throws: UnsupportedOperation(name)) { try await call() }
        }
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test func `after a 404 to an addition, the list shows which of the two is missing`() async {
        func manager(
            _ failure: NetworkError = NetworkError(.notFound),
            list: (@Sendable (ProductList.ID) async throws -> ProductList)?
        ) -> ListManager {
            ListManager(addProduct: { _, _ in throw failure }, list: list)
        }
        func error(of lists: ListManager) async -> (any Error)? {
            await #expect(throws: (any Error).self) {
                try await lists.addProduct(withID: "pan", toListWithID: "camp")
            }
        }

        let missing = await error(of: manager { ProductList(id: $0, name: "Camp") })
        #expect(missing as? ProductError == .notFound("pan"))
        for absence in [NetworkError(.notFound), ListError.notFound("camp")] as [any Error] {
            let missing = await error(of: manager { _ in throw absence })
            #expect(missing as? ListError == .notFound("camp"))
        }
        let offline = await error(of: manager { _ in throw NetworkError(.unreachable) })
        #expect((offline as? NetworkError)?.code == .unreachable)
        let undecided = await error(of: manager { _ in throw NetworkError(.unreadable) })
        #expect((undecided as? NetworkError)?.code == .notFound)
        let unknown = await error(of: manager(list: nil))
        #expect((unknown as? NetworkError)?.code == .notFound)
        let refused = manager(NetworkError(.forbidden)) { ProductList(id: $0, name: "Camp") }
        #expect((await error(of: refused) as? NetworkError)?.code == .forbidden)
        let partial = ListManager.only(
            addProduct: { _, _ in throw NetworkError(.notFound) },
            otherwise: { Issue.record($0) }
        )
        #expect((await error(of: partial) as? NetworkError)?.code == .notFound)
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test func `a token that cannot be found is not a success of a removal`() async {
        let auth = client { _ in NetworkResponse(statusCode: 404) }
        let token = TokenBehavior {
            try await auth.send(NetworkRequest<String>.post("token"))
        }
        let client = client(behaviors: [token]) { _ in NetworkResponse() }
        let lists = ListManager(
            addProduct: { _, _ in },
            delete: { list in try await client.send(.delete("lists", list)) }
        )

        let error = await expectNetworkError(.unexpected) {
            try await lists.deleteList(withID: "camp")
        }

        #expect((error?.underlying as? NetworkError)?.code == .notFound)
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test func `a failed read, and a missing member, are not a success of a deletion`() async {
        let client = client { request in
            request.httpMethod == "GET"
                ? NetworkResponse(statusCode: 404) : .json(#"{"errors": [{"code": "GONE"}]}"#)
        }
        let declaredRead = NetworkRequest<Void>.post("graphql").reading()
            .failing(at: "errors", code: "code", codes: ["GONE": .notFound])
        let deletions: [@Sendable () async throws -> Void] = [
            { _ = try await client.send(NetworkRequest<String>.get("session")) },
            { try await client.send(declaredRead) },
            {
                let write = NetworkRequest<String?>.post("graphql").inside("deleted").unwrapped()
                _ = try await client.send(write)
            },
        ]

        for delete in deletions {
            let lists = ListManager(addProduct: { _, _ in }, delete: { _ in try await delete() })
            await expectNetworkError(.notFound) { try await lists.deleteList(withID: "camp") }
        }
    }

    @Test func `a removal succeeds if a success status reports that nothing is left to remove`()
        async throws
    {
        let client = client { _ in
            .json(#"{"data": {"remove": {"errorCode": "GONE", "message": "It is gone."}}}"#)
        }
        let request = NetworkRequest<Void>.post("graphql").failing(
            at: "data.remove",
            having: "errorCode",
            code: "errorCode",
            codes: ["GONE": .notFound]
        )
        let lists = ListManager(
            addProduct: { _, _ in },
            removeProduct: { _, _ in try await client.send(request) },
            delete: { _ in try await client.send(request) }
        )

        try await lists.removeProduct(withID: "pan", fromListWithID: "camp")
        try await lists.deleteList(withID: "camp")
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html>", nil), ("  <html>", "application/json"),
        ("\n<HTML>", "text/plain"), ("<!-- A comment --><html>", "text/html"), ("<body>", nil),
    ])
    func `a web page is not a successful write`(body: String, type: String?) async {
        let client = client { _ in
            NetworkResponse(
                headers: type.map { ["Content-Type": $0] } ?? [:],
                body: Data(body.utf8)
            )
        }
        let requests: [NetworkRequest<Void>] = [.put("a"), .post("a"), .delete("a")]

        for request in requests {
            await expectNetworkError(.unreadable) { try await client.send(request) }
        }
    }

    @Test(arguments: ["", "OK", "<ok/>", "{}", "<svg>", "<?xml version='1.0'?><html>"])
    func `any other response to a write is a success`(body: String) async throws {
        let client = client { _ in
            NetworkResponse(headers: ["Content-Type": "text/html"], body: Data(body.utf8))
        }

        try await client.send(NetworkRequest<Void>.delete("a"))
    }

    @Test func `a conditional rename needs a version`() async {
        let manager = ListManager.only(otherwise: { Issue.record($0) })

        let operation = "renameList(ifUnchanged:) of a list that has no version"
        await #expect(throws: UnsupportedOperation(operation)) {
            try await manager.renameList(withID: "trip", to: "Trek", ifUnchanged: .wishlist)
        }
    }

    // Rule: cancellation/cancelled-task-sends-nothing (4)
    @Test func `a method that is called in a cancelled task calls no closure`() async {
        let manager = ListManager.only(otherwise: { Issue.record($0) })

        await expectCancellation(of: manager.everyOperation.map(\.call))
    }

    private func client(
        behaviors: [any RequestBehavior] = [],
        server: @escaping @Sendable (URLRequest) throws -> NetworkResponse
    ) -> NetworkClient {
        NetworkClient(
            baseURL: .api,
            networking: .closure { try server($0) },
            behaviors: behaviors
        )
    }
}
