import Foundation
import Observation

/// The state of one product, shared by all of its screens.
///
/// A record has three parts. The content (name, price, images and so on) is that of the latest
/// request that has returned. The favorite status and the membership in each list are
/// ``OptimisticFlag``s, which display the user's pending edits until the server confirms them.
///
/// A ``LogicalTimestamp`` is taken when a request starts. Its result is dropped if the result of a
/// later request has been applied, separately for the content and for each flag. A page of a catalog
/// is one request that returns many products.
///
/// Edits of one flag are sent one at a time, each only if it is still needed by then.
@MainActor @Observable
final class ProductRecord {
    /// The flag that an edit changes.
    enum Target: Hashable {
        case favorite
        case list(ProductList.ID)
    }

    let id: Product.ID
    /// The product as the server last returned it, with a favorite status that is always `false`.
    private(set) var content: Product
    /// The favorite status to display.
    private(set) var isFavorite: Bool
    /// Whether the latest result was that the product does not exist.
    private(set) var isDeleted = false
    /// Where the content came from.
    private(set) var source: FetchSource
    /// How often the store was reset since the record was created.
    private(set) var generation = 0
    /// Orders the edits of each flag.
    @ObservationIgnored private(set) lazy var editLock = KeyedLock<Target>()

    let store: ProductStore
    @ObservationIgnored private var favorite: OptimisticFlag
    @ObservationIgnored private var memberships: [ProductList.ID: ListMembership] = [:]
    /// When the request started that returned the content.
    @ObservationIgnored private var contentTimestamp: LogicalTimestamp
    /// Whether the content is from before the last reset, so that any value replaces it.
    @ObservationIgnored private var isFromEarlierGeneration = false
    @ObservationIgnored private var confirmedAt: Date?
    /// The same as `source.isFromServer`, which is read without being observed.
    @ObservationIgnored private var isFromServer: Bool

    /// Creates a record with a value from a screen, or with the result of a request.
    ///
    /// - Parameters:
    ///   - product: The first value.
    ///   - source: Where the value came from.
    ///   - store: The store that owns the record.
    ///   - timestamp: When the request started; `nil` for a value from a screen, which any result
    ///     replaces.
    init(
        _ product: Product,
        from source: FetchSource = .network,
        store: ProductStore,
        requestedAt timestamp: LogicalTimestamp? = nil
    ) {
        id = product.id
        content = product.withoutFavoriteStatus
        isFavorite = product.isFavorite
        favorite = OptimisticFlag(product.isFavorite, requestedAt: timestamp ?? .distantPast)
        contentTimestamp = timestamp ?? .distantPast
        self.source = source
        isFromServer = source.isFromServer
        self.store = store
        if timestamp != nil { confirmedAt = store.now() }
    }

    /// The product to display.
    var product: Product {
        var product = content
        product.isFavorite = isFavorite
        return product
    }

    /// When the server last confirmed the content; `nil` if that is not known.
    var asOf: Date? { source.asOf ?? confirmedAt }

    /// Whether a result of a later request has been applied to the content.
    func hasNewerContent(than timestamp: LogicalTimestamp) -> Bool {
        contentTimestamp > timestamp
    }

    /// Throws ``ProductError/notFound(_:)`` if the latest result was that the product does not exist.
    func checkExistence() throws {
        if isDeleted { throw ProductError.notFound(id) }
    }
}

// Applying results.
extension ProductRecord {
    /// Applies the result of a reload.
    ///
    /// - Returns: Whether the content is that of this reload; `false` if it was superseded.
    /// - Throws: `CancellationError` after a sign-out, ``ProductError`` for another product or if a
    ///   later request has found that the product does not exist.
    func applyReload(_ product: Product, requestedAt timestamp: LogicalTimestamp) throws -> Bool {
        try check(product, requestedAt: timestamp)
        return apply(product, requestedAt: timestamp)
    }

    /// Applies a result of a request, except for the parts that later requests have superseded.
    ///
    /// - Returns: Whether the content was applied.
    @discardableResult
    func apply(_ product: Product, requestedAt timestamp: LogicalTimestamp) -> Bool {
        update(.favorite) { $0.apply(product.isFavorite, requestedAt: timestamp) }
        store.retainDuringPageLoads(self)
        return applyContent(product, requestedAt: timestamp)
    }

