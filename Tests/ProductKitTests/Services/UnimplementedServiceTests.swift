import Foundation
import ProductKit
import Testing

/// Calls of operations of services, and requests, that a test did not provide.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnimplementedServiceTests {
    private let reported = Lines()

    // Rule: screen/missing-action-throws (6); screen/missing-action-is-reported (7)
    @Test func `each missing operation of a loader throws its name and is reported once`()
        async throws
    {
        let line: UInt = #line + 1
        let loader = ProductLoader.only(otherwise: { [reported] in reported.add($0.name) })

        let errors = try await [
            thrown { _ = try await loader.loadProduct(withID: "boots") },
            thrown { _ = try await loader.products() },
            thrown { _ = try await loader.favorites() },
            thrown { _ = try await loader.setFavoriteStatus(true, forProductWithID: "boots") },
        ]

        #expect(errors.map(\.name) == ["load", "search", "favorites", "setFavorite"])
        #expect(reported.all == errors.map(\.name))
        for error in errors {
            #expect(error.localizedDescription.contains("UnimplementedServiceTests.swift:\(line)."))
        }
    }

    // Rule: screen/missing-action-throws (6); screen/missing-action-is-reported (7)
    @Test func `each missing operation of a list manager throws its name and is reported once`()
        async throws
    {
        let lists = ListManager.only(otherwise: { [reported] in reported.add($0.name) })

        let errors = try await [
            thrown { try await lists.addProduct(withID: "boots", toListWithID: "1") },
            thrown { try await lists.removeProduct(withID: "boots", fromListWithID: "1") },
            thrown { _ = try await lists.lists() },
            thrown { _ = try await lists.list(withID: "1") },
            thrown { _ = try await lists.createList(named: "Camp") },
            thrown { _ = try await lists.renameList(withID: "1", to: "Camp") },
            thrown { try await lists.deleteList(withID: "1") },
        ]

        let names = ["addProduct", "removeProduct", "lists", "list", "create", "rename", "delete"]
        #expect(errors.map(\.name) == names)
        #expect(reported.all == names)
    }

    // Rule: screen/missing-action-throws (6)
    @Test func `the provided operations are called`() async throws {
        let (boots, lines) = (Product.boots, Lines())
        let loader = ProductLoader.only(
            load: { _ in boots },
            search: { query, _ in Page([boots], next: PageCursor(rawValue: query.text)) },
            favorites: { _ in Page([boots]) },
            setFavorite: { id, isFavorite in
                lines.add("\(id) \(isFavorite)")
                return boots
            },
            otherwise: { Issue.record($0) }
        )
        let camp = ProductList(id: "1", name: "Camp")
        let lists = ListManager.only(
            addProduct: { lines.add("add \($0) \($1)") },
            removeProduct: { lines.add("remove \($0) \($1)") },
            lists: { _ in Page([camp]) },
            list: { _ in camp },
            create: { ProductList(id: $0, name: $1) },
            rename: { id, name, _ in ProductList(id: id, name: name) },
            delete: { lines.add("delete \($0)") },
            otherwise: { Issue.record($0) }
        )

        #expect(try await loader.loadProduct(withID: "walking-boots") == boots)
        #expect(try await loader.products(matching: "a").next == "a")
        #expect(try await loader.favorites().items == [boots])
        #expect(try await loader.setFavoriteStatus(true, forProductWithID: "a") == boots)
        try await lists.addProduct(withID: "a", toListWithID: "1")
        try await lists.removeProduct(withID: "a", fromListWithID: "1")
        #expect(try await lists.lists().items == [camp])
        #expect(try await lists.list(withID: "1") == camp)
        #expect(try await lists.createList(named: "Trip", id: "2").name == "Trip")
        #expect(try await lists.renameList(withID: "2", to: "Trek").name == "Trek")
        try await lists.deleteList(withID: "2")
        #expect(lines.all == ["a true", "add a 1", "remove a 1", "delete 2"])
    }

    // Rule: screen/missing-action-throws (6); screen/missing-action-is-reported (7)
    @Test func `a request that was not expected throws its method and URL without secrets`()
        async throws
    {
        let networking: any Networking = .unimplemented(
            otherwise: { [reported] in reported.add($0.name) }
        )
        let service = ProductService(
            baseURL: .api,
            localUser: LocalUser(currency: "EUR"),
            user: .signedIn("anna") { "s3cret" },
            networking: networking
        )
        var search = NetworkRequest<Void>.post("search")
        search.query = [URLQueryItem(name: "token", value: "s3cret")]
        let client = NetworkClient(baseURL: .api, networking: networking)

        let load = try await thrown { _ = try await service.loader.loadProduct(withID: "a/b") }
        let post = try await thrown { [search] in try await client.send(search) }

        #expect(load.name == "GET https://api.example.com/v1/products/a%2Fb")
        #expect(post.name.hasPrefix("POST https://api.example.com/v1/search"))
        #expect(!post.localizedDescription.contains("s3cret"))
        #expect(reported.all == [load.name, post.name])
    }

    // Rule: screen/missing-action-throws (6); screen/missing-action-is-reported (7)
    @Test func `an unimplemented client sends nothing`() async throws {
        let client = NetworkClient.unimplemented(
            otherwise: { [reported] in reported.add($0.name) }
        )

        let error = try await thrown { _ = try await client.send(.boots) }

        #expect(error.name == "GET https://unimplemented.invalid/products/walking-boots")
        #expect(reported.all == [error.name])
    }

    private func thrown(_ body: () async throws -> Void) async throws -> UnimplementedAction {
        try await #require(throws: UnimplementedAction.self) { try await body() }
    }
}
