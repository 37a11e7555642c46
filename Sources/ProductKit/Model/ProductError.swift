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
