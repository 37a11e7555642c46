extension Outbox {
    /// The response of the server to a change.
    public struct Confirmation: Hashable, Sendable {
        /// The product after the change; `nil` if the server did not return it.
        public var product: Product?
        /// The list after the change; `nil` if the server did not return it.
        public var list: ProductList?
        /// Whether the server reported, after it had confirmed the change, that the product does not exist.
        var foundNoProduct = false

        /// Creates a confirmation.
        ///
        /// - Parameters:
        ///   - product: The product after the change.
        ///   - list: The list after the change.
        public init(product: Product? = nil, list: ProductList? = nil) {
            self.product = product
            self.list = list
        }
    }
}

extension Outbox.Confirmation {
    /// The confirmation of a change of a product that does not exist any longer.
    ///
    /// The edit is done, and its screens show that the product is gone.
    static var withoutProduct: Outbox.Confirmation {
        var confirmation = Outbox.Confirmation()
        confirmation.foundNoProduct = true
        return confirmation
    }
}
