/// The lists that a ``ListMembershipViewModel`` displays.
///
/// A response with all lists replaces those displayed. It is dropped if the response to a later
/// request has been applied. If a single list was created, or found not to exist, after the request
/// for all lists had started, this change is applied on top of the response.
struct DisplayedLists {
    /// The lists in the backend's order, followed by those created on this screen.
    private(set) var lists: [ProductList] = []

    /// When the request started whose response was applied last; `nil` before the first response.
    private var timestamp: LogicalTimestamp?
    /// The latest change of each single list: the list, or `nil` if it no longer exists.
    private var changes: [ProductList.ID: (timestamp: LogicalTimestamp, list: ProductList?)] = [:]

    /// Creates a value that displays lists until something newer is known.
    init(_ lists: [ProductList] = []) {
        self.lists = lists
    }

    /// Whether the response to this request or to a later one has been applied.
    func hasApplied(responseTo timestamp: LogicalTimestamp) -> Bool {
        self.timestamp.map { $0 >= timestamp } ?? false
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
        } else if self.timestamp != nil {
            return false
        }
        var seen: Set<ProductList.ID> = []
        lists = page.items.filter { seen.insert($0.id).inserted }
        for (id, change) in changes.sorted(by: { $0.value.timestamp < $1.value.timestamp }) {
            replaceList(withID: id, by: change.list)
        }
        return true
    }

    /// Applies the current state of a single list, `nil` if it does not exist.
    mutating func apply(
        _ list: ProductList?,
        forListWithID id: ProductList.ID,
        at timestamp: LogicalTimestamp
    ) {
        changes[id] = (timestamp, list)
        replaceList(withID: id, by: list)
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
