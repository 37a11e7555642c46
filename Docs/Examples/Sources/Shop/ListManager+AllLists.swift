import ProductKit

extension ListManager {
    /// All of the user's lists, page after page.
    func allLists() async throws -> [ProductList] {
        var page = try await lists()
        var all = page.items
        var seen: Set<PageCursor> = []
        while let next = page.next, seen.insert(next).inserted {
            page = try await lists(after: next)
            all += page.items
        }
        return all
    }
}
