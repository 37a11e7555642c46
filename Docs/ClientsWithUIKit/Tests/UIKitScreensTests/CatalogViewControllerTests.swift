import Observation
import ProductKit
import Testing
import UIKit
import UIKitScreens

/// The catalog screen of the documentation, through its interface in UIKit.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) final class CatalogViewControllerTests {
    private var requests: [String] = []
    private let service = ProductService.inMemory(products: [.boots, .sandals, .socks])

    @Test func `the products are listed when the view has loaded`() async throws {
        let screen = screen { _, _ in Page([.boots, .sandals]) }
        #expect(requests.isEmpty)

        screen.loadViewIfNeeded()

        #expect(await eventually { screen.titles == ["Walking Boots", "Sandals"] })
        #expect(requests == [" from the start"])
    }

    @Test func `a row near the end loads the next page and keeps the cells`() async throws {
        let (pages, respond) = AsyncStream.makeStream(of: Page<Product>.self)
        let screen = screen { _, cursor in
            guard cursor != nil else { return Page([.boots], next: "2") }
            for await page in pages { return page }
            throw CancellationError()
        }
        screen.loadViewIfNeeded()
        #expect(await eventually { screen.titles == ["Walking Boots"] })
        let boots = try #require(screen.tableView.visibleCells.first)

        respond.yield(Page([.sandals]))
        #expect(await eventually { screen.titles == ["Walking Boots", "Sandals"] })

        #expect(screen.tableView.visibleCells.first === boots)
        #expect(requests == [" from the start", " from 2"])
    }

    @Test func `a search shows the products that match`() async throws {
        let screen = screen { query, _ in
            Page(query.text.isEmpty ? [.boots, .sandals] : [.sandals, .socks])
        }
        screen.loadViewIfNeeded()
        #expect(await eventually { screen.titles == ["Walking Boots", "Sandals"] })
        let sandals = try #require(screen.tableView.visibleCells.last)
        let search = try #require(screen.navigationItem.searchController)

        search.type("s")

        #expect(await eventually { screen.titles == ["Sandals", "Socks"] })
        #expect(screen.tableView.visibleCells.first === sandals)
    }

    @Test func `typing cancels the search for the text before`() async throws {
        let cancellations = Cancellations()
        let screen = screen(sleep: { _ in try await cancellations.wait() }) { _, _ in
            Page([.boots])
        }
        screen.loadViewIfNeeded()
        #expect(await eventually { screen.titles == ["Walking Boots"] })
        let search = try #require(screen.navigationItem.searchController)

        search.type("s")
        await runTasks()
        #expect(cancellations.count == 0)
        search.type("")

        #expect(await eventually { cancellations.count == 1 })
        #expect(screen.titles == ["Walking Boots"])
    }

    @Test func `an edit updates one cell and applies no snapshot`() async throws {
        let catalog = service.catalogViewModel()
        let screen = Screens.catalog(catalog, service: service)
        screen.loadViewIfNeeded()
        #expect(await eventually { screen.titles == ["Walking Boots", "Sandals", "Socks"] })
        await runTasks()
        let cells = screen.tableView.visibleCells
        let (snapshots, updates) = (screen.tableView.snapshots, cells.map(\.updates))

        try await service.viewModel(for: .sandals).toggleProductFavoriteStatus()
        await runTasks()
        screen.view.layoutIfNeeded()

        #expect(screen.details == [nil, "★", nil])
        #expect(screen.tableView.visibleCells.elementsEqual(cells, by: ===))
        #expect(cells.map(\.updates) == [updates[0], updates[1] + 1, updates[2]])
        #expect(screen.tableView.snapshots == snapshots)
    }

    @Test func `a cell that is used again shows its new row`() async throws {
        let pages = ["a": Page([Product.sandals]), "b": Page([Product.socks])]
        let screen = screen { query, _ in pages[query.text] ?? Page([.boots]) }
        screen.loadViewIfNeeded()
        #expect(await eventually { screen.titles == ["Walking Boots"] })
        let cell = try #require(screen.tableView.visibleCells.first)
        let search = try #require(screen.navigationItem.searchController)

        search.type("a")
        #expect(await eventually { screen.titles == ["Sandals"] })
        search.type("b")
        #expect(await eventually { screen.titles == ["Socks"] })

        #expect(screen.tableView.visibleCells.first === cell)
        #expect(cell.updates == 2)
    }

    @Test func `pulling down reloads the products`() async throws {
        let screen = screen { [self] _, _ in
            Page(requests.count == 1 ? [.boots, .sandals] : [.socks, .boots])
        }
        screen.loadViewIfNeeded()
        #expect(await eventually { screen.titles == ["Walking Boots", "Sandals"] })
        let boots = try #require(screen.tableView.visibleCells.first)
        let control = try #require(screen.refreshControl)

        control.beginRefreshing()
        control.sendActions(for: .valueChanged)

        #expect(await eventually { screen.titles == ["Socks", "Walking Boots"] })
        #expect(screen.tableView.visibleCells.last === boots)
        #expect(await eventually { !control.isRefreshing })
    }

    @Test func `a row opens the screen of its product, which shares its state`() async throws {
        let screen = Screens.catalog(service.catalogViewModel(), service: service)
        let navigation = UINavigationController(rootViewController: screen)
        #expect(await eventually { screen.titles == ["Walking Boots", "Sandals", "Socks"] })

        screen.tableView(screen.tableView, didSelectRowAt: IndexPath(row: 1, section: 0))
        #expect(navigation.topViewController?.title == "Sandals")
        navigation.topViewController?.navigationItem.rightBarButtonItem?.tap()

        #expect(await eventually { screen.details == [nil, "★", nil] })
    }

    @Test func `a closed screen is released and stops its search`() async throws {
        let cancellations = Cancellations()
        let catalog = CatalogViewModel(
            localUser: .sample,
            actions: .only(
                loadPage: { _, _ in
                    try await cancellations.wait()
                    return Page([])
                }
            )
        )
        var screen: UITableViewController? = Screens.catalog(catalog, service: service)
        weak let closed = screen
        screen?.loadViewIfNeeded()
        await runTasks()
        #expect(catalog.phase == .loading)

        screen = nil

        #expect(closed == nil)
        #expect(await eventually { cancellations.count == 1 })
        #expect(await eventually { catalog.phase == .idle })
    }

    @Test func `a closed screen does not observe its catalog`() async throws {
        let catalog = service.catalogViewModel()
        var screen: UITableViewController? = Screens.catalog(catalog, service: service)
        weak let closed = screen
        let table = try #require(screen?.tableView)
        catalog.debounce = .zero
        #expect(await eventually { screen?.titles.count == 3 })
        await runTasks()
        let snapshots = table.snapshots

        screen = nil
        #expect(await eventually { closed == nil })
        try await catalog.search("socks")
        await runTasks()

        #expect(catalog.rows.map(\.title) == ["Socks"])
        #expect(table.snapshots == snapshots)
    }

    private func screen(
        sleep: @escaping AsyncAction<Duration> = { _ in },
        loadPage: @escaping PageLoading
    ) -> UITableViewController {
        let catalog = CatalogViewModel(
            localUser: .sample,
            actions: .only(
                loadPage: { [self] query, cursor in
                    requests.append("\(query.text) from \(cursor?.rawValue ?? "the start")")
                    return try await loadPage(query, cursor)
                },
                sleep: sleep
            )
        )
        return Screens.catalog(catalog, service: service)
    }
}

extension UITableViewController {
    /// The first lines of the visible cells.
    fileprivate var titles: [String?] { contents.map(\.text) }

    /// The second lines of the visible cells.
    fileprivate var details: [String?] { contents.map(\.secondaryText) }

    /// The contents of the visible cells after a layout pass.
    private var contents: [UIListContentConfiguration] {
        tableView.layoutIfNeeded()
        return tableView.visibleCells.compactMap {
            $0.contentConfiguration as? UIListContentConfiguration
        }
    }
}
