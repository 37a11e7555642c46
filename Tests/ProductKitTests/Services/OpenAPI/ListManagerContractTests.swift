import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ListManagerContractTests {
    private let fieldsOfReads = ["Accept": "application/json", "Cache-Control": "max-age=0"]
    private static let ids: [(id: ProductList.ID, segment: String)] = [
        ("trip", "trip"), ("a/b", "a%2Fb"), ("Wünsche?", "W%C3%BCnsche%3F"),
        ("gid://shop/List/42", "gid%3A%2F%2Fshop%2FList%2F42"),
    ]

    @Test(arguments: [(nil, ""), ("a&b", "?cursor=a%26b")] as [(PageCursor?, String)])
    func `a page of lists is loaded`(cursor: PageCursor?, sent: String) async throws {
        let manager = ListManager.contract { request in
            #expect(request.line == "GET https://api.example.com/v1/lists\(sent)")
            #expect(request.allHTTPHeaderFields == fieldsOfReads)
            return .json(
                #"{"items": [{"id": 1, "name": "A", "products": ["b"]}, 7], "next": "3"}"#,
                headers: ["ETag": "\"page\""]
            )
        }

        let page = try await manager.lists(after: cursor)

        #expect(page.items == [ProductList(id: "1", name: "A", products: ["b"])])
        #expect(page.next == "3")
        #expect(page.rejected.map(\.index) == [1])
    }

    @Test(arguments: ids, ["\"7\"", nil])
    func `a list is loaded with its version, if it has one`(
        list: (id: ProductList.ID, segment: String),
        version: String?
    ) async throws {
        let manager = ListManager.contract { request in
            #expect(request.line == "GET https://api.example.com/v1/lists/\(list.segment)")
            #expect(request.allHTTPHeaderFields == fieldsOfReads)
            var response = NetworkResponse.json(#"{"id": "a", "name": "A"}"#)
            response.headers["etag"] = version
            return response
        }

        let loaded = try await manager.list(withID: list.id)

        #expect(loaded == ProductList(id: "a", name: "A", version: version))
    }

    @Test(arguments: [200, 201], ids)
    func `a list is created with the client's identifier, only if it does not exist`(
        status: Int,
        list: (id: ProductList.ID, segment: String)
    ) async throws {
        let manager = ListManager.contract { request in
            #expect(request.line == "PUT https://api.example.com/v1/lists/\(list.segment)")
            #expect(request.text == #"{"name":"Größe/Trip"}"#)
            #expect(
                request.allHTTPHeaderFields == [
                    "Accept": "application/json", "Content-Type": "application/json",
                    "If-None-Match": "*",
                ]
            )
            return .json(
                #"{"id": "a", "name": "Größe/Trip"}"#,
                statusCode: status,
                headers: ["ETag": "1"]
            )
        }

        let created = try await manager.createList(named: "Größe/Trip", id: list.id)

        #expect(created == ProductList(id: "a", name: "Größe/Trip", version: "1"))
    }

    @Test func `a list is created with a new UUID by default`() async throws {
        let manager = ListManager.contract { request in
            let id = ProductList.ID(request.url?.lastPathComponent ?? "")
            return try NetworkResponse(json: ProductList(id: id, name: "Trip"))
        }

        let ids = [
            try await manager.createList(named: "Trip").id, try await manager.create("Trip").id,
        ]

        #expect(Set(ids).count == 2)
        #expect(ids.allSatisfy { $0.rawValue.wholeMatch(of: /[0-9a-f-]{36}/) != nil })
    }

    @Test(
        arguments: [
            (nil, nil), (ProductList(id: "a/b", name: "Old", version: "W/\"7\""), "W/\"7\""),
        ] as [(ProductList?, String?)]
    )
    func `a list is renamed, only in the loaded version if one is given`(
        loaded: ProductList?,
        condition: String?
    ) async throws {
        let manager = ListManager.contract { request in
            #expect(request.line == "PUT https://api.example.com/v1/lists/a%2Fb")
            #expect(request.text == #"{"name":"New"}"#)
            #expect(request.value(forHTTPHeaderField: "If-Match") == condition)
            #expect(request.value(forHTTPHeaderField: "If-None-Match") == nil)
            #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
            return .json(#"{"id": "a/b", "name": "New"}"#, headers: ["ETag": "8"])
        }

        let renamed = try await manager.renameList(withID: "a/b", to: "New", ifUnchanged: loaded)

        #expect(renamed == ProductList(id: "a/b", name: "New", version: "8"))
    }

    @Test(arguments: ids)
    func `a list is deleted, and a product is added to it and removed from it`(
        id: ProductList.ID,
        segment: String
    ) async throws {
        let lines = Lines()
        let manager = ListManager.contract { request in
            lines.add(request.line)
            #expect(request.allHTTPHeaderFields == ["Accept": "application/json, */*;q=0.1"])
            #expect(request.httpBody == nil)
            return NetworkResponse(statusCode: 204)
        }

        try await manager.addProduct(withID: "ü/1", toListWithID: id)
        try await manager.removeProduct(withID: "ü/1", fromListWithID: id)
        try await manager.deleteList(withID: id)

        let list = "https://api.example.com/v1/lists/\(segment)"
        let product = "\(list)/products/%C3%BC%2F1"
        #expect(lines.all == ["PUT \(product)", "DELETE \(product)", "DELETE \(list)"])
    }
}
