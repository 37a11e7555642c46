import ProductKit

extension Outbox.Edit {
    /// The edit in words, such as “add enamel-mug to the favorites”.
    var text: String {
        switch self {
        case .setFavorite(let id, true): "add \(id) to the favorites"
        case .setFavorite(let id, false): "remove \(id) from the favorites"
        case .addProduct(let id, let list): "add \(id) to the list \(list)"
        case .removeProduct(let id, let list): "remove \(id) from the list \(list)"
        case .createList(let id, let name): "create the list “\(name)” (\(id))"
        case .renameList(let id, let name): "rename the list \(id) to “\(name)”"
        case .deleteList(let id): "delete the list \(id)"
        }
    }
}

extension Outbox.Change {
    /// The text beside a change that the store has not received yet.
    static let mark = "(not sent)"

    /// The identifier, the time of saving and the edit, on one line.
    var text: String { "\(id)  \(savedAt.clockText)  \(edit.text)" }
}

/// A list with the changes that the store has not received yet.
struct ListWithChanges {
    fileprivate(set) var list: ProductList
    /// Whether it differs from the list in the store.
    fileprivate(set) var isUnsent = false
}

extension [ProductList] {
    /// Returns the lists with saved changes.
    ///
    /// - Parameter changes: The changes, in the order of saving.
    /// - Returns: The lists that the user should see.
    func applying(_ changes: [Outbox.Change]) -> [ListWithChanges] {
        var lists = map { ListWithChanges(list: $0) }
        for change in changes {
            switch change.edit {
            case .setFavorite: break
            case .createList(let id, let name):
                guard !lists.contains(where: { $0.list.id == id }) else { break }
                lists.append(ListWithChanges(list: ProductList(id: id, name: name), isUnsent: true))
            case .renameList(let id, let name): lists.change(id) { $0.name = name }
            case .deleteList(let id): lists.removeAll { $0.list.id == id }
            case .addProduct(let product, let id):
                lists.change(id) { list in
                    if !list.products.contains(product) { list.products.append(product) }
                }
            case .removeProduct(let product, let id):
                lists.change(id) { $0.products.removeAll { $0 == product } }
            }
        }
        return lists
    }
}

extension [ListWithChanges] {
    fileprivate mutating func change(
        _ id: ProductList.ID,
        _ change: (inout ProductList) -> Void
    ) {
        guard let index = firstIndex(where: { $0.list.id == id }) else { return }
        let list = self[index].list
        change(&self[index].list)
        if self[index].list != list { self[index].isUnsent = true }
    }
}