    /// Applies the user's lists to the memberships.
    ///
    /// Lists that do not come from the server are only used where nothing is known yet.
    ///
    /// - Throws: `CancellationError` after a sign-out.
    func apply(_ lists: Page<ProductList>, requestedAt timestamp: LogicalTimestamp) throws {
        try checkGeneration(of: timestamp)
        guard lists.source.isFromServer else { return setInitialLists(lists.items) }
        for list in lists.items {
            let containsProduct = list.products.contains(id)
            update(.list(list.id)) { $0.apply(containsProduct, requestedAt: timestamp) }
        }
    }

    /// Applies the error of a request.
    ///
    /// “Not found” is a result, which later results supersede.
    ///
    /// - Returns: The error to throw: `CancellationError` when the task was cancelled or the user
    ///   has signed out meanwhile, otherwise the same error.
    func apply(_ error: any Error, requestedAt timestamp: LogicalTimestamp) -> any Error {
        guard !Task.isCancelled, store.isCurrent(timestamp) else { return CancellationError() }
        if case ProductError.notFound(id) = error, timestamp > contentTimestamp {
            contentTimestamp = timestamp
            isFromEarlierGeneration = false
            isDeleted = true
            store.retainDuringPageLoads(self)
        }
        return error
    }

    private func checkGeneration(of timestamp: LogicalTimestamp) throws {
        guard store.isCurrent(timestamp) else { throw CancellationError() }
    }

    private func check(_ product: Product, requestedAt timestamp: LogicalTimestamp) throws {
        try checkGeneration(of: timestamp)
        guard product.id == id else {
            throw ProductError.wrongProduct(expected: id, received: product.id)
        }
        if hasNewerContent(than: timestamp) { try checkExistence() }
    }

    @discardableResult private func applyContent(
        _ product: Product,
        requestedAt timestamp: LogicalTimestamp
    ) -> Bool {
        guard timestamp > contentTimestamp else { return false }
        contentTimestamp = timestamp
        isFromEarlierGeneration = false
        if isDeleted { isDeleted = false }
        setContent(product, from: .network)
        confirmedAt = store.now()
        return true
    }

    /// Sets the content, and notifies observers only of what is different.
    private func setContent(_ product: Product, from source: FetchSource) {
        // Comparing two sources costs more than these flags, which are nearly always both true.
        if !(isFromServer && source.isFromServer) {
            self.source = source
            isFromServer = source.isFromServer
        }
        let product = product.withoutFavoriteStatus
        if product != content { content = product }
    }
}

// Editing the favorite status and the memberships.
extension ProductRecord {
    /// Displays a favorite status at once, and sends it if it is still needed when it is next.
    ///
    /// - Parameters:
    ///   - value: The favorite status that the user chose.
    ///   - send: Sends it, and returns the product as the server has it then.
    /// - Throws: The error of `send`, `CancellationError` or ``ProductError``.
    func setFavorite(_ value: Bool, send: () async throws -> Product) async throws {
        try await edit(.favorite, to: value, if: { $0.needsRequest(for: $1) }) { edit, timestamp in
            let product = try await send()
            try check(product, requestedAt: timestamp)
            update(.favorite) {
                $0.confirm(edit, with: product.isFavorite, at: store.timestamp())
            }
            store.retainDuringPageLoads(self)
            applyContent(product, requestedAt: timestamp)
        }
    }

    /// Displays a membership at once, and sends it if it is still needed when it is next.
    ///
    /// - Parameters:
    ///   - value: Whether the list shall contain the product.
    ///   - list: The list.
    ///   - isNeeded: Whether to send the edit, decided when no earlier edit is in flight.
    ///   - send: Sends the edit.
    /// - Throws: The error of `send`, `CancellationError` or ``ProductError``.
    func setMembership(
        _ value: Bool,
        in list: ProductList.ID,
        if isNeeded: (OptimisticFlag, PendingEdit) -> Bool = { $0.needsRequest(for: $1) },
        send: () async throws -> Void
    ) async throws {
        try await edit(.list(list), to: value, if: isNeeded) { edit, timestamp in
            try await send()
            try checkGeneration(of: timestamp)
            update(.list(list)) { $0.confirm(edit, with: value, at: store.timestamp()) }
        }
    }

