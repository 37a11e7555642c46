import Observation
import ProductKit
import UIKit

final class CatalogViewController: UITableViewController {
    private let catalog: CatalogViewModel
    private let service: ProductService
    private var typing: Task<Void, Never>?
    private lazy var dataSource = UITableViewDiffableDataSource<Int, ProductRow>(
        tableView: tableView
    ) { tableView, indexPath, row in
        let cell = tableView.dequeueReusableCell(withIdentifier: "product", for: indexPath)
        (cell as? ProductCell)?.row = row
        return cell
    }

    init(catalog: CatalogViewModel, service: ProductService) {
        self.catalog = catalog
        self.service = service
        super.init(style: .plain)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    deinit {
        typing?.cancel()
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(ProductCell.self, forCellReuseIdentifier: "product")
        navigationItem.searchController = UISearchController(searchResultsController: nil)
        navigationItem.searchController?.searchResultsUpdater = self
        refreshControl = UIRefreshControl()
        refreshControl?.addAction(
            UIAction { [weak self] _ in self?.refresh() },
            for: .valueChanged
        )
        showRows()
        search("")
    }

    private func showRows() {
        let rows = withObservationTracking {
            catalog.rows
        } onChange: { [weak self] in
            // The property still has its old value here, and the new one when the task runs.
            Task { @MainActor in self?.showRows() }
        }
        var snapshot = NSDiffableDataSourceSnapshot<Int, ProductRow>()
        snapshot.appendSections([0])
        snapshot.appendItems(rows)
        dataSource.apply(snapshot, animatingDifferences: view.window != nil)
    }

    private func search(_ text: String) {
        typing?.cancel()
        typing = Task { [catalog] in try? await catalog.search(text) }
    }

    private func refresh() {
        Task { [catalog, weak refreshControl] in
            try? await catalog.refresh()
            refreshControl?.endRefreshing()
        }
    }

    override func tableView(
        _ tableView: UITableView,
        willDisplay cell: UITableViewCell,
        forRowAt indexPath: IndexPath
    ) {
        guard let row = dataSource.itemIdentifier(for: indexPath) else { return }
        Task { [catalog] in try? await catalog.loadNextPage(ifNearEnd: row) }
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        guard let row = dataSource.itemIdentifier(for: indexPath) else { return }
        let screen = ProductViewController(product: row.product, service: service)
        navigationController?.pushViewController(screen, animated: true)
    }
}

extension CatalogViewController: UISearchResultsUpdating {
    func updateSearchResults(for searchController: UISearchController) {
        search(searchController.searchBar.text ?? "")
    }
}
