import Adapters
import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct CommercetoolsListTests {
    @Test func `a list is decoded with its version and without duplicate products`() async throws {
        let exchange = Exchange(.json(CommercetoolsFixtures.list(4, "mug", "pan", "mug")))

        let list = try await lists(exchange).list(withID: "list-1")

        #expect(list.products == ["mug", "pan"])
        #expect(list.version == "4")
        #expect(list.name == "Wishlist")
        #expect(exchange.lines == ["GET /shopping-lists/list-1"])
    }

    @Test func `a product is added with the current version of the list`() async throws {
        let exchange = Exchange(
            .json(CommercetoolsFixtures.list(4)),
            .json(CommercetoolsFixtures.list(5, "mug"))
        )

        try await lists(exchange).addProduct(withID: "mug", toListWithID: "list-1")

        #expect(exchange.lines == ["GET /shopping-lists/list-1", "POST /shopping-lists/list-1"])
        let change = try exchange.bodies(Change.self)
        #expect(change.map(\.version) == [4])
        #expect(change.flatMap(\.actions) == [["action": "addLineItem", "productId": "mug"]])
    }

    @Test func `a product that is already on the list is not added again`() async throws {
        let exchange = Exchange(.json(CommercetoolsFixtures.list(4, "mug")))

        try await lists(exchange).addProduct(withID: "mug", toListWithID: "list-1")

        #expect(exchange.lines == ["GET /shopping-lists/list-1"])
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
        #expect(exchange.lines == ["GET /shopping-lists", "GET /shopping-lists?offset=1"])
    }

    @Test func `a list that was created without a response is found by its key`() async throws {
        let exchange = Exchange(
            .json(CommercetoolsFixtures.error(400, "DuplicateField"), statusCode: 400),
            .json(CommercetoolsFixtures.page(CommercetoolsFixtures.list(1), total: 1))
        )

        let list = try await lists(exchange).createList(named: "Wishlist", id: "mine")

        #expect(list.id == "list-1")
        #expect(
            exchange.lines == [
                "POST /shopping-lists", "GET /shopping-lists?where=key%3D%22mine%22",
            ]
        )
        let drafts = try exchange.bodies(Draft.self)
        #expect(drafts == [Draft(key: "mine", name: ["en": "Wishlist"])])
    }

    @Test func `a key of another list throws that list`() async throws {
        let other = CommercetoolsFixtures.list(1, name: "Groceries")
        let exchange = Exchange(
            .json(CommercetoolsFixtures.error(400, "DuplicateField"), statusCode: 400),
            .json(CommercetoolsFixtures.page(other, total: 1))
        )

        let error = await #expect(throws: ListError.self) {
            try await lists(exchange).createList(named: "Wishlist", id: "mine")
        }

        guard case .changed(let current) = error else { throw try #require(error) }
        #expect(current.name == "Groceries")
    }

    @Test func `renaming and deleting are unsupported`() async {
        await #expect(throws: UnsupportedOperation("rename")) {
            try await lists(Exchange()).renameList(withID: "list-1", to: "Mine")
        }
        await #expect(throws: UnsupportedOperation("delete")) {
            try await lists(Exchange()).deleteList(withID: "list-1")
        }
    }

    private struct Change: Decodable {
        let version: Int
        let actions: [[String: String]]
    }

    private struct Draft: Decodable, Equatable {
        let key: String
        let name: [String: String]
    }

    private func lists(_ exchange: Exchange) -> ListManager {
        let client = NetworkClient(commercetools: .store, networking: exchange.networking) { nil }
        return ListManager(commercetools: client)
    }
}
