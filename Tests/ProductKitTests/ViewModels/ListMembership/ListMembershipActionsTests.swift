import Foundation
import ProductKit
import Testing

/// The actions of `ListMembershipViewModel`: missing ones and those of a live list manager.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ListMembershipActionsTests {
    // Rule: screen/missing-action-throws (6)
    @Test func `an action that is not provided throws its name`() async throws {
        var reported: [String] = []
        let actions = ListMembershipViewModel.Actions.only(otherwise: { reported.append($0.name) })
        let containing = ListMembershipViewModel(actions, lists: [.wishlist(holdingBoots: true)])
        let missing = ListMembershipViewModel(actions, lists: [.wishlist])

        await #expect(throws: UnimplementedAction.self) { try await containing.reload() }
        await #expect(throws: UnimplementedAction.self) { try await containing.toggle("wishlist") }
        await #expect(throws: UnimplementedAction.self) { try await missing.toggle("wishlist") }
        await #expect(throws: UnimplementedAction.self) { try await missing.perform(.createList) }

        #expect(reported == ["loadLists", "removeFromList", "addToList", "createList"])
        #expect(containing.lastError?.errorDescription?.contains("ListMembership") == true)
    }

    @Test func `the live actions use a list manager and load all pages`() async throws {
        let calls = Lines()
        let manager = ListManager(
            addProduct: { product, list in calls.add("add \(product) \(list)") },
            removeProduct: { product, list in calls.add("remove \(product) \(list)") },
            lists: { cursor in
                cursor == nil
                    ? Page([.wishlist(holdingBoots: true)], next: "2") : Page([.summer])
            },
            create: { id, name in ProductList(id: id, name: name) }
        )
        let service = ProductService(
            loader: ProductLoader(load: { _ in .boots }),
            listManager: manager,
            localUser: .shopper
        )
        let viewModel = service.membershipViewModel(for: .boots)

        try await viewModel.reload()
        for list: ProductList.ID in ["wishlist", "summer"] { try await viewModel.toggle(list) }
        try await viewModel.addProductToNewList(named: "Winter")

        let winter = try #require(viewModel.rows.last?.id)
        #expect(UUID(uuidString: winter.rawValue) != nil)
        #expect(viewModel.holding == ["Summer", "Winter"])
        #expect(
            calls.all == [
                "remove walking-boots wishlist", "add walking-boots summer",
                "add walking-boots \(winter)",
            ]
        )
    }

    @Test func `the live actions keep no other product of a list`() async throws {
        let lists = [
            ProductList(id: "trip", name: "Trip", products: ["pan", "walking-boots", "cup"]),
            ProductList(id: "camp", name: "Camp", products: ["pan"]),
        ]
        let manager = ListManager(lists: { _ in Page(lists, total: 2) })
        let actions = ListMembershipViewModel.Actions(
            productID: "walking-boots",
            listManager: manager
        )

        let page = try await actions.loadLists()

        #expect(page.items.map(\.products) == [["walking-boots"], []])
        #expect(page.items.map(\.name) == ["Trip", "Camp"] && page.total == 2)
    }

    @Test func `the live actions send the contract's requests to the networking closure`()
        async throws
    {
        let lines = Lines()
        let networking: any Networking = .closure { request in
            lines.add(request.line)
            guard request.httpMethod == "GET" else { return NetworkResponse(statusCode: 204) }
            return .json(#"{"items": [{"id": 7, "name": "A"}]}"#)
        }
        let manager = ListManager(baseURL: .api, networking: networking)
        let viewModel = ListMembershipViewModel(
            ListMembershipViewModel.Actions(productID: Product.boots.id, listManager: manager),
            lists: []
        )

        try await viewModel.reload()
        for _ in 1...2 { try await viewModel.toggle("7") }

        #expect(
            lines.all == [
                "GET https://api.example.com/v1/lists",
                "PUT https://api.example.com/v1/lists/7/products/walking-boots",
                "DELETE https://api.example.com/v1/lists/7/products/walking-boots",
            ]
        )
    }
}
