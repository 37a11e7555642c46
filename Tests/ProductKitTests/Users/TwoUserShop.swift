import Foundation
import ProductKit
import Synchronization

/// A shop that knows its users by their tokens, and whose collections have two pages.
@dynamicMemberLookup final class TwoUserShop: Sendable {
    struct State {
        /// The token of the user who is signed in.
        var token = "ann"
        /// Returns whether another user is signed in when the server receives a request.
        var endsSession: @Sendable (URLRequest) -> Bool = { _ in true }
        /// Whether favorites are stored in a list.
        var storesFavorites = true
        /// Whether the list of favorites exists.
        var hasFavorites = true
        /// Called after each response with a page of lists.
        var afterLists: @Sendable () async throws -> Void = {}
        /// Called before the request that creates a list.
        var beforeCreation: @Sendable () async throws -> Void = {}
        /// The users of the requests so far.
        var users: [String] = []
    }

    private let state = Mutex(State())

    subscript<Value: Sendable>(dynamicMember path: WritableKeyPath<State, Value>) -> Value {
        get { state.withLock { $0[keyPath: path] } }
        set { state.withLock { $0[keyPath: path] = newValue } }
    }

    var backend: ProductBackend {
        ProductBackend(
            client: NetworkClient(baseURL: .api, networking: .closure { self.response(to: $0) }),
            cache: ResponseCache(),
            loader: { client in
                let loader = self.loader(over: client)
                guard self.storesFavorites else { return loader }
                let lists = self.lists(over: client)
                return loader.storingFavorites(inListNamed: "Favorites", of: lists)
            },
            listManager: lists
        )
    }

    private func loader(over client: NetworkClient) -> ProductLoader {
        ProductLoader(
            load: { id in
                let product: Product = try await client.send(.get("goods", id))
                if id == "twice" {
                    let _: Product = try await client.send(.get("prices", id))
                } else if id == "parts" {
                    _ = try await Page(["a", "b", "c"]).concurrentMap { part in
                        try await client.send(NetworkRequest<Product>.get("parts", part))
                    }
                }
                return product
            },
            search: { query, cursor in
                guard query.ids.isEmpty else { throw UnsupportedOperation("search by ids") }
                return try await client.send(Self.page("goods", after: cursor))
            },
            setFavorite: { id, _ in
                try await client.send(NetworkRequest<Void>.put("favorites", id))
                return nil
            }
        )
    }

    @Sendable private func lists(over client: NetworkClient) -> ListManager {
        let lines = ListLines(
            read: { id in
                let list: ProductList = try await client.send(.get("lists", id))
                let lines = list.products.map { product in
                    ListLines.Line(id: Identifier(product.rawValue), product: product)
                }
                return ListLines.Contents(id: id, name: list.name, lines: lines)
            },
            add: { product, contents in
                try await client.send(
                    NetworkRequest<Void>.put("lists", contents.list.id, product)
                )
            },
            remove: { lines, contents in
                for line in lines {
                    try await client.send(
                        NetworkRequest<Void>.delete("lists", contents.list.id, line)
                    )
                }
            }
        )
        return ListManager(
            addProduct: lines.add,
            removeProduct: lines.remove,
            lists: { cursor in
                let page: Page<ProductList> = try await client.send(
                    Self.page("lists", after: cursor)
                )
                try await self.afterLists()
                return page
            },
            list: lines.list,
            create: { _, name in
                try await self.beforeCreation()
                return try await client.send(.post("lists").json(["name": name]))
            }
        )
    }

    private static func page<Element: Decodable & Sendable>(
        _ path: String,
        after cursor: PageCursor?
    ) -> NetworkRequest<Page<Element>> {
        .get(path, query: cursor.map { ["page": $0.rawValue] } ?? [:])
    }

    private func response(to request: URLRequest) -> NetworkResponse {
        let token = request.value(forHTTPHeaderField: "Authorization")?.split(separator: " ").last
        state.withLock { $0.users.append(token.map(String.init) ?? "guest") }
        if self.endsSession(request) { self.token = "bob" }
        guard token != "rejected" else { return NetworkResponse(statusCode: 401) }
        guard request.httpMethod == "GET" else { return .json(#"{"id": "3", "name": "Trip"}"#) }
        let path = request.url?.pathComponents.dropFirst(2).map(\.self) ?? []
        let isFirstPage = request.url?.query() == nil
        let next = isFirstPage ? #", "next": "2""# : ""
        switch (path.first, path.dropFirst().first) {
        case ("lists", let id?):
            return .json(#"{"id": "\#(id)", "name": "Camp", "products": ["pot"]}"#)
        case ("lists", nil):
            let name = isFirstPage || !self.hasFavorites ? "Camp" : "Favorites"
            let id = isFirstPage ? "1" : "2"
            let list = #"{"id": "\#(id)", "name": "\#(name)", "products": ["pot"]}"#
            return .json(#"{"items": [\#(list)]\#(next)}"#)
        case (_, let id?):
            return .json(
                #"{"id": "\#(id)", "name": "Product"}"#,
                headers: ["Cache-Control": "max-age=60"]
            )
        default:
            let id = isFirstPage ? "pan" : "pot"
            return .json(#"{"items": [{"id": "\#(id)", "name": "Product"}]\#(next)}"#)
        }
    }
}
