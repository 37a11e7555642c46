import Foundation
import ProductKit
import Testing

/// The actions of `CatalogViewModel`: inline closures, missing ones and those of a live loader.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CatalogActionsTests {
    @Test func `an action runs in the caller's task on the main actor`() async throws {
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

    @Test func `an action that is not provided throws its name and the line that left it out`()
        async throws
    {
        var reported: [String] = []
        let line: UInt = #line + 1
        let viewModel = CatalogViewModel(.only(otherwise: { reported.append($0.name) }))

        let error = try await #require(throws: UnimplementedAction.self) {
            try await viewModel.search("boots")
        }

        #expect(error.name == "loadPage" && reported == ["loadPage"])
        let location = "ProductKitTests/CatalogActionsTests.swift:\(line)"
        #expect(error.localizedDescription.contains(location))
        #expect(viewModel.lastError?.underlying as? UnimplementedAction == error)
    }

    @Test func `a search throws if the loader has no closure for it, until one is set`()
        async throws
    {
        let loader = ProductLoader(load: { _ in .boots })
        var actions = CatalogViewModel.Actions(loader: loader)
        let viewModel = CatalogViewModel(actions)
        await #expect(throws: UnsupportedOperation("search")) { try await viewModel.search("") }

        actions.loadPage = { _, _ in .of("boots") }
        let replaced = CatalogViewModel(actions)
        try await replaced.search("")

        #expect(replaced.ids == ["boots"])
    }

    @Test func `the live actions call the networking closure off the main actor`() async throws {
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

    @Test func `the live sleep ends when its task is cancelled`() async throws {
        let loader = ProductLoader(load: { _ in .boots }, search: { _, _ in .of("boots") })
        let viewModel = CatalogViewModel(CatalogViewModel.Actions(loader: loader))
        viewModel.debounce = .seconds(3_600)
        let search = await started { try await viewModel.search("boots") }

        search.cancel()
        await #expect(throws: CancellationError.self) { try await search.value }

        viewModel.debounce = .zero
        try await viewModel.search("boots")
        #expect(viewModel.ids == ["boots"])
    }

    @Test func `a catalog and a product screen of one service share the favorite status`()
        async throws
    {
        let service = ProductService(
            loader: ProductLoader(
                load: { _ in .boots },
                search: { _, _ in Page([.boots]) },
                setFavorite: { _, isFavorite in .boots.with { $0.isFavorite = isFavorite } }
            ),
            listManager: ListManager(addProduct: { _, _ in }),
            localUser: .shopper
        )
        let catalog = service.catalogViewModel()
        try await catalog.search("")
        let row = try #require(catalog.rows.first)
        #expect(row.priceText == "€129.00")

        try await service.viewModel(for: row.product).toggleProductFavoriteStatus()

        #expect(row.isFavorite)
        let dollarCatalog = service.catalogViewModel(localUser: LocalUser(currency: "USD"))
        #expect(dollarCatalog.localUser.currency == "USD")
    }
}
