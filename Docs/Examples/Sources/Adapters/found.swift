import ProductKit

/// Loads a product, and throws the library's error in whichever way a backend says that it has none.
///
/// - Parameters:
///   - id: The product's identity.
///   - load: Loads it; `nil` when there is none.
/// - Returns: The product.
/// - Throws: `ProductError.notFound`, or what `load` throws about anything else.
func found(_ id: Product.ID, _ load: () async throws -> Product?) async throws -> Product {
    do {
        if let product = try await load() { return product }
    } catch let error as NetworkError where error.code == .notFound {}
    throw ProductError.notFound(id)
}
