public import Foundation

/// What can be wrong with a product, whatever the backend.
public enum ProductError: LocalizedError, Hashable {
    /// There is no such product, or no longer.
    case notFound(Product.ID)
    /// The backend answered with another product than the one asked for.
    case wrongProduct(expected: Product.ID, received: Product.ID)

    /// One sentence for a person.
    public var errorDescription: String? {
        switch self {
        case .notFound(let id):
            "There is no product “\(id)”; it may have been removed from the shop."
        case .wrongProduct(let expected, let received):
            "The shop answered with product “\(received)” instead of “\(expected)”; nothing was changed."
        }
    }
}

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

/// A backend cannot do what was asked of it, so a screen may hide the button.
public struct UnsupportedOperation: LocalizedError, Hashable {
    /// What was asked for, such as `search`.
    public let name: String

    /// Creates the error for an operation.
    ///
    /// - Parameter name: What was asked for, as the closure's label says it.
    public init(_ name: String) {
        self.name = name
    }

    /// One sentence for a person.
    public var errorDescription: String? {
        "This shop does not offer “\(name)”; go on without it."
    }
}
