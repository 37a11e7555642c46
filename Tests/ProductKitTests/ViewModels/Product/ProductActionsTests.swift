import Foundation
import ProductKit
import Testing

/// The calls of a product screen's actions, and the closures that they accept.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
final class ProductActionsTests {
    var department = "Shoes"

    // Rule: screen/actions-start-on-main-actor (1)
    @Test(arguments: ProductViewModel.kinds)
    func `an action starts in the caller's task, before its caller suspends`(
        kind: ViewModelFailure.Kind
    ) async throws {
        var callersTask: Int?
        var actionsTask: Int?
        func start() -> Product {
            MainActor.assertIsolated()
            actionsTask = withUnsafeCurrentTask { $0?.hashValue }
            return .favoriteBoots
        }
        let viewModel = ProductViewModel(
            .only(
                reload: { start() },
                toggleFavorite: { _ in start() },
                addToList: { _ in _ = start() }
            )
        )

        let task = await started {
            callersTask = withUnsafeCurrentTask { $0?.hashValue }
            try await viewModel.perform(kind)
        }

        #expect(actionsTask != nil && actionsTask == callersTask)
        try await task.value
    }

    // Rule: screen/usable-from-other-actors (3)
    @Test func `another actor creates and uses a view model with await`() async throws {
        #expect(
            try await ShopServer().loadTitles() == ["Walking Boots", "Hiking Boots", "Sandals"]
        )
    }

    // Rule: screen/closures-capture-freely (4)
    @Test func `an inline closure reads and changes local variables and self`() async throws {
        var loads = 0
        var stock = "3 pairs"
        let viewModel = ProductViewModel(
            .only(reload: { [unowned self] in
                loads += 1
                department += " and boots"
                return .boots.with { $0.description = "\(stock) in \(department)" }
            })
        )

        stock = "2 pairs"
        try await viewModel.reload()

        #expect(loads == 1 && department == "Shoes and boots")
        #expect(viewModel.detailText == "2 pairs in Shoes and boots")
    }

    // Rule: screen/actions-can-be-replaced (5)
    @Test func `an action can be replaced before the view model is created`() async throws {
        var actions = ProductViewModel.Actions(
            productID: "walking-boots",
            loader: ProductLoader { _ in throw Offline() },
            listManager: ListManager { _, _ in throw Offline() }
        )
        actions.reload = { .boots(named: "Hiking Boots") }
        actions.toggleFavorite = { _ in .confirmed(.favoriteBoots) }
        let viewModel = ProductViewModel(actions)

        try await viewModel.reload()
        #expect(viewModel.title == "Hiking Boots")
        try await viewModel.toggleProductFavoriteStatus()
        #expect(viewModel.isFavorite)
        await #expect(throws: Offline()) {
            try await viewModel.addProductToList(withID: "wishlist")
        }
    }

    @Test func `a toggle-only backend takes a closure without a parameter`() async throws {
        var server = Product.boots
        let viewModel = ProductViewModel(
            ProductViewModel.Actions(
                reload: { server },
                toggleFavorite: {
                    server.isFavorite.toggle()
                    return server
                },
                addToList: { _ in }
            )
        )

        try await viewModel.toggleProductFavoriteStatus()

        #expect(server.isFavorite && viewModel.isFavorite)
    }

    @Test func `live actions send their requests to the given transport`() async throws {
        let viewModel = ProductViewModel(
            ProductViewModel.Actions(
                productID: "walking-boots",
                baseURL: .api,
                networking: .closure { request in
                    guard request.url?.path().contains("/lists/") == false else {
                        return NetworkResponse(statusCode: 204)
                    }
                    return try NetworkResponse(
                        json: Product.boots(named: "Live", isFavorite: request.httpMethod == "PUT")
                    )
                }
            )
        )

        try await viewModel.reload()
        #expect(viewModel.title == "Live" && !viewModel.isFavorite)
        try await viewModel.toggleProductFavoriteStatus()
        #expect(viewModel.isFavorite)
        try await viewModel.addProductToList(withID: "wishlist")
    }

    @Test func `a screen shows the price in the currency of its user`() throws {
        let picture = try #require(URL(string: "https://shop.example.com/boots.jpg"))
        let viewModel = ProductViewModel(.only(), product: .boots.with { $0.images = [picture] })

        #expect(viewModel.product == .boots.with { $0.images = [picture] })
        #expect(viewModel.price == Price(minorUnits: 12_900, currency: "EUR"))
        #expect(viewModel.priceText == "€129.00")
        #expect(viewModel.images == [picture])

        viewModel.localUser.currency = "USD"
        #expect(viewModel.priceText == "$139.00")
        viewModel.localUser.currency = "JPY"
        #expect(viewModel.price == nil && viewModel.priceText == nil)
    }
}

/// An actor other than the main actor that uses a product screen.
private actor ShopServer {
    func loadTitles() async throws -> [String] {
        let viewModel = await ProductViewModel(
            product: .boots,
            localUser: .shopper,
            actions: ProductViewModel.Actions(
                productID: "walking-boots",
                loader: ProductLoader { _ in .boots(named: "Hiking Boots") },
                listManager: ListManager { _, _ in }
            )
        )
        let before = await viewModel.title
        try await viewModel.reload()
        let actions = ProductViewModel.Actions.only(reload: { .boots(named: "Sandals") })
        let inline = await ProductViewModel(
            product: .boots,
            localUser: .shopper,
            actions: actions
        )
        try await inline.reload()
        return [before, await viewModel.title, await inline.title]
    }
}
