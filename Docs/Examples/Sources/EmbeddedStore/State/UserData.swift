import Foundation

/// The favorites and lists of one user.
struct UserData: Sendable {
    /// A list with its encoded form and its position among the user's lists.
    struct ListEntry: Sendable {
        let list: StoreList
        let position: Int
        let document: Document

        init(_ list: StoreList, position: Int) {
            self.list = list
            self.position = position
            document = Document(list)
        }
    }

    /// The lists in the order of their creation.
    private(set) var lists: [ListEntry] = []
    /// The position of each favorite by product.
    ///
    /// Newer favorites have lower positions.
    private(set) var favorites: [String: Int] = [:]

    private var newestFavorite = 0
    private var newestList = 0

    mutating func addFavorite(_ productID: String) {
        guard favorites[productID] == nil else { return }
        newestFavorite -= 1
        favorites[productID] = newestFavorite
    }

    mutating func removeFavorite(_ productID: String) {
        favorites[productID] = nil
    }

    func list(_ id: String) -> ListEntry? {
        lists.first { $0.list.id == id }
    }

    mutating func createList(_ id: String, name: String, products: [String] = [], at now: Date) {
        newestList += 1
        let list = StoreList(id: id, name: name, products: products, updatedAt: now)
        lists.append(ListEntry(list, position: newestList))
    }

    mutating func deleteList(_ id: String) {
        lists.removeAll { $0.list.id == id }
    }

    /// Changes a list.
    ///
    /// It does nothing if the list is missing or the change has no effect.
    ///
    /// The time of the change advances by at least two milliseconds. The encoded form rounds it to
    /// milliseconds, and two versions of a list must differ.
    mutating func changeList(_ id: String, at now: Date, _ change: (inout StoreList) -> Void) {
        guard let index = lists.firstIndex(where: { $0.list.id == id }) else { return }
        let entry = lists[index]
        var list = entry.list
        change(&list)
        guard list != entry.list else { return }
        list.updatedAt = max(now, entry.list.updatedAt.addingTimeInterval(0.002))
        lists[index] = ListEntry(list, position: entry.position)
    }
}
