import ProductKit

extension ListManager {
    /// All of the user's lists, or none where nobody can ask for them.
    func allListsIfSupported() async throws -> [ProductList] {
        do {
            return try await allLists().items
        } catch is UnsupportedOperation {
            return []
        }
    }
}
