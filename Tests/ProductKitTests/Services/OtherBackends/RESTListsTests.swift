import Foundation
import ProductKit
import Synchronization
import Testing

/// Lists of lines, with the usual requests of a REST API.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RESTListsTests {
    private let shop = WishListServer()

    // Rule: requests/usual-requests-of-lists (11)
    @Test(arguments: ["PUT", "PATCH", "POST"])
    func `each operation sends its request`(method: String) async throws {
        let lists = manager(renamingMethod: method)

        let camp = try await lists.createList(named: "Camp")
        try await lists.addProduct(withID: "4711", toListWithID: camp.id)
        let filled = try await lists.list(withID: camp.id)
        try await lists.removeProduct(withID: "4711", fromListWithID: camp.id)
        let renamed = try await lists.renameList(withID: camp.id, to: "Trip")
        try await lists.deleteList(withID: camp.id)

        #expect(filled == ProductList(id: "1", name: "Camp", products: ["4711"]))
        #expect(renamed == ProductList(id: "1", name: "Trip"))
        #expect(
            shop.requests == [
                "GET my/lists", #"POST my/lists {"name":"Camp","owner":7}"#,
                "GET my/lists/1", #"POST my/lists/1/items {"product":4711}"#,
                "GET my/lists/1",
                "GET my/lists/1", "DELETE my/lists/1/items/100",
                #"\#(method) my/lists/1 {"title":"Trip"}"#, "DELETE my/lists/1",
            ]
        )
    }

    // Rule: requests/usual-requests-of-lists (11)
    @Test func `products are added and removed with requests of an adapter`() async throws {
        struct Camp: Decodable {
            let id: ProductList.ID
            let name: String
        }
        shop.add("Camp")
        let changes = Lines()
        let lists = ListManager(
            client: client,
            path: ["my", "lists"],
            inside: "data",
            pages: PageFormat(items: "data"),
            contents: { (camp: Camp, _) in
                let pan = ListLines.Line(product: "pan")
                return ListLines.Contents(id: camp.id, name: camp.name, lines: [pan], version: "3")
            },
            newList: { ["name": $0] },
            newName: { ["title": $1] },
            add: { changes.add("add \($0), \($1.list.version ?? "-")") },
            remove: { changes.add("remove \($0[0]), \($1.list.version ?? "-")") }
        )

        try await lists.addProduct(withID: "cup", toListWithID: "1")
        try await lists.removeProduct(withID: "pan", fromListWithID: "1")

        #expect(changes.all == ["add cup, 3", "remove pan, 3"])
        #expect(shop.requests == ["GET my/lists/1", "GET my/lists/1"])
        // A name is not sent with a version.
        #expect(try await lists.list(withID: "1").version == nil)
        #expect(try await lists.lists().items.map(\.version) == [nil])
        #expect(try await lists.renameList(withID: "1", to: "Trip").version == nil)
    }

    // Rule: requests/usual-requests-of-lists (11)
    @Test func `a list is renamed although the response has no body`() async throws {
        shop.add("Camp")
        shop.omitsRenamed = true

        let renamed = try await manager().renameList(withID: "1", to: "Trip")

        #expect(renamed == ProductList(id: "1", name: "Trip") && shop.names == ["Trip"])
        shop.add("")
        await expectNetworkError(.unreadable) { try await manager().list(withID: "2") }
    }

    // Rule: requests/usual-requests-of-lists (11)
    @Test func `the pages of the lists are followed`() async throws {
        for name in ["A", "B", "C"] { shop.add(name) }

        let all = try await manager().allLists()

        #expect(all.items.map(\.name) == ["A", "B", "C"] && all.total == 3)
        #expect(all.items.allSatisfy { $0.version == nil })
        #expect(shop.requests == ["GET my/lists", "GET my/lists?page=2"])
    }

    // Rule: requests/usual-requests-of-lists (11)
    @Test func `query items are those of the requests that return lists`() async throws {
        for name in ["A", "B", "C"] { shop.add(name) }
        let lists = manager(query: { ["limit": "50", "none": nil, "after": "a b"] })

        _ = try await lists.allLists()
        try await lists.addProduct(withID: "4711", toListWithID: "1")
        _ = try await lists.renameList(withID: "1", to: "Trip")
        shop.requests = shop.requests + ["create"]
        _ = try await lists.createList(named: "Camp")

        #expect(
            shop.requests.filter { !$0.hasSuffix("page=2") } == [
                "GET my/lists?after=a%20b&limit=50", "GET my/lists/1?after=a%20b&limit=50",
                #"POST my/lists/1/items {"product":4711}"#,
                #"PUT my/lists/1?after=a%20b&limit=50 {"title":"Trip"}"#, "create",
                "GET my/lists?after=a%20b&limit=50",
                #"POST my/lists?after=a%20b&limit=50 {"name":"Camp","owner":7}"#,
            ]
        )
    }

    // Rule: requests/usual-requests-of-lists (11)
    @Test(arguments: [false, true])
    func `further query items are those of pages only`(loadsListsTogether: Bool) async throws {
        shop.add("A")
        let lists = manager(
            query: { ["user": "7", "limit": "50"] },
            pageQuery: { ["limit": "20"] },
            loadsListsTogether: loadsListsTogether
        )

        _ = try await lists.allLists()
        _ = try await lists.list(withID: "1")
        _ = try await lists.renameList(withID: "1", to: "Trip")

        let page = "GET my/lists?limit=20&user=7"
        #expect(
            shop.requests == [
                page, loadsListsTogether ? page : "GET my/lists/1?limit=50&user=7",
                #"PUT my/lists/1?limit=50&user=7 {"title":"Trip"}"#,
            ]
        )
    }

    // Rule: requests/usual-requests-of-lists (11)
    @Test func `an error of the path or the query is thrown, and nothing is sent`() async throws {
        let client = client
        for lists in [
            manager(query: { ["user": try client.signedInUserID] }),
            manager(pageQuery: { ["user": try client.signedInUserID] }, loadsListsTogether: true),
            manager(path: { try client.signedInUserID }),
        ] {
            await expectNetworkError(.unauthorized) { try await lists.list(withID: "1") }
            await expectNetworkError(.unauthorized) { try await lists.lists() }
        }
        for lists in [
            manager(query: { ["user": try client.signedInUserID] }),
            manager(path: { try client.signedInUserID }),
        ] {
            await expectNetworkError(.unauthorized) { try await lists.deleteList(withID: "1") }
        }
        #expect(shop.requests.isEmpty)
    }

    // Rule: requests/usual-requests-of-lists (11)
    @Test(arguments: [true, false])
    func `lists of another kind are left out`(loadsListsTogether: Bool) async throws {
        for name in ["A", "B", "Registry", "D"] { shop.add(name) }
        let lists = manager(loadsListsTogether: loadsListsTogether)

        let all = try await lists.allLists()

        #expect(all.items.map(\.name) == ["A", "B", "D"] && all.rejectedCount == 0)
        #expect(all.total == nil && shop.requests == ["GET my/lists", "GET my/lists?page=2"])
        await #expect(throws: ListError.notFound("3")) { try await lists.list(withID: "3") }
        await #expect(throws: ListError.notFound("3")) {
            try await lists.addProduct(withID: "4711", toListWithID: "3")
        }
    }

    // Rule: requests/usual-requests-of-lists (11)
    @Test func `a list that is loaded with all others is on one of their pages`() async throws {
        for name in ["A", "B", "C"] { shop.add(name) }
        let lists = manager(loadsListsTogether: true)

        #expect(try await lists.list(withID: "3").name == "C")
        try await lists.addProduct(withID: "4711", toListWithID: "3")
        await #expect(throws: ListError.notFound("9")) { try await lists.list(withID: "9") }

        let all = ["GET my/lists", "GET my/lists?page=2"]
        #expect(
            shop.requests == all + all + [#"POST my/lists/3/items {"product":4711}"#] + all
        )
    }

    // Rule: requests/usual-requests-of-lists (11)
    @Test(arguments: ["A", "Registry"])
    func `a list that is on no page may exist if the lists change meanwhile`(
        name: String
    ) async throws {
        for name in [name, "B", "C"] { shop.add(name) }
        shop.addsToTotal = true
        let lists = manager(query: { ["user": "7"] }, loadsListsTogether: true)

        #expect(try await lists.list(withID: "3").name == "C")
        await expectNetworkError(.unavailable) {
            try await lists.removeProduct(withID: "4711", fromListWithID: "9")
        }

        let all = ["GET my/lists?user=7", "GET my/lists?user=7&page=2"]
        #expect(shop.requests == all + all + all + all)
    }

    // Rule: requests/usual-requests-of-lists (11)
    @Test func `a list may exist, although a later page does not exist anymore`() async throws {
        for name in ["A", "B", "C"] { shop.add(name) }
        let lists = manager(loadsListsTogether: true)
        shop.missingPages = 1

        #expect(try await lists.list(withID: "3").name == "C")
        shop.missingPages = 2
        await expectNetworkError(.unavailable) {
            try await lists.removeProduct(withID: "4711", fromListWithID: "3")
        }

        let all = ["GET my/lists", "GET my/lists?page=2"]
        #expect(shop.requests == all + all + all + all)
    }

    @Test func `several lines are removed from the last to the first`() async throws {
        let removed = Mutex<[Identifier<ListLines.Line>]>([])
        let stored = ["0", "1", "2"].map {
            ListLines.Line(id: $0, product: $0 == "1" ? "cup" : "pan")
        }
        let lines = ListLines(
            read: { ListLines.Contents(id: $0, name: "Wish list", lines: stored) },
            add: { _, _ in },
            removeLine: { line, _ in removed.withLock { $0.append(line) } }
        )

        try await lines.remove("pan", from: "wishlist")

        #expect(removed.withLock(\.self) == ["2", "0"])
    }

    @Test func `a list that cannot be converted is rejected`() async throws {
        for name in ["A", "", "C"] { shop.add(name) }

        let all = try await manager().allLists()
        let error = await expectNetworkError(.unreadable) {
            try await manager().list(withID: "2")
        }

        #expect(all.items.map(\.name) == ["A", "C"] && all.rejected.map(\.index) == [1])
        #expect(error?.debugDescription.contains("data.name") == true)
    }

    @Test func `a product whose identifier is not a number is refused`() async throws {
        shop.add("A")

        await #expect(throws: InvalidIdentifier("boots")) {
            try await manager().addProduct(withID: "boots", toListWithID: "1")
        }

        #expect(shop.requests == ["GET my/lists/1"])
    }

    @Test func `missing lists and products are errors of their own`() async throws {
        shop.add("A")

        await #expect(throws: ListError.notFound("9")) { try await manager().list(withID: "9") }
        await #expect(throws: ListError.notFound("9")) {
            try await manager().renameList(withID: "9", to: "B")
        }
        await #expect(throws: ProductError.notFound("404")) {
            try await manager().addProduct(withID: "404", toListWithID: "1")
        }
    }

    @Test func `a manager of lines has the operations with a closure`() async throws {
        let contents = ListLines.Contents(id: "1", name: "A", lines: [], version: "3")
        let lines = ListLines(read: { _ in contents }, add: { _, _ in }, remove: { _, _ in })
        let lists = ListManager(lines: lines, lists: { _ in Page([contents], next: "2") })

        #expect(try await lists.lists() == Page([contents.list], next: "2"))
        #expect(try await lists.list(withID: "1") == contents.list)
        try await lists.addProduct(withID: "boots", toListWithID: "1")
        for (name, call) in lists.everyOperation.dropFirst(4) {
            await #expect(throws: UnsupportedOperation(name)) { try await call() }
        }
    }

    private var client: NetworkClient {
        NetworkClient(baseURL: .api, networking: .closure(shop.respond))
    }

    private func manager(
        path: @escaping @Sendable () throws -> String = { "my" },
        query: @escaping @Sendable () throws -> [String: String?] = { [:] },
        pageQuery: @escaping @Sendable () throws -> [String: String?] = { [:] },
        loadsListsTogether: Bool = false,
        renamingMethod: String = "PUT"
    ) -> ListManager {
        .wishLists(
            client,
            path: path,
            query: query,
            pageQuery: pageQuery,
            loadsListsTogether: loadsListsTogether,
            renamingMethod: renamingMethod
        )
    }
}
