import Adapters
import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct CommercetoolsListTests {
    @Test func `a list is decoded with its version and without duplicate products`() async throws {
        let exchange = Exchange(.json(CommercetoolsFixtures.list(4, "mug", "pan", "mug")))

        let list = try await lists(exchange).list(withID: "list-1")

        #expect(list.products == ["mug", "pan"])
        #expect(list.version == "4")
        #expect(list.name == "Wishlist")
        #expect(exchange.lines == ["GET /me/shopping-lists/list-1"])
    }

    @Test func `a product is added with the current version of the list`() async throws {
        let exchange = Exchange(
            .json(CommercetoolsFixtures.list(4)),
            .json(CommercetoolsFixtures.list(5, "mug"))
        )

        try await lists(exchange).addProduct(withID: "mug", toListWithID: "list-1")

        #expect(
            exchange.lines == [
                "GET /me/shopping-lists/list-1", "POST /me/shopping-lists/list-1",
            ]
        )
        let change = try exchange.bodies(Change.self)
        #expect(change.map(\.version) == [4])
        #expect(change.flatMap(\.actions) == [["action": "addLineItem", "productId": "mug"]])
    }

    @Test func `a product that is already on the list is not added again`() async throws {
        let exchange = Exchange(.json(CommercetoolsFixtures.list(4, "mug")))

        try await lists(exchange).addProduct(withID: "mug", toListWithID: "list-1")

        #expect(exchange.lines == ["GET /me/shopping-lists/list-1"])
    }

    @Test func `all line items of a product are removed in one request`() async throws {
        let exchange = Exchange(
            .json(CommercetoolsFixtures.list(4, "mug", "pan", "mug")),
            .json(CommercetoolsFixtures.list(5, "pan"))
        )

        try await lists(exchange).removeProduct(withID: "mug", fromListWithID: "list-1")

        #expect(
            try exchange.bodies(Change.self).flatMap(\.actions) == [
                ["action": "removeLineItem", "lineItemId": "line-0"],
                ["action": "removeLineItem", "lineItemId": "line-2"],
            ]
        )
    }

    @Test func `a conflict is retried with the new version`() async throws {
        let exchange = Exchange(
            .json(CommercetoolsFixtures.list(4)),
            .json(CommercetoolsFixtures.error(409, "ConcurrentModification"), statusCode: 409),
            .json(CommercetoolsFixtures.list(5, "pan")),
            .json(CommercetoolsFixtures.list(6, "pan", "mug"))
        )

        try await lists(exchange).addProduct(withID: "mug", toListWithID: "list-1")

        #expect(try exchange.bodies(Change.self).map(\.version) == [4, 5])
    }

    @Test func `repeated conflicts throw the current list`() async throws {
        let conflict = CommercetoolsFixtures.error(409, "ConcurrentModification")
        let exchange = Exchange(
            .json(CommercetoolsFixtures.list(1)),
            .json(conflict, statusCode: 409),
            .json(CommercetoolsFixtures.list(2)),
            .json(conflict, statusCode: 409),
            .json(CommercetoolsFixtures.list(3)),
            .json(conflict, statusCode: 409),
            .json(CommercetoolsFixtures.list(4, "pan"))
        )

        let error = await #expect(throws: ListError.self) {
            try await lists(exchange).addProduct(withID: "mug", toListWithID: "list-1")
        }

        guard case .changed(let current) = error else { throw try #require(error) }
        #expect(current.version == "4")
        #expect(current.products == ["pan"])
    }

    @Test func `an error reports whether the list or the product is missing`() async {
        let missing = NetworkResponse.json(
            CommercetoolsFixtures.error(404, "ResourceNotFound"),
            statusCode: 404
        )
        let unknownProduct = NetworkResponse.json(
            CommercetoolsFixtures.error(400, "ReferencedResourceNotFound"),
            statusCode: 400
        )
        let list = NetworkResponse.json(CommercetoolsFixtures.list(4))

        await #expect(throws: ListError.notFound("list-1")) {
            try await lists(Exchange(missing)).addProduct(withID: "mug", toListWithID: "list-1")
        }
        await #expect(throws: ProductError.notFound("mug")) {
            try await lists(Exchange(list, unknownProduct, list))
                .addProduct(withID: "mug", toListWithID: "list-1")
        }
    }

    @Test func `lists are loaded page by page`() async throws {
        let exchange = Exchange(
            .json(CommercetoolsFixtures.page(CommercetoolsFixtures.list(1, "mug"), total: 2))
        )

        let page = try await lists(exchange).lists()

        #expect(page.items.map(\.products) == [["mug"]])
        #expect(page.next == "1")
        _ = try await lists(exchange).lists(after: page.next)
        #expect(exchange.lines == ["GET /me/shopping-lists", "GET /me/shopping-lists?offset=1"])
    }

    @Test func `a list is created with its name`() async throws {
        let exchange = Exchange(
            .json(CommercetoolsFixtures.page(total: 0)),
            .json(CommercetoolsFixtures.list(1), statusCode: 201)
        )

        let list = try await lists(exchange).createList(named: "Wishlist", id: "mine")

        #expect(list.id == "list-1")
        #expect(exchange.lines == ["GET /me/shopping-lists", "POST /me/shopping-lists"])
        #expect(try exchange.bodies(Draft.self) == [Draft(name: ["en": "Wishlist"])])
    }

    @Test func `a list is renamed with its version`() async throws {
        let exchange = Exchange(
            .json(CommercetoolsFixtures.list(4)),
            .json(CommercetoolsFixtures.list(5, name: "Camp"))
        )

        let list = try await lists(exchange).renameList(withID: "list-1", to: "Camp")

        #expect(list.name == "Camp")
        #expect(try exchange.bodies(Renaming.self).map(\.version) == [4])
        #expect(
            try exchange.bodies(Renaming.self).flatMap(\.actions) == [
                Renaming.Action(action: "changeName", name: ["en": "Camp"])
            ]
        )
    }

    @Test func `a name is sent again if another device changes the list meanwhile`() async throws {
        let exchange = Exchange(
            .json(CommercetoolsFixtures.list(4)),
            .json(CommercetoolsFixtures.error(409, "ConcurrentModification"), statusCode: 409),
            .json(CommercetoolsFixtures.list(5)),
            .json(CommercetoolsFixtures.list(6, name: "Camp"))
        )

        let list = try await lists(exchange).renameList(withID: "list-1", to: "Camp")

        #expect(list.name == "Camp")
        #expect(try exchange.bodies(Renaming.self).map(\.version) == [4, 5])
    }

    @Test func `a list is deleted with its version`() async throws {
        let exchange = Exchange(.json(CommercetoolsFixtures.list(4)))

        try await lists(exchange).deleteList(withID: "list-1")

        #expect(
            exchange.lines == [
                "GET /me/shopping-lists/list-1", "DELETE /me/shopping-lists/list-1?version=4",
            ]
        )
    }

    private struct Change: Decodable {
        let version: Int
        let actions: [[String: String]]
    }

    private struct Draft: Decodable, Equatable {
        let name: [String: String]
    }

    private struct Renaming: Decodable {
        struct Action: Decodable, Equatable {
            let action: String
            let name: [String: String]
        }

        let version: Int
        let actions: [Action]
    }

    private func lists(_ exchange: Exchange) -> ListManager {
        let backend = ProductBackend.commercetools(
            at: .store,
            networking: exchange.networking,
            retry: .none
        )
        return ProductService(backend).listManager
    }
}
