import Foundation
import ProductKit
import Testing

/// Code of the articles about other backends for JSON:API, with a cache of the responses.
@Suite(.serialized, .timeLimit(.minutes(5))) struct JSONAPISamples {
    private let received = Lines()

    // Rule: requests/json-api-is-plain-json (21)
    @Test func `products of a backend with JSON API, stored as they arrive`() async throws {
        let service = service { request in
            let drink =
                #"{"type": "drinks", "id": "7", "attributes": {"name": "Tea"}, "#
                + #""relationships": {"photos": {"data": [{"type": "photos", "id": "3"}]}}}"#
            let isPage = request.url?.path() == "/v1/drinks"
            return .json(
                #"{"data": \#(isPage ? "[\(drink)]" : drink), "included": [{"type": "photos", "id": "3", "#
                    + #""attributes": {"url": "https://a.example"}}], "meta": {"count": 9}, "#
                    + #""links": {"next": "/v1/drinks?page[number]=2"}}"#,
                headers: ["Cache-Control": "max-age=60"]
            )
        }

        let tea = try await service.loader.loadProduct(withID: "7")
        let page = try await service.loader.products(matching: "tea")
        let stored = try await service.loader.fetchProduct(withID: "7", policy: .cacheOnly)
        _ = try await service.loader.products(matching: "tea", after: page.next)

        #expect(
            tea
                == Product(
                    id: "7",
                    name: "Tea",
                    images: [URL(string: "https://a.example")]
                )
        )
        #expect(stored.value == tea)
        #expect(page.items == [tea])
        #expect(page.total == 9)
        #expect(
            received.all == [
                "GET drinks/7?include=photos", "GET drinks?filter%5Bname%5D=tea&include=photos",
                "GET drinks?filter%5Bname%5D=tea&include=photos&page%5Bnumber%5D=2",
            ]
        )
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test func `lists of a backend with JSON API`() async throws {
        let service = service { request in
            guard request.httpMethod == "GET" || request.httpMethod == "PATCH" else {
                return NetworkResponse(statusCode: 204)
            }
            if request.url?.lastPathComponent == "3" {
                return .json(
                    #"{"data": {"type": "shelves", "id": "3", "attributes": {"name": "Empty"}}}"#
                )
            }
            return .json(
                #"{"data": {"type": "shelves", "id": "2", "attributes": {"name": "Home"}, "#
                    + #""relationships": {"places": {"data": [{"type": "places", "id": "5"}]}}}, "#
                    + #""included": [{"type": "places", "id": "5", "relationships": {"drink": {"data": "#
                    + #"{"type": "drinks", "id": "7"}}}}]}"#
            )
        }
        let lists = service.listManager

        let home = try await lists.list(withID: "2")
        try await lists.addProduct(withID: "8", toListWithID: "2")
        try await lists.removeProduct(withID: "7", fromListWithID: "2")
        _ = try await lists.renameList(withID: "2", to: "Flat")
        let empty = try await lists.list(withID: "3")

        #expect(home == ProductList(id: "2", name: "Home", products: ["7"]))
        #expect(empty == ProductList(id: "3", name: "Empty"))
        let writes = received.all.filter { !$0.hasPrefix("GET") }
        #expect(
            writes == [
                #"POST places {"data":{"attributes":{},"relationships":{"drink":{"data":"#
                    + #"{"id":"8","type":"drinks"}},"shelf":{"data":{"id":"2","type":"shelves"}}},"#
                    + #""type":"places"}}"#,
                "DELETE places/5",
                #"PATCH shelves/2?include=places {"data":{"attributes":{"name":"Flat"},"id":"2","type":"shelves"}}"#,
            ]
        )
        #expect(received.all.contains("GET shelves/2?include=places"))
    }

    /// Creates the service of a guest.
    private func service(
        respond: @escaping @Sendable (URLRequest) throws -> NetworkResponse
    ) -> ProductService {
        let api = URL.api
        let networking: any Networking = .closure { [received] request in
            let body = request.httpBody.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
            received.add(request.line.replacing("\(api)/", with: "") + body)
            return try respond(request)
        }
        let client = NetworkClient(
            baseURL: api,
            networking: networking,
            behaviors: [JSONAPIBehavior()],
            failure: { response in
                NetworkError(response, message: "errors[0].detail", code: "errors[0].code")
            }
        )
        let backend = ProductBackend(
            client: client,
            cache: ResponseCache(),
            loader: { client in
                let loader = ProductLoader(
                    client: client,
                    path: ["drinks"],
                    inside: "data",
                    pages: PageFormat(items: "data", next: "links.next", total: "meta.count"),
                    query: { ["include": "photos"] },
                    searchQuery: { query in ["filter[name]": query.text] },
                    product: { (drink: Drink, _) in
                        Product(id: drink.id, name: drink.name, images: drink.photos.map(\.url))
                    }
                )
                return loader
            },
            listManager: { client in
                let manager = ListManager(
                    client: client,
                    path: ["shelves"],
                    inside: "data",
                    pages: PageFormat(items: "data", next: "links.next"),
                    query: { ["include": "places"] },
                    renamingMethod: "PATCH",
                    contents: { (shelf: Shelf, _) in
                        let lines = (shelf.places ?? []).map {
                            ListLines.Line(id: $0.id, product: $0.drink.id)
                        }
                        return ListLines.Contents(id: shelf.id, name: shelf.name, lines: lines)
                    },
                    newList: { name in JSONAPIDraft("shelves", attributes: ["name": name]) },
                    newName: { id, name in
                        JSONAPIDraft("shelves", id: id, attributes: ["name": name])
                    },
                    add: { drink, shelf in
                        let place = JSONAPIDraft(
                            "places",
                            relationships: [
                                "shelf": .init("shelves", shelf.id),
                                "drink": .init("drinks", drink),
                            ]
                        )
                        try await client.send(NetworkRequest<Void>.post("places").json(place))
                    },
                    remove: { places, _ in
                        for place in places { try await client.send(.delete("places", place)) }
                    }
                )
                return manager
            }
        )
        return ProductService(backend: backend, localUser: .shopper, user: .guest)
    }
}

nonisolated struct Drink: Decodable {
    struct Photo: Decodable {
        let url: URL
    }

    let id: Product.ID
    let name: String
    let photos: [Photo]
}

nonisolated struct Shelf: Decodable {
    struct Place: Decodable {
        struct Drink: Decodable {
            let id: Product.ID
        }

        let id: Identifier<ListLines.Line>
        let drink: Drink
    }

    let id: ProductList.ID
    let name: String
    let places: [Place]?
}
