import Foundation

/// What belongs to one shopper: favorites and lists.
struct Shelf: Sendable {
    /// A list with its encoded form and its place among the shopper's lists.
    struct ListCard: Sendable {
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
    private(set) var lists: [ListCard] = []
    /// The place of each favorite, by product; places fall with time: ascending is newest first.
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

    func list(_ id: String) -> ListCard? {
        lists.first { $0.list.id == id }
    }

    mutating func createList(_ id: String, name: String, products: [String] = [], at now: Date) {
        newestList += 1
        let list = StoreList(id: id, name: name, products: products, updatedAt: now)
        lists.append(ListCard(list, position: newestList))
    }

    mutating func deleteList(_ id: String) {
        lists.removeAll { $0.list.id == id }
    }

    /// Changes a list; one that is missing, or that the change leaves as it is, stays untouched.
    ///
    /// The time always moves forward by more than the millisecond that it is rounded to on the
    /// wire, so that two versions of a list never look the same.
    mutating func changeList(_ id: String, at now: Date, _ change: (inout StoreList) -> Void) {
        guard let index = lists.firstIndex(where: { $0.list.id == id }) else { return }
        let card = lists[index]
        var list = card.list
        change(&list)
        guard list != card.list else { return }
        list.updatedAt = max(now, card.list.updatedAt.addingTimeInterval(0.002))
        lists[index] = ListCard(list, position: card.position)
    }
}
