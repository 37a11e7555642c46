import Foundation
import ProductKit
import Synchronization
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
        await #expect(throws: UnimplementedAction.self) {
            try await containing.toggleMembership(inListWithID: "wishlist")
        }
        await #expect(throws: UnimplementedAction.self) {
            try await missing.toggleMembership(inListWithID: "wishlist")
        }
        await #expect(throws: UnimplementedAction.self) {
            try await missing.addProductToNewList(named: "Winter")
        }

        #expect(reported == ["loadLists", "removeFromList", "addToList", "createList"])
        #expect(containing.lastError?.errorDescription?.contains("ListMembership") == true)
    }

    // Rule: screen/actions-can-be-replaced (5)
    @Test func `a test chooses the identifier of a new list`() async throws {
        var created: [ProductList] = []
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { _ in },
                createList: { draft in
                    created.append(draft)
                    return draft
                },
                newListID: { "winter" }
            )
        )

        try await viewModel.addProductToNewList(named: "Winter")

        #expect(created == [ProductList(id: "winter", name: "Winter")])
        #expect(viewModel.holding == ["Winter"])
    }

    @Test func `the live actions use a list manager and load all pages`() async throws {
        let calls = Mutex<[String]>([])
        let manager = ListManager(
            addProduct: { product, list in calls.withLock { $0.append("add \(product) \(list)") } },
            removeProduct: { product, list in
                calls.withLock { $0.append("remove \(product) \(list)") }
            },
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
        try await viewModel.toggleMembership(inListWithID: "wishlist")
        try await viewModel.toggleMembership(inListWithID: "summer")
        try await viewModel.addProductToNewList(named: "Winter")

        let winter = try #require(viewModel.rows.last?.id)
        #expect(UUID(uuidString: winter.rawValue) != nil)
        #expect(viewModel.holding == ["Summer", "Winter"])
        #expect(
            calls.withLock { $0 } == [
                "remove walking-boots wishlist", "add walking-boots summer",
                "add walking-boots \(winter)",
            ]
        )
    }

    @Test func `the live actions send the contract's requests to the networking closure`()
        async throws
    {
        let lines = Mutex<[String]>([])
        let viewModel = ListMembershipViewModel(
            ListMembershipViewModel.Actions(
                productID: Product.boots.id,
                listManager: ListManager(
                    baseURL: .api,
                    networking: .closure { request in
                        lines.withLock { $0.append(request.line) }
                        guard request.httpMethod == "GET" else {
                            return NetworkResponse(statusCode: 204)
                        }
                        return .json(#"{"items": [{"id": 7, "name": "A"}]}"#)
                    }
                )
            ),
            lists: []
        )

        try await viewModel.reload()
        try await viewModel.toggleMembership(inListWithID: "7")
        try await viewModel.toggleMembership(inListWithID: "7")

        #expect(
            lines.withLock { $0 } == [
                "GET https://api.example.com/v1/lists",
                "PUT https://api.example.com/v1/lists/7/products/walking-boots",
                "DELETE https://api.example.com/v1/lists/7/products/walking-boots",
            ]
        )
    }
}
