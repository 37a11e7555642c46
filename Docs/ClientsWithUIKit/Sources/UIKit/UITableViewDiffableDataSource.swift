import Foundation

public struct NSDiffableDataSourceSnapshot<
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
>: Sendable {
    public private(set) var sectionIdentifiers: [SectionIdentifierType] = []
    public private(set) var itemIdentifiers: [ItemIdentifierType] = []

    public init() {}

    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
        sectionIdentifiers += identifiers
    }

    // UIKit stops the app in these cases as well.
    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType],
        toSection sectionIdentifier: SectionIdentifierType? = nil
    ) {
        precondition(!sectionIdentifiers.isEmpty, "The snapshot has no section.")
        itemIdentifiers += identifiers
        let isUnique = Set(itemIdentifiers).count == itemIdentifiers.count
        precondition(isUnique, "The identifiers are not unique.")
    }
}

/// A data source of one section.
@MainActor @preconcurrency
open class UITableViewDiffableDataSource<
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
>: UITableViewDataSource {
    public typealias CellProvider = (
        _ tableView: UITableView,
        _ indexPath: IndexPath,
        _ itemIdentifier: ItemIdentifierType
    ) -> UITableViewCell?
    public typealias Snapshot = NSDiffableDataSourceSnapshot<
        SectionIdentifierType, ItemIdentifierType
    >

    private weak var tableView: UITableView?
    private let cellProvider: CellProvider
    private var current = Snapshot()

    // The table view does not keep its data source alive.
    public init(tableView: UITableView, cellProvider: @escaping CellProvider) {
        self.tableView = tableView
        self.cellProvider = cellProvider
        tableView.dataSource = self
    }

    @preconcurrency open func apply(
        _ snapshot: Snapshot,
        animatingDifferences: Bool = true,
        completion: (() -> Void)? = nil
    ) {
        guard let tableView else { return }
        let cells = Dictionary(
            uniqueKeysWithValues: zip(current.itemIdentifiers, tableView.visibleCells)
        )
        current = snapshot
        tableView.snapshots += 1
        tableView.show(
            snapshot.itemIdentifiers.enumerated().map { index, item in
                cells[item]
                    ?? self.tableView(
                        tableView,
                        cellForRowAt: IndexPath(row: index, section: 0)
                    )
            }
        )
        completion?()
    }

    open func apply(_ snapshot: Snapshot, animatingDifferences: Bool = true) async {
        apply(snapshot, animatingDifferences: animatingDifferences, completion: nil)
    }

    open func snapshot() -> Snapshot { current }

    open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? {
        let items = current.itemIdentifiers
        return items.indices.contains(indexPath.row) ? items[indexPath.row] : nil
    }

    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        current.itemIdentifiers.count
    }

    open func tableView(
        _ tableView: UITableView,
        cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
        let item = current.itemIdentifiers[indexPath.row]
        guard let cell = cellProvider(tableView, indexPath, item) else {
            preconditionFailure("The cell provider returned nil.")
        }
        return cell
    }
}
