public import Foundation

/// An error about a product.
public enum ProductError: LocalizedError, Hashable {
    /// The product does not exist, or has been removed.
    case notFound(Product.ID)
    /// The backend returned another product than the requested one.
    case wrongProduct(expected: Product.ID, received: Product.ID)

    /// The problem in two sentences that can be shown to the user.
    public var errorDescription: String? {
        switch self {
        case .notFound: "This product is not in the shop. Choose another one."
        case .wrongProduct: "The shop returned another product. Try again later."
        }
    }
}

/// An error about a list of products.
public enum ListError: LocalizedError, Hashable {
    /// The list does not exist, or has been deleted.
    case notFound(ProductList.ID)
    /// The list was changed, for example on another device, after it was loaded.
    ///
    /// `current` is the list after that change.
    case changed(current: ProductList)
    /// The app uses the name for a list of its own, such as that of the favorites; nothing was sent.
    ///
    /// See ``ListManager/hidingLists(named:)``.
    case reservedName(String)

    /// The problem in two sentences that can be shown to the user.
    public var errorDescription: String? {
        switch self {
        case .notFound: "This list does not exist. Refresh your lists, and choose another one."
        case .changed(let current):
            "The list “\(current.name)” was changed in the meantime. Check it, then try again."
        case .reservedName(let name):
            "The name “\(name)” is reserved for the app. Choose another name for the list."
        }
    }
}

/// An operation that the backend does not support, such as search.
///
/// A screen can hide the button for the operation.
public struct UnsupportedOperation: LocalizedError, Hashable {
    /// The name of the operation, such as `search`.
    package let name: String

    /// Creates an error for an operation.
    ///
    /// - Parameter name: The name of the operation, such as the argument label of the missing closure.
    public init(_ name: String) {
        self.name = name
    }

    /// The problem in two sentences that can be shown to the user.
    public var errorDescription: String? {
        "This shop does not offer this function. You can continue without it."
    }
}

extension ProductError: CustomDebugStringConvertible, DeveloperTextProviding {
    /// The case with the identifiers, and what to do, for developers.
    public var debugDescription: String {
        switch self {
        case .notFound(let id):
            "ProductError.notFound: “\(id)”. Check the identifier if the shop has this product."
        case .wrongProduct(let expected, let received):
            "ProductError.wrongProduct: “\(received)” instead of “\(expected)”. Use one identifier of a "
                + "product everywhere; see the article “Your backend”."
        }
    }
}

extension ListError: CustomDebugStringConvertible, DeveloperTextProviding {
    /// The case with the identifier or the name, and what to do, for developers.
    public var debugDescription: String {
        switch self {
        case .notFound(let id):
            "ListError.notFound: “\(id)”. Load the lists again: another device may have deleted it."
        case .changed(let current):
            "ListError.changed: “\(current.id)”. Continue with current, which is the list on the server."
        case .reservedName(let name):
            "ListError.reservedName: “\(name)”. Use another name: "
                + "favoritesList: or hidingLists(named:) hides lists with this one."
        }
    }
}

extension UnsupportedOperation: CustomDebugStringConvertible, DeveloperTextProviding {
    /// The name of the operation, for developers.
    public var debugDescription: String {
        "UnsupportedOperation: “\(name)”. Hide the button, or provide it if the backend can do it."
    }
}
