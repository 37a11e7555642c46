public import Foundation

extension ListLines {
    /// One line of a list.
    public struct Line: Identifiable, Hashable, Sendable {
        /// The identity of the line, which is not that of the product.
        public var id: Identifier<Line>
        /// The product on it.
        public var product: Product.ID

        /// Creates a line.
        public init(id: Identifier<Line>, product: Product.ID) {
            self.id = id
            self.product = product
        }
    }

    /// A list as it was read, with its lines.
    public struct Contents: Hashable, Sendable {
        /// The list, with the version that a write names.
        public let list: ProductList
        /// The lines, in the user's order.
        public let lines: [Line]

        /// Creates contents; the list's products are those of the lines, each once.
        public init(
            id: ProductList.ID,
            name: String,
            lines: [Line],
            updatedAt: Date? = nil,
            version: String? = nil
        ) {
            var products: [Product.ID] = []
            for line in lines where !products.contains(line.product) {
                products.append(line.product)
            }
            list = ProductList(
                id: id,
                name: name,
                products: products,
                updatedAt: updatedAt,
                version: version
            )
            self.lines = lines
        }
    }
}
