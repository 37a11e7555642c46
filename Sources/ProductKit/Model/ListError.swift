public import Foundation

/// What can be wrong with a list of products, whatever the backend.
public enum ListError: LocalizedError, Hashable {
    /// There is no such list, or no longer.
    case notFound(ProductList.ID)
    /// Somebody else changed the list since it was read; `current` is what it is now.
    case changed(current: ProductList)

    /// One sentence for a person.
    public var errorDescription: String? {
        switch self {
        case .notFound(let id):
            "There is no list “\(id)”; it may have been deleted."
        case .changed(let current):
            "The list “\(current.name)” was changed meanwhile; look at it again before you change it."
        }
    }
}
