import Foundation
import ProductKit
import Testing

/// Pages of lists without lines, each of which is loaded by itself.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ListsWithoutLinesTests {
    private let shop = WishListServer()

    init() async throws {
        for name in ["A", "B", "C", "Registry"] { shop.add(name) }
        try await lists().addProduct(withID: "4711", toListWithID: "3")
        shop.pagesOmitLines = true
        shop.requests = []
    }

    // Rule: requests/usual-requests-of-lists (11)
    @Test func `each list of a page is loaded by itself`() async throws {
        let all = try await lists().allLists()

        #expect(all.items.map(\.name) == ["A", "B", "C"])
        #expect(all.items.map(\.products) == [[], [], ["4711"]])
        #expect(
            shop.requests.sorted() == [
                "GET my/lists", "GET my/lists/1", "GET my/lists/2", "GET my/lists/3",
                "GET my/lists?page=2",
            ]
        )
    }

    // Rule: requests/usual-requests-of-lists (11)
    @Test(arguments: [(404, ["A", "C"]), (503, nil), (200, ["A", "C"])])
    func `a list that cannot be loaded now is an error, and one that has gone is left out`(
        statusCode: Int,
        names: [String]?
    ) async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { [shop] request in
                request.url?.lastPathComponent == "2"
                    ? NetworkResponse(statusCode: statusCode) : try shop.respond(to: request)
            }
        )

        guard let names else {
            await expectNetworkError(.unavailable) { try await lists(client).allLists() }
            return
        }
        let all = try await lists(client).allLists()
        #expect(all.items.map(\.name) == names)
        #expect(all.rejected.map(\.index) == (statusCode == 404 ? [] : [1]))
    }

    // Rule: favorites/unreadable-list-is-unknown (10)
    @Test func `if the only list cannot be decoded, it is rejected`() async throws {
        let lists = ListManager.wishLists(
            NetworkClient(
                baseURL: .api,
                networking: .closure { request in
                    request.url?.lastPathComponent == "lists"
                        ? .json(#"{"data": [{"id": 1, "name": "A"}], "total": 1}"#) : .json("{}")
                }
            ),
            loadsEachList: true
        )

        #expect(try await lists.lists().rejected.map(\.index) == [0])
    }

    // Rule: requests/usual-requests-of-lists (11)
    @Test func `another failure of a list is thrown, too`() async throws {
        let lists = ListManager.wishLists(
            NetworkClient(
                baseURL: .api,
                networking: .closure { [shop] request in
                    if request.url?.lastPathComponent == "2" { throw TokenError.refreshTimedOut }
                    return try shop.respond(to: request)
                }
            ),
            loadsEachList: true
        )

        await #expect(throws: TokenError.refreshTimedOut) { try await lists.lists() }
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `of the lists without lines, only that of the favorites is loaded`() async throws {
        let loader = ProductLoader(load: { id in Product(id: id, name: "Product") })
            .storingFavorites(inListNamed: "C", of: lists())

        #expect(try await loader.loadProduct(withID: "4711").isFavorite)
        #expect(
            shop.requests.sorted() == ["GET my/lists", "GET my/lists/3", "GET my/lists?page=2"]
        )
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `a list whose row has no name is loaded to find the favorites`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                request.url?.lastPathComponent == "lists"
                    ? .json(#"[{"id": "7"}]"#) : .json(#"{"id": "7", "name": "C", "product": "1"}"#)
            }
        )
        let lists = ListManager(
            client: client,
            path: ["lists"],
            lines: "items",
            pages: PageFormat(),
            loadsEachList: true,
            contents: { (list: [String: String], _) in
                ListLines.Contents(
                    id: ProductList.ID(list["id"] ?? ""),
                    name: list["name"] ?? "",
                    lines: list["product"].map { [ListLines.Line(product: Product.ID($0))] } ?? []
                )
            },
            newList: { $0 },
            newName: { _, name in name },
            newLine: { $0 }
        )
        let loader = ProductLoader(load: { id in Product(id: id, name: "Product") })
            .storingFavorites(inListNamed: "C", of: lists)

        #expect(try await loader.loadProduct(withID: "1").isFavorite)
    }

    // Rule: requests/usual-requests-of-lists (11)
    @Test func `after the failure of a list, no further one is loaded`() async throws {
        let requested = Lines()
        let rows = (1...9).map { #"{"id": \#($0), "name": "List"}"# }.joined(separator: ",")
        let lists = lists(
            NetworkClient(
                baseURL: .api,
                networking: .closure { request in
                    let id = request.url?.lastPathComponent ?? ""
                    guard id != "lists" else { return .json("{\"data\": [\(rows)]}") }
                    requested.add(id)
                    throw NetworkError(.timedOut)
                }
            )
        )

        await expectNetworkError(.timedOut) { try await lists.lists() }

        // Four are loaded at the same time.
        #expect(requested.all.count <= 4)
    }

    // Rule: requests/lists-are-completed (24)
    @Test(arguments: [false, true])
    func `a manager of closures completes each list of a page, or only that of the favorites`(
        hasLines: Bool
    ) async throws {
        let loaded = Lines()
        let rows = ["A", "B"].map { ProductList(id: Identifier($0), name: $0) }
        let read: @Sendable (ProductList.ID) async throws -> ListLines.Contents = { id in
            loaded.add("\(id)")
            guard id != "B" || loaded.all.count < 4 else { throw NetworkError(.unavailable) }
            let line = ListLines.Line(product: "of \(id)")
            return ListLines.Contents(id: id, name: "\(id)", lines: [line])
        }
        let lines = ListLines(read: read, add: { _, _ in }, remove: { _, _ in })
        let lists =
            if hasLines {
                ListManager(
                    lines: lines,
                    lists: { _ in
                        Page(rows).map { ListLines.Contents(id: $0.id, name: $0.name, lines: []) }
                    },
                    loadsEachList: true
                )
            } else {
                ListManager(
                    addProduct: { _, _ in },
                    lists: { _ in Page(rows) },
                    loadsEachList: true,
                    list: { id in try await read(id).list }
                )
            }
        let loader = ProductLoader(load: { id in Product(id: id, name: "Product") })
            .storingFavorites(inListNamed: "A", of: lists)

        #expect(try await lists.lists().items.map(\.products) == [["of A"], ["of B"]])
        #expect(try await loader.loadProduct(withID: "of A").isFavorite)
        #expect(loaded.all.sorted() == ["A", "A", "B"])
        await expectNetworkError(.unavailable) { try await lists.lists() }
    }

    // Rule: requests/lists-are-completed (24)
    @Test(arguments: [false, true])
    func `lines that have a URL of their own are loaded for each list`(
        loadsEachList: Bool
    ) async throws {
        let loaded = Lines()
        let lists = ListManager(
            client: NetworkClient(baseURL: .api, networking: .closure(shop.respond)),
            path: ["my", "lists"],
            pages: PageFormat(items: "data", next: "next", total: "total"),
            loadsEachList: loadsEachList,
            contents: { (list: Row, _) in
                let row = list.data ?? list
                let id = ProductList.ID("\(row.id ?? 0)")
                return ListLines.Contents(id: id, name: row.name ?? "", lines: [])
            },
            loadLines: { list in
                loaded.add("\(list)")
                guard list != "2" else { throw NetworkError(.notFound) }
                return [ListLines.Line(product: "of \(list)")]
            },
            newList: { ["name": $0] },
            newName: { ["name": $1] },
            add: { _, _ in },
            remove: { _, _ in }
        )

        #expect(try await lists.list(withID: "1").products == ["of 1"])
        await #expect(throws: ListError.notFound("2")) { try await lists.list(withID: "2") }
        #expect(loaded.all == ["1", "2"])
        shop.requests = []
        let all = try await lists.allLists()

        #expect(all.items.map(\.products) == [["of 1"], ["of 3"], ["of 4"]])
        #expect(shop.requests.contains("GET my/lists/1") == loadsEachList)
        #expect(shop.requests.count == (loadsEachList ? 6 : 2))
        #expect(loaded.all.dropFirst(2).sorted() == ["1", "2", "3", "4"])
    }

    private final class Row: Decodable, Sendable {
        let id: Int?
        let name: String?
        let data: Row?
    }

    private func lists(_ client: NetworkClient? = nil) -> ListManager {
        let shop = shop
        return .wishLists(
            client ?? NetworkClient(baseURL: .api, networking: .closure(shop.respond)),
            loadsEachList: true
        )
    }
}
