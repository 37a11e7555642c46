/// The lists that a ``ListMembershipViewModel`` displays.
///
/// A response with all lists replaces those displayed. It is dropped if the response to a later
/// request has been applied. If a single list was created, or found not to exist, after the request
/// for all lists had started, this change is applied on top of the response. Edits that wait in an
/// outbox are not part of this value: they are added when it is read.
struct DisplayedLists {
    /// The lists in the backend's order, followed by those created on this screen.
    private(set) var lists: [ProductList] = []

    /// When the request started whose response was applied last.
    private var timestamp = LogicalTimestamp.distantPast
    /// A change of a single list.
    enum Change {
        /// The list is this one; `nil` if it no longer exists.
        case list(ProductList?)
        /// The list, which need not be displayed, has this name.
        case name(String)
        /// The list was saved in no outbox of the store, and the server has not confirmed it.
        case saved(ProductList)
    }

    /// The latest change of each single list.
    private var changes: [ProductList.ID: (timestamp: LogicalTimestamp, change: Change)] = [:]

    /// Creates a value that displays lists until something newer is known.
    init(_ lists: [ProductList] = []) {
        self.lists = lists
    }

    /// Whether the response to this request or to a later one has been applied.
    func hasApplied(responseTo timestamp: LogicalTimestamp) -> Bool {
        self.timestamp >= timestamp
    }

    /// Applies all of the user's lists, unless the response to a later request has been applied.
    ///
    /// Lists from a cache are displayed only until the first response of the server.
    ///
    /// - Returns: Whether the lists are displayed.
    mutating func apply(
        _ page: Page<ProductList>,
        requestedAt timestamp: LogicalTimestamp
    ) -> Bool {
        guard !hasApplied(responseTo: timestamp) else { return false }
        if page.source.isFromServer {
            self.timestamp = timestamp
            changes = changes.filter { $0.value.timestamp > timestamp }
        } else if self.timestamp != .distantPast {
            return false
        }
        var seen: Set<ProductList.ID> = []
        lists = page.items.filter { seen.insert($0.id).inserted }
        for (id, value) in changes.sorted(by: { $0.value.timestamp < $1.value.timestamp }) {
            apply(value.change, forListWithID: id)
        }
        return true
    }

    /// Applies a change of a single list, which stays until the response to a later request.
    mutating func apply(
        _ change: Change,
        forListWithID id: ProductList.ID,
        at timestamp: LogicalTimestamp
    ) {
        var change = change
        if case .name(let name) = change, case .list(var list) = changes[id]?.change {
            list?.name = name
            change = .list(list)
        }
        changes[id] = (timestamp, change)
        apply(change, forListWithID: id)
    }

    /// The identifiers of the lists that were saved in no outbox of the store.
    var savedIDs: Set<ProductList.ID> {
        Set(
            changes.compactMap { id, value in
                if case .saved = value.change { id } else { nil }
            }
        )
    }

    /// Returns the lists with edits that wait in the outbox, in the order of saving.
    func lists(with edits: [Outbox.Edit]) -> [ProductList] {
        guard !edits.isEmpty else { return lists }
        var copy = self
        for edit in edits {
            switch edit {
            case .createList(let id, let name):
                // The server may have created it already, if the response was lost.
                guard !copy.lists.contains(where: { $0.id == id }) else { continue }
                copy.replaceList(withID: id, by: ProductList(id: id, name: name))
            case .renameList(let id, let name): copy.apply(.name(name), forListWithID: id)
            case .deleteList(let id): copy.replaceList(withID: id, by: nil)
            case .setFavorite, .addProduct, .removeProduct: break
            }
        }
        return copy.lists
    }

    private mutating func apply(_ change: Change, forListWithID id: ProductList.ID) {
        switch change {
        case .list(let list): replaceList(withID: id, by: list)
        case .saved(let list): replaceList(withID: id, by: list)
        case .name(let name):
            guard let index = lists.firstIndex(where: { $0.id == id }) else { return }
            lists[index].name = name
        }
    }

    private mutating func replaceList(withID id: ProductList.ID, by list: ProductList?) {
        let index = lists.firstIndex { $0.id == id }
        switch (list, index) {
        case (let list?, let index?): lists[index] = list
        case (let list?, nil): lists.append(list)
        case (nil, let index?): lists.remove(at: index)
        case (nil, nil): break
        }
    }
}
