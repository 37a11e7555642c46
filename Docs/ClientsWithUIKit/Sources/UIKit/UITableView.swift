import Foundation

@MainActor open class UITableView: UIView {
    public enum Style: Int, Sendable {
        case plain
    }

    public weak var dataSource: (any UITableViewDataSource)?
    public weak var delegate: (any UITableViewDelegate)?
    /// The cells of all rows, as if the screen were high enough.
    open private(set) var visibleCells: [UITableViewCell] = []
    /// The number of snapshots that a diffable data source has applied.
    package var snapshots = 0
    private var cellClasses: [String: UITableViewCell.Type] = [:]
    private var reusableCells: [UITableViewCell] = []

    public init(frame: CGRect, style: UITableView.Style) {
        super.init(frame: frame)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
        cellClasses[identifier] = cellClass as? UITableViewCell.Type
    }

    open func dequeueReusableCell(
        withIdentifier identifier: String,
        for indexPath: IndexPath
    ) -> UITableViewCell {
        let index = reusableCells.firstIndex { $0.reuseIdentifier == identifier }
        if let index { return reusableCells.remove(at: index) }
        guard let cellClass = cellClasses[identifier] else {
            preconditionFailure("No class is registered for “\(identifier)”.")
        }
        return cellClass.init(style: .default, reuseIdentifier: identifier)
    }

    open func deselectRow(at indexPath: IndexPath, animated: Bool) {}

    /// Shows other cells, and notifies the delegate of new ones.
    func show(_ cells: [UITableViewCell]) {
        let removed = visibleCells.filter { old in !cells.contains { $0 === old } }
        for cell in removed { cell.removeFromSuperview() }
        reusableCells += removed
        let previous = visibleCells
        visibleCells = cells
        for (index, cell) in cells.enumerated() where !previous.contains(where: { $0 === cell }) {
            addSubview(cell)
            cell.layoutIfNeeded()
            delegate?.tableView(
                self,
                willDisplay: cell,
                forRowAt: IndexPath(row: index, section: 0)
            )
        }
    }
}

@MainActor public protocol UITableViewDataSource: AnyObject {
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    func tableView(
        _ tableView: UITableView,
        cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell
}

@MainActor public protocol UITableViewDelegate: AnyObject {
    func tableView(
        _ tableView: UITableView,
        willDisplay cell: UITableViewCell,
        forRowAt indexPath: IndexPath
    )
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
}

extension IndexPath {
    public var section: Int { self[0] }
    public var row: Int { self[1] }

    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }
}
