import Foundation
import ProductKit
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
final class ListActionsTests {
    var shelf = "Shoes"

    @Test func `an action starts in the caller's task, without a hop`() async throws {
        var callersTask: Int?
        var tasks: [Int?] = []
        let viewModel = CatalogViewModel(
            .only(
                loadPage: { _, _ in
                    MainActor.assertIsolated()
                    tasks.append(withUnsafeCurrentTask { $0?.hashValue })
                    return .of("boots")
                },
                sleep: { _ in
                    MainActor.assertIsolated()
                    tasks.append(withUnsafeCurrentTask { $0?.hashValue })
                }
            )
        )

        let search = await started {
            callersTask = withUnsafeCurrentTask { $0?.hashValue }
            try await viewModel.search("boots")
        }
        #expect(tasks.count == 2)
        try await search.value

        #expect(callersTask != nil && tasks.allSatisfy { $0 == callersTask })
    }

    @Test func `an inline closure reads and changes local variables and self`() async throws {
        var loads = 0
        var name = "Boots"
        let viewModel = CatalogViewModel(
            .only(loadPage: { [unowned self] _, _ in
                loads += 1
                shelf += " and boots"
                return Page([Product(id: "boots", name: "\(name) from \(shelf)")])
            })
        )

        name = "Hiking Boots"
        try await viewModel.search("")

        #expect(loads == 1 && shelf == "Shoes and boots")
        #expect(viewModel.rows.first?.title == "Hiking Boots from Shoes and boots")
    }

    @Test func `an action can be replaced before the view model is made`() async throws {
        var actions = CatalogViewModel.Actions(
            loader: ProductLoader(load: { _ in throw Offline() })
        )
        actions.sleep = { _ in }
        let unsupported = CatalogViewModel(actions)
        await #expect(throws: UnsupportedOperation("search")) {
            try await unsupported.search("boots")
        }
        actions.loadPage = { _, _ in .of("boots") }
        let viewModel = CatalogViewModel(actions)

        try await viewModel.search("boots")

        #expect(viewModel.ids == ["boots"])
    }

    @Test func `a page that is not given throws its name and where it was left out`() async throws {
        var told: [String] = []
        let line: UInt = #line + 1
        let viewModel = CatalogViewModel(.only(otherwise: { told.append($0.name) }))

        let error = try await #require(throws: UnimplementedAction.self) {
            try await viewModel.search("boots")
        }

        #expect(error.name == "loadPage" && told == ["loadPage"])
        let place = "ProductKitTests/ListActionsTests.swift:\(line)"
        #expect(error.localizedDescription.contains(place))
        #expect(viewModel.lastError?.underlying as? UnimplementedAction == error)
    }

    @Test func `the default wiring reaches the seam, off the main actor`() async throws {
        var actions = CatalogViewModel.Actions(
            loader: ProductLoader(
                baseURL: .api,
                networking: .closure { request in
                    dispatchPrecondition(condition: .notOnQueue(.main))
                    let isFirst = request.url?.query()?.contains("cursor=2") == false
                    return .json(
                        isFirst
                            ? #"{"items": [{"id": 1, "name": "Boots"}, {"id": 2}], "next": "2"}"#
                            : #"{"items": [{"id": 3, "name": "Hat"}]}"#
                    )
                }
            )
        )
        actions.sleep = { _ in }
        let viewModel = CatalogViewModel(actions)

        try await viewModel.search("things")
        try await viewModel.loadNextPage()

        #expect(viewModel.rows.map(\.title) == ["Boots", "Hat"] && !viewModel.hasNextPage)
        #expect(viewModel.rejected.map(\.member) == ["name"])
    }

    @Test func `the default sleep ends when it is cancelled`() async throws {
        let loader = ProductLoader(
            load: { _ in throw Offline() },
            search: { _, _ in .of("boots") }
        )
        let viewModel = CatalogViewModel(CatalogViewModel.Actions(loader: loader))
        viewModel.debounce = .seconds(3_600)
        let search = await started { try await viewModel.search("boots") }

        search.cancel()
        await #expect(throws: CancellationError.self) { try await search.value }

        viewModel.debounce = .zero
        try await viewModel.search("boots")
        #expect(viewModel.ids == ["boots"])
    }

    @Test func `a service's list shares what its screens know`() async throws {
        let service = ProductService(
            loader: ProductLoader(
                load: { _ in .boots },
                search: { _, _ in Page([.boots]) },
                setFavorite: { _, isFavorite in .boots.with { $0.isFavorite = isFavorite } }
            ),
            listManager: ListManager(addProduct: { _, _ in }),
            localUser: .shopper
        )
        let list = service.catalogViewModel()
        try await list.search("")
        let row = try #require(list.rows.first)
        #expect(row.priceText == "€129.00")

        try await service.viewModel(for: row.product).toggleProductFavoriteStatus()

        #expect(row.isFavorite)
        let abroad = service.catalogViewModel(localUser: LocalUser(currency: "USD"))
        #expect(abroad.localUser.currency == "USD")
    }
}
