/// The favorites of a user, stored in the user's lists with a certain name.
///
/// Usually there is one such list. Two devices that add the first favorite at the same time create two.
final class FavoriteLists: Sendable {
    /// A list that is to be created: its name, its user and its backend.
    private struct Creation: Hashable {
        let list: String
        let user: String?
        let backend: ObjectIdentifier
    }

    /// What the server's responses show about the lists of the user.
    private enum Access {
        case unknown
        /// The lists were loaded, so the user is known to be signed in.
        case granted
        /// The server has refused the lists to a guest, although the request had a token.
        case refusedToGuest
    }

    /// The creations of all loaders, because each service of a user has a loader of its own.
    private static let creations = KeyedLock<Creation>()

    private let name: String
    private let lists: ListManager
    private let access = Locked(Access.unknown)

    init(name: String, lists: ListManager) {
        self.name = name
        self.lists = lists
    }

    /// The identifiers of the favorites, the newest of each list first; none for a user who is not signed in.
    func productIDs() async throws -> [Product.ID] {
        guard let ids = try await knownProductIDs() else { throw Self.unreadable }
        return ids
    }

    /// The identifiers of the favorites; `nil` if a list that cannot be decoded may contain them.
    func knownProductIDs() async throws -> [Product.ID]? {
        // For an outbox, which reads the state of an edit, a refusal is no state.
        let isAttempt = ServiceOperation.current?.attempt != nil
        // Each further request would refresh the token of the guest in vain.
        if !isAttempt, access.withLock(\.self) == .refusedToGuest { return [] }
        do {
            guard let known = try await knownLists() else { return nil }
            if known.items.isEmpty, known.omissions.mayIncludeOthers {
                // The list may be on a page that was missed.
                throw Page<ProductList>.movedLists
            }
            let ids = known.items.flatMap(\.products).reversed()
            var seen: Set<Product.ID> = []
            return ids.filter { seen.insert($0).inserted }
        } catch let error as NetworkError
            where !isAttempt
            && (error.code == .unauthorized && !hasExpired(error)
                || error.code == .forbidden && isGuest)
        {
            if error.code == .unauthorized, error.isSigned == true {
                access.withLock { if $0 == .unknown { $0 = .refusedToGuest } }
            }
            return []
        }
    }

    /// Whether an error is that the user has to sign in again, and not that of a guest.
    ///
    /// The lists of a guest may have been loaded as well, so within a service only its user decides.
    private func hasExpired(_ error: NetworkError) -> Bool {
        if let session = ServiceOperation.current?.session { return session.user != nil }
        return error.isSigned ?? (access.withLock(\.self) == .granted)
    }

    /// Whether the caller is the service of a guest, to whom some servers refuse the lists with a 403.
    private var isGuest: Bool {
        ServiceOperation.current?.session.map { $0.user == nil } ?? false
    }

    /// Adds a product to a list with the name, or removes it from all of them.
    func set(_ isFavorite: Bool, forProductWithID id: Product.ID) async throws {
        let found = try await favoriteLists()
        let containing = found.items.filter { $0.products.contains(id) }
        guard isFavorite else {
            if found.items.isEmpty, found.omissions.mayIncludeOthers {
                throw Page<ProductList>.movedLists
            }
            for list in containing.dropLast() {
                try await step {
                    try await lists.removeProduct(withID: id, fromListWithID: list.id)
                }
            }
            if let list = containing.last {
                try await lists.removeProduct(withID: id, fromListWithID: list.id)
            }
            return
        }
        guard containing.isEmpty else { return }
        if let list = found.items.first {
            do {
                return try await lists.addProduct(withID: id, toListWithID: list.id)
            } catch ListError.notFound {
                // The list was deleted after it was found.
            }
        }
        try await lists.addProduct(withID: id, toListWithID: foundOrCreated().id)
    }

    /// Returns the list, and creates it if there is none; callers of one user wait for each other.
    ///
    /// The lists were loaded before, so the operation has recorded the session. Outside of a service there is none.
    private func foundOrCreated() async throws -> ProductList {
        let session = ServiceOperation.current?.session
        let creation = Creation(
            list: name,
            user: session?.name,
            backend: session?.backend ?? ObjectIdentifier(self)
        )
        return try await Self.creations.withLock(creation) {
            if let list = try await favoriteLists().items.first { return list }
            let list = try await step { try await lists.createList(named: name) }
            guard [name, ""].contains(list.name) else {
                throw NetworkError(
                    .rejected,
                    details: "The favorites cannot be stored: the server has given their list the "
                        + "name “\(list.name)”. Use that as the name of the list of favorites."
                )
            }
            return list
        }
    }

    /// Carries out a write that another one follows.
    private func step<Value>(_ write: () async throws -> Value) async throws -> Value {
        do { return try await write() } catch let error as NetworkError {
            throw error.ofPartialWrite
        }
    }

    private func favoriteLists() async throws -> Page<ProductList> {
        guard let named = try await knownLists() else { throw Self.unreadable }
        return named
    }

    /// The lists with the name; `nil` if none was found, but some list could not be decoded.
    private func knownLists() async throws -> Page<ProductList>? {
        var all = try await lists.allLists(named: name)
        access.withLock { $0 = .granted }
        all.items.removeAll { $0.name != name }
        return all.items.isEmpty && all.rejectedCount > 0 ? nil : all
    }

    private static var unreadable: NetworkError {
        NetworkError(
            .unreadable,
            details: "The favorites cannot be read: one of the lists of the user is not valid. "
                + "Correct the list on the server."
        )
    }
}
