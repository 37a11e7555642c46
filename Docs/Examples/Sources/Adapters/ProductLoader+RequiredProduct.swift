import ProductKit

extension ProductLoader {
    /// Loads a product and throws `ProductError.notFound` if the backend does not have it.
    ///
    /// Some backends return status 404 for a missing product, others return a null value.
    ///
    /// - Parameters:
    ///   - id: The product's identifier.
    ///   - load: A closure that loads the product and returns `nil` if there is none.
    /// - Returns: The product.
    /// - Throws: `ProductError.notFound`, or any other error of `load`.
    static func requiredProduct(
        withID id: Product.ID,
        load: () async throws -> Product?
    ) async throws -> Product {
        do {
            if let product = try await load() { return product }
        } catch let error as NetworkError where error.code == .notFound {}
        throw ProductError.notFound(id)
    }
}