    /// Returns the membership in a list that all screens of the product share.
    func membership(in list: ProductList.ID) -> ListMembership {
        if let membership = memberships[list] { return membership }
        let membership = ListMembership(in: list)
        memberships[list] = membership
        return membership
    }

    /// Displays an edit at once, waits for the earlier edits of the same flag, and sends it.
    ///
    /// When this returns or throws, the edit is no longer pending.
    private func edit(
        _ target: Target,
        to value: Bool,
        if isNeeded: (OptimisticFlag, PendingEdit) -> Bool,
        send: (PendingEdit, LogicalTimestamp) async throws -> Void
    ) async throws {
        try checkEdit(of: target, to: value)
        let edit = update(target) { $0.beginEdit(to: value, at: store.timestamp()) }
        defer { update(target) { $0.rollBack(edit) } }
        let lock = try await editLock.acquire(target)
        defer { lock.release() }
        try checkEdit(of: target, to: value)
        guard isNeeded(flag(of: target), edit) else { return }
        let timestamp = store.timestamp()
        do {
            try await send(edit, timestamp)
        } catch {
            let error = apply(error, requestedAt: timestamp)
            if store.isCurrent(timestamp), error.leavesOutcomeUnknown {
                update(target) { $0.markOutcomeUnknown(at: store.timestamp()) }
            }
            throw error
        }
    }

    /// Throws if the product does not exist any longer and the edit requires it to.
    ///
    /// A product that does not exist can still be removed from a list.
    private func checkEdit(of target: Target, to value: Bool) throws {
        if value || target == .favorite { try checkExistence() }
    }

    private func flag(of target: Target) -> OptimisticFlag {
        switch target {
        case .favorite: favorite
        case .list(let list): membership(in: list).flag
        }
    }

    /// Changes a flag, and notifies observers if the value to display is different then.
    private func update<Value>(
        _ target: Target,
        _ change: (inout OptimisticFlag) -> Value
    ) -> Value {
        switch target {
        case .favorite:
            defer { displayFavorite() }
            return change(&favorite)
        case .list(let list):
            return membership(in: list).update(change)
        }
    }

    private func displayFavorite() {
        if favorite.displayed != isFavorite { isFavorite = favorite.displayed }
    }
}

// Signing out, and first values.
extension ProductRecord {
    /// Rolls back all edits, cancels those that wait, and drops the results of requests in flight.
    ///
    /// The content stays until a new value replaces it.
    func reset() {
        editLock.close()
        editLock = KeyedLock()
        favorite.rollBackAll()
        for membership in memberships.values { membership.update { $0 = OptimisticFlag(false) } }
        memberships = [:]
        isFromEarlierGeneration = true
        generation += 1
        if isDeleted { isDeleted = false }
        displayFavorite()
    }

    /// Uses the value of a new view model, if the present one is from before a reset.
    func setInitialValue(_ product: Product, from source: FetchSource) {
        guard isFromEarlierGeneration else { return }
        isFromEarlierGeneration = false
        favorite.replaceValue(product.isFavorite)
        setContent(product, from: source)
        displayFavorite()
    }

    /// Uses the lists of a new view model for the memberships that are not known yet.
    func setInitialLists(_ lists: [ProductList]) {
        for list in lists {
            update(.list(list.id)) { $0.setInitialValue(list.products.contains(id)) }
        }
    }
}

extension Error {
    /// Whether the server may have carried out the edit that failed with this error.
    ///
    /// Errors that are not a ``NetworkError`` mean that the server has refused the edit.
    fileprivate var leavesOutcomeUnknown: Bool {
        if self is CancellationError { return true }
        return (self as? NetworkError)?.code.mayHaveReachedServer ?? false
    }
}

extension Product {
    fileprivate var withoutFavoriteStatus: Product {
        var product = self
        product.isFavorite = false
        return product
    }
}
