import Foundation

@MainActor open class UIViewController: UIResponder {
    open var title: String?
    public let navigationItem = UINavigationItem()
    public fileprivate(set) weak var navigationController: UINavigationController?
    private var loadedView: UIView?

    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init()
    }

    public required init?(coder: NSCoder) {
        super.init()
    }

    open var view: UIView! {
        get {
            if loadedView == nil {
                loadView()
                viewDidLoad()
            }
            return loadedView
        }
        set { loadedView = newValue }
    }

    open func loadView() {
        loadedView = UIView()
    }

    open func viewDidLoad() {}

    public func loadViewIfNeeded() {
        _ = view
    }
}

@MainActor public final class UINavigationItem {
    public var searchController: UISearchController?
    public var rightBarButtonItem: UIBarButtonItem?
    public var titleView: UIView?
}

@MainActor open class UINavigationController: UIViewController {
    public private(set) var viewControllers: [UIViewController] = []

    public var topViewController: UIViewController? { viewControllers.last }

    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        pushViewController(rootViewController, animated: false)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        viewController.navigationController = self
        viewController.loadViewIfNeeded()
        viewControllers.append(viewController)
    }

    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        viewControllers.popLast()
    }
}

@MainActor open class UISearchController: UIViewController {
    public let searchBar = UISearchBar()
    public weak var searchResultsUpdater: (any UISearchResultsUpdating)?

    public init(searchResultsController: UIViewController?) {
        super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Does the same as typing a text into the search bar.
    package func type(_ text: String) {
        searchBar.text = text
        searchResultsUpdater?.updateSearchResults(for: self)
    }
}

@MainActor public protocol UISearchResultsUpdating: AnyObject {
    func updateSearchResults(for searchController: UISearchController)
}

@MainActor
open class UITableViewController: UIViewController, UITableViewDataSource,
    UITableViewDelegate
{
    open var refreshControl: UIRefreshControl?
    open var tableView: UITableView! { view as? UITableView }

    public init(style: UITableView.Style) {
        super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    open override func loadView() {
        let table = UITableView(frame: .zero, style: .plain)
        view = table
        table.dataSource = self
        table.delegate = self
    }

    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }

    open func tableView(
        _ tableView: UITableView,
        cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
        UITableViewCell(style: .default, reuseIdentifier: nil)
    }

    open func tableView(
        _ tableView: UITableView,
        willDisplay cell: UITableViewCell,
        forRowAt indexPath: IndexPath
    ) {}

    open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
}
