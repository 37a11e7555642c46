import Foundation

extension Outbox {
    /// Returns a closure that sends changes with a loader and a list manager.
    ///
    /// After an attempt that the server may have carried out, the next one loads the product or the list first. If it
    /// has the state of the change already, nothing is sent. If it cannot be loaded because the server cannot be reached,
    /// the change waits. If the loader or the manager cannot load it at all, the change is sent.
    ///
    /// - Parameters:
    ///   - loader: Changes favorite statuses. It must not be one of ``ProductLoader/performingEdits(in:)``.
    ///   - listManager: Changes lists. It must not be one of ``ListManager/performingEdits(in:)``.
    ///   - recognizesIdempotencyKeys: Whether the server recognizes a change that it has carried out by
    ///     its `Idempotency-Key`. Then no state is loaded for a change whose attempts had one key.
    /// - Returns: The closure, for ``start(for:sending:)``.
    public static func sending(
        _ loader: ProductLoader,
        _ listManager: ListManager,
        recognizesIdempotencyKeys: Bool = false
    ) -> Sending {
        let destination = Destination(loader: loader, lists: listManager)
        return { change in
            if let attempt = ServiceOperation.current?.attempt, attempt.mayBeCarriedOut,
                !(recognizesIdempotencyKeys && attempt.isKnownByKey),
                let confirmation = try await destination.confirmation(of: change.edit)
            {
                return confirmation
            }
            return try await destination.send(change.edit)
        }
    }

    /// The services that carry out the edits.
    private struct Destination: Sendable {
        let loader: ProductLoader
        let lists: ListManager

        func send(_ edit: Edit) async throws -> Confirmation {
            do {
                let outcome = try await outcome(of: edit)
                guard let confirmation = outcome.confirmation else { throw SavedAgain() }
                return confirmation
            } catch ListError.changed(let current) {
                // An earlier attempt has created the list. The server may have trimmed its name.
                if case .createList(current.id, _) = edit,
                    ServiceOperation.current?.attempt?.mayBeCarriedOut == true
                {
                    return Confirmation(list: current)
                }
                guard !edit.isOfListItself else { throw ListError.changed(current: current) }
                // Each write of `ListLines` has met a conflict. A later one may meet none.
                throw NetworkError(.conflict, underlying: ListError.changed(current: current))
            }
        }

        private func outcome(of edit: Edit) async throws -> EditOutcome<Confirmation> {
            switch edit {
            case .setFavorite(let id, let status):
                do {
                    return try await loader.changeFavoriteStatus(status, forProductWithID: id)
                        .map { Confirmation(product: $0) }
                } catch is ConfirmedWithoutProduct {
                    return .confirmed(.withoutProduct)
                }
            case .addProduct(let id, let list):
                return try await lists.add(id, to: list).map { _ in Confirmation() }
            case .removeProduct(let id, let list):
                return try await lists.remove(id, from: list).map { _ in Confirmation() }
            case .createList(let id, let name):
                return try await lists.createDraft(ProductList(id: id, name: name))
                    .map { Confirmation(list: $0) }
            case .renameList(let id, let name):
                return try await lists.changeName(of: id, to: name).map { Confirmation(list: $0) }
            case .deleteList(let id):
                return try await lists.removeList(id).map { _ in Confirmation() }
            }
        }

        /// Returns a confirmation if the server has the state that an edit sets; `nil` if it has
        /// another one, or if that is not known.
        ///
        /// A list without products may be a summary, so it does not show that a product was removed.
        func confirmation(of edit: Edit) async throws -> Confirmation? {
            do {
                switch edit {
                case .setFavorite(let id, let status):
                    guard loader.canLoad else { return nil }
                    let product = try await loader.currentProduct(withID: id)
                    guard product.id == id, product.isFavorite == status,
                        !product.unknownMembers.contains(.isFavorite)
                    else { return nil }
                    return Confirmation(product: product)
                case .addProduct(let id, let list):
                    let products = try await lists.currentList(withID: list)?.products
                    return products?.contains(id) == true ? Confirmation() : nil
                case .removeProduct(let id, let list):
                    let products = try await lists.currentList(withID: list)?.products
                    guard let products, !products.isEmpty else { return nil }
                    return products.contains(id) ? nil : Confirmation()
                case .createList(let id, _):
                    // The server may have trimmed the name, and the user may have changed it since.
                    return try await lists.currentList(withID: id).map { Confirmation(list: $0) }
                case .renameList(let id, let name):
                    let list = try await lists.currentList(withID: id)
                    return list?.name == name ? Confirmation(list: list) : nil
                case .deleteList(let id):
                    _ = try await lists.currentList(withID: id)
                    return nil
                }
            } catch ProductError.notFound {
                // A product that does not exist is not a favorite, unless a list still contains it.
                guard case .setFavorite(_, false) = edit, !loader.favoritesOutliveProducts else {
                    return nil
                }
                return .withoutProduct
            } catch ListError.notFound {
                // A list that does not exist has been deleted, and contains no product.
                switch edit {
                case .deleteList, .removeProduct: return Confirmation()
                default: return nil
                }
            } catch let error where error.leavesStateUnknown {
                return nil
            }
        }
    }
}

/// The error of an outbox that was started with a loader or a list manager of `performingEdits(in:)`.
///
/// They save a change again in place of sending it. The change waits.
package struct SavedAgain: LocalizedError, CustomDebugStringConvertible {
    package init() {}

    package var errorDescription: String? {
        "The change is saved and was not sent. Update the app."
    }

    package var debugDescription: String {
        "SavedAgain: the change was saved again and not sent. Start the outbox with the loader and the "
            + "list manager that send, not with those of performingEdits(in:)."
    }
}

extension Error {
    /// Whether loading again would not show the state of the server either.
    ///
    /// Then sending the change decides. If the server cannot be reached or used, the change waits.
    fileprivate var leavesStateUnknown: Bool {
        switch Outbox.Disposition(self) {
        case .confirmed, .rejected, .conflict: true
        case .retryLater:
            !(self is CancellationError) && (self as? NetworkError)?.code != .unavailable
        case .retryAllLater, .waitForSignIn: false
        }
    }
}
