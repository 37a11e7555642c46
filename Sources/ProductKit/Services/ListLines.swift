public import Foundation

/// The writes of a backend whose lists hold lines, each with an identity of its own.
///
/// Such a backend adds a second line when a product is added twice, and removes a line only by its
/// identity. This looks first, and writes only what is missing:
///
/// ```swift
/// let lines = ListLines(
///     read: { list in try await shop.contents(of: list) },
///     add: { product, contents in try await shop.addLine(product, to: contents) },
///     remove: { lines, contents in try await shop.remove(lines, from: contents) }
/// )
/// let lists = ListManager(
///     addProduct: lines.add,
///     removeProduct: lines.remove,
///     list: lines.list
/// )
/// ```
///
/// When the backend says that the list has changed meanwhile, a ``NetworkError`` with code
/// ``NetworkError/Code-swift.struct/conflict``, it is read again and tried again. A backend that has
/// no versions cannot say so: then two devices that add a product at the same moment may make two
/// lines, which a removal takes away together.
public struct ListLines: Sendable {
    /// How often a change is tried when others change the list at the same time, at least once.
    public var attempts = 3

    private let read: @Sendable (ProductList.ID) async throws -> Contents
    private let addLine: @Sendable (Product.ID, Contents) async throws -> Void
    private let removeLines: @Sendable ([Line.ID], Contents) async throws -> Void

    /// Creates the writes from closures.
    ///
    /// - Parameters:
    ///   - read: Loads a list with its lines and its version.
    ///   - add: Adds a line with a product to a list that holds none, under the version that was
    ///     read.
    ///   - remove: Removes lines, at least one, under the version that was read.
    public init(
        read: @escaping @Sendable (ProductList.ID) async throws -> Contents,
        add: @escaping @Sendable (Product.ID, Contents) async throws -> Void,
        remove: @escaping @Sendable ([Line.ID], Contents) async throws -> Void
    ) {
        self.read = read
        addLine = add
        removeLines = remove
    }

    /// Puts a product in a list, unless a line of it is there.
    ///
    /// - Throws: ``ListError/notFound(_:)`` when there is no such list, ``ProductError/notFound(_:)``
    ///   when the backend knows no such thing to add, ``ListError/changed(current:)`` when others
    ///   changed the list at every attempt, and what the closures throw.
    @Sendable public func add(_ product: Product.ID, to list: ProductList.ID) async throws {
        try await change(list, until: { $0.list.products.contains(product) }) { contents in
            do {
                try await addLine(product, contents)
            } catch let error as NetworkError where error.code == .notFound {
                // Either the product or, since it was read, the list.
                _ = try await self.list(list)
                throw ProductError.notFound(product)
            }
        }
    }

    /// Takes all lines with a product out of a list, if there are any.
    ///
    /// That there is no such list is success, too, and that the lines are gone after a removal has
    /// failed.
    ///
    /// - Throws: ``ListError/changed(current:)`` when others changed the list at every attempt, and
    ///   what the closures throw.
    @Sendable public func remove(_ product: Product.ID, from list: ProductList.ID) async throws {
        do {
            try await change(list, until: { !$0.list.products.contains(product) }) { contents in
                let lines = contents.lines.filter { $0.product == product }
                do {
                    try await removeLines(lines.map(\.id), contents)
                } catch let error as NetworkError where error.code != .conflict {
                    // Others may have removed them, or a lost answer has been asked for again.
                    let left = try await self.contents(of: list).lines.filter { line in
                        line.product == product
                    }
                    guard left != lines else { throw error }
                    if !left.isEmpty { throw NetworkError(.conflict) }
                }
            }
        } catch ListError.notFound {}
    }

    /// Loads a list.
    ///
    /// - Throws: ``ListError/notFound(_:)`` when there is no such list, and what the closure throws.
    @Sendable public func list(_ id: ProductList.ID) async throws -> ProductList {
        try await contents(of: id).list
    }

    /// Reads a list and changes it as it was read, again when it was changed in between.
    private func change(
        _ id: ProductList.ID,
        until isSo: (Contents) -> Bool,
        write: (Contents) async throws -> Void
    ) async throws {
        for _ in 0..<max(1, attempts) {
            try Task.checkCancellation()
            let contents = try await contents(of: id)
            guard !isSo(contents) else { return }
            do {
                return try await write(contents)
            } catch let error as NetworkError where error.code == .conflict {}
        }
        let contents = try await contents(of: id)
        guard isSo(contents) else { throw ListError.changed(current: contents.list) }
    }

    private func contents(of id: ProductList.ID) async throws -> Contents {
        do {
            return try await read(id)
        } catch let error as NetworkError where error.code == .notFound {
            throw ListError.notFound(id)
        }
    }
}

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
