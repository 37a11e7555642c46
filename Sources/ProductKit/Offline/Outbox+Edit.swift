extension Outbox {
    /// An edit of the user, which names the state that the server should have.
    ///
    /// Because it names a state, sending it again has no further effect, except for
    /// ``createList(_:name:)`` if the server assigns the identifiers of lists.
    public enum Edit: Hashable, Sendable {
        /// Sets the favorite status of a product.
        case setFavorite(Product.ID, to: Bool)
        /// Adds a product to a list.
        case addProduct(Product.ID, toList: ProductList.ID)
        /// Removes a product from a list.
        case removeProduct(Product.ID, fromList: ProductList.ID)
        /// Creates a list with an identifier that the client has generated.
        case createList(ProductList.ID, name: String)
        /// Renames a list, whatever its current name is.
        case renameList(ProductList.ID, name: String)
        /// Deletes a list.
        case deleteList(ProductList.ID)
    }
}

extension Outbox.Edit {
    /// Its identifiers, and the name that it gives to a list.
    var parts: (product: Product.ID?, list: ProductList.ID?, name: String?) {
        switch self {
        case .setFavorite(let product, _): (product, nil, nil)
        case .addProduct(let product, let list), .removeProduct(let product, let list):
            (product, list, nil)
        case .createList(let list, let name), .renameList(let list, let name): (nil, list, name)
        case .deleteList(let list): (nil, list, nil)
        }
    }

    /// Whether its identifiers and its name have more than 64 KiB together.
    var isTooLarge: Bool {
        let (product, list, name) = parts
        let byteCount =
            (product?.rawValue.utf8.count ?? 0) + (list?.rawValue.utf8.count ?? 0)
            + (name?.utf8.count ?? 0)
        return byteCount > 65_536
    }

    /// The product or the list whose changes are sent in order.
    package enum Target: Hashable, Sendable {
        case favorite(Product.ID)
        case list(ProductList.ID)
    }

    /// What an edit sets of its target.
    ///
    /// A later edit of the same subject replaces an earlier one.
    package enum Subject: Hashable, Sendable {
        case favorite
        case membership(Product.ID)
        case listName
        case listExistence
    }

    /// The part of the server's state that an edit sets.
    package struct Part: Hashable, Sendable {
        let target: Target
        let subject: Subject
    }

    package var part: Part { Part(target: target, subject: subject) }

    package var target: Target {
        switch self {
        case .setFavorite(let product, _): .favorite(product)
        case .addProduct(_, let list), .removeProduct(_, let list), .createList(let list, _),
            .renameList(let list, _), .deleteList(let list):
            .list(list)
        }
    }

    /// Whether the edit creates a list, which has another effect when it is carried out twice.
    var isCreation: Bool { if case .createList = self { true } else { false } }

    /// Whether the edit creates, renames or deletes a list.
    var isOfListItself: Bool { subject == .listName || subject == .listExistence }

    /// Whether no identifier and no name is empty.
    var isComplete: Bool {
        let (product, list, name) = parts
        return product?.rawValue.isEmpty != true && list?.rawValue.isEmpty != true
            && name?.allSatisfy(\.isWhitespace) != true
    }

    /// Whether the edit deletes a list, which replaces all that waits for the list.
    var isDeletion: Bool { if case .deleteList = self { true } else { false } }

    package var subject: Subject {
        switch self {
        case .setFavorite: .favorite
        case .addProduct(let product, _), .removeProduct(let product, _): .membership(product)
        case .renameList: .listName
        case .createList, .deleteList: .listExistence
        }
    }
}
