import Foundation
import ProductKit
import Testing

/// Code of “Lists of your backend” for lists whose products have a URL of their own.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BoardSamples {
    private let client = NetworkClient(
        baseURL: .api,
        networking: .closure { request in
            switch (request.httpMethod, request.url?.path()) {
            case ("GET", "/v1/boards"):
                .json(#"{"data": [{"id": 7, "title": "Camp"}], "count": 1}"#)
            case ("GET", "/v1/boards/7"): .json(#"{"id": 7, "title": "Camp"}"#)
            case ("GET", "/v1/boards/7/items"):
                .json(#"{"data": [{"id": 4711}], "count": 1}"#)
            case ("POST", _): .json(#"{"code": "EXISTS"}"#, statusCode: 409)
            default: NetworkResponse(statusCode: 404)
            }
        },
        failure: { response in NetworkError(response, code: "code") }
    )

    @Test func `lists without lines`() async throws {
        let lists = boards(client)

        #expect(try await lists.allLists().items.first?.products == ["4711"])
        #expect(try await lists.createList(named: "Camp", id: "7").products == ["4711"])
        await #expect(throws: ProductError.notFound("1")) {
            try await lists.addProduct(withID: "1", toListWithID: "7")
        }
    }

    @Test func `lists with products that have pages of their own`() async throws {
        let lists = ListManager(
            client: client,
            path: ["boards"],
            pages: .boards,
            contents: { (board: Board, _) in .init(id: board.id, name: board.title, lines: []) },
            loadLines: { board in
                try await client.allPages { cursor in
                    NetworkRequest<Page<BoardItem>>.get("boards", board, "items")
                        .page(.boards, following: cursor)
                }
                .items.map { item in ListLines.Line(product: item.id) }
            },
            newList: { name in ["title": name] },
            newName: { _, name in ["title": name] },
            add: { sku, board in try await client.send(.put("boards", board.id, "items", sku)) },
            remove: { items, board in
                for sku in items {
                    try await client.send(.delete("boards", board.id, "items", sku))
                }
            }
        )

        #expect(try await lists.allLists().items.first?.products == ["4711"])
    }

    @Test func `favorites apart from the lists of the user`() async throws {
        let client = client
        let backend = ProductBackend(
            client: client,
            loader: { client in
                let wishList = ListManager(onlyList: "wishlist", lines: ListLines(wishList: client))
                return ProductLoader(bazaar: client)
                    .storingFavorites(inListNamed: "Wish list", of: wishList)
            },
            listManager: { client in ListManager(bazaar: client) }
        )
        let service = ProductService(backend: backend, localUser: .shopper, user: .guest)

        #expect(try await service.loader.favorites().items.isEmpty)
    }
}

nonisolated struct Board: Decodable, Identifiable {
    let id: ProductList.ID
    let title: String
}

nonisolated struct BoardItem: Decodable, Identifiable {
    let id: Product.ID
}

nonisolated extension ListLines {
    fileprivate init(wishList client: NetworkClient) {
        self.init(
            read: { ListLines.Contents(id: $0, name: "Wish list", lines: []) },
            add: { _, _ in },
            remove: { _, _ in }
        )
    }
}

nonisolated func boards(_ client: NetworkClient) -> ListManager {
    let loadBoard: @Sendable (ProductList.ID) async throws -> ProductList = { id in
        let board = try await client.send(NetworkRequest<Board>.get("boards", id))
        let items = try await client.allPages { cursor in
            NetworkRequest<Page<BoardItem>>.get("boards", id, "items")
                .page(.boards, following: cursor)
        }
        return ProductList(id: board.id, name: board.title, products: items.items.map(\.id))
    }
    let create: @Sendable (ProductList.ID, String) async throws -> ProductList? = { id, title in
        let creation = NetworkRequest<Board?>.post("boards")
            .json(["id": id.rawValue, "title": title])
            .header("Idempotency-Key", id.rawValue)
            .returning(nil, forProblem: "EXISTS")
        if let board = try await client.send(creation) {
            return ProductList(id: board.id, name: board.title)
        }
        let existing = try await loadBoard(id)
        let name = title.trimmingCharacters(in: .whitespaces)
        guard existing.name == name else { throw ListError.changed(current: existing) }
        return existing
    }
    let lists = ListManager(
        addProduct: { sku, board in
            try await client.send(.put("boards", board, "items", sku))
        },
        removeProduct: { sku, board in
            try await client.send(.delete("boards", board, "items", sku))
        },
        lists: { cursor in
            let request = NetworkRequest<Page<Board>>.get("boards")
                .page(.boards, following: cursor)
            return try await client.send(request).map { board in
                ProductList(id: board.id, name: board.title)
            }
        },
        loadsEachList: true,
        list: { board in try await loadBoard(board) },
        create: create
    )
    return lists
}
