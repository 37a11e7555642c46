import Foundation
import Observation

/// The state of one product, shared by all of its screens.
///
/// A record has three parts: the content (name, price, images and so on), the favorite status, and
/// the membership in each list. The last two are ``OptimisticFlag``s.
///
/// Each request takes a ``LogicalTimestamp`` when it starts. To apply a value is to use the result of a
/// request, unless that of a later one has been applied. This is decided separately for each flag, and for each
/// member of the content; see ``MemberTimestamps``. To adopt a value, from a screen or a cache, is to use it where
/// nothing is known yet.
///
/// A property that is set to an equal value notifies no observer: `@Observable` compares them.
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
    private(set) var isFavorite: Bool
    /// Whether a change of the favorite status is saved and not confirmed by the server.
    private(set) var isFavoriteUnsent = false
    /// The failures of saved edits that the server has refused, one for each flag, the latest one last.
    var rejections: [(target: Target, failure: ProductFailure)] = []
    /// Whether the latest result was that the product does not exist.
    private(set) var isDeleted = false
    private(set) var source: FetchSource
    /// Makes the edits of each flag wait for the earlier ones.
    @ObservationIgnored private(set) lazy var editLock = KeyedLock<Target>()

    let store: ProductStore
    @ObservationIgnored private var favorite: OptimisticFlag
    @ObservationIgnored private var memberships: [ProductList.ID: ListMembership] = [:]
    /// When the requests started that returned the content, or found that the product does not exist.
    ///
    /// Most code reads `_timestamps`, which does not make the reader an observer.
    private var timestamps = MemberTimestamps()
    /// The images of the latest result that has some, if they are only the first ones of the content.
    @ObservationIgnored private var previewImages: [URL]?
    /// When the content was last replaced as a whole.
    @ObservationIgnored private var contentTimestamp: LogicalTimestamp
    /// The date at which a response with all members of the content was applied; `nil` for a first
    /// value.
    private var confirmedAt: Date?

    /// Creates a record with a value that the result of any request replaces.
    init(_ product: Product, from source: FetchSource = .network, store: ProductStore) {
        id = product.id
        content = product.withoutFavoriteStatus(unknown: product.unknownMembers)
        isFavorite = product.isFavorite
        favorite = OptimisticFlag(product.isFavorite)
        self.source = source
        self.store = store
        contentTimestamp = store.firstTimestamp
    }

    /// Whether the content is from before the last reset, so that any value replaces it.
    private var isFromEarlierGeneration: Bool { !store.isCurrent(contentTimestamp) }

    var product: Product {
        var product = content
        product.isFavorite = isFavorite
        return product
    }

    /// When the server last confirmed the content; `nil` if that is not known.
    var asOf: Date? { source.asOf ?? confirmedAt }

    /// Whether the complete result of a later request has been applied, “not found” included.
    func hasNewerContent(than timestamp: LogicalTimestamp) -> Bool {
        _timestamps.complete > timestamp
    }

    /// When the request of the latest complete product started.
    ///
    /// Only screens whose reload has failed observe it.
    var completedAt: LogicalTimestamp { timestamps.product }

    /// Throws ``ProductError/notFound(_:)`` if the latest result was that the product does not
    /// exist.
    func checkExistence() throws {
        if isDeleted { throw ProductError.notFound(id) }
    }
}

// Applying results.
extension ProductRecord {
    /// Applies the result of a reload, which is complete except for members that could not be decoded,
    /// and for an unknown favorite status.
    ///
    /// - Returns: Whether the content is that of this reload; `false` if it was superseded.
    /// - Throws: `CancellationError` if the store was reset since the request started,
    ///   ``ProductError`` for another product or if a later request has found that the product does
    ///   not exist.
    func applyReload(_ product: Product, requestedAt timestamp: LogicalTimestamp) throws -> Bool {
        try checkIdentifier(product.id, requestedAt: timestamp)
        if hasNewerContent(than: timestamp) { try checkExistence() }
        // A product that was loaded by itself is complete, whatever it declares unknown, except for a favorite status
        // that is the only unknown member.
        var unknown = product.unreadableMembers
        if product.unknownMembers.subtracting(unknown) == .isFavorite {
            unknown.insert(.isFavorite)
        }
        let members = Product.Members.all.subtracting(unknown)
        return apply(product, containing: members, requestedAt: timestamp, isComplete: true)
    }

    /// Applies a result of a request, except for the parts that later requests have superseded.
    ///
    /// - Returns: Whether the content was applied; `false` if it was superseded.
    @discardableResult
    func apply(
        _ product: Product,
        containing members: Product.Members,
        requestedAt timestamp: LogicalTimestamp,
        isComplete: Bool
    ) -> Bool {
        if members.contains(.isFavorite) {
            update(.favorite) { $0.apply(product.isFavorite, requestedAt: timestamp) }
        } else if isFromEarlierGeneration {
            // The status is that of another user.
            update(.favorite) { $0.adopt(false) }
        }
        store.retainDuringLoads(self)
        return applyContent(product, containing: members, timestamp, isComplete: isComplete)
    }

    /// Applies the user's lists to the memberships.
    ///
    /// Lists that do not come from the server are only used where nothing is known yet.
    ///
    /// - Throws: `CancellationError` if the store was reset since the request started.
    func apply(_ lists: Page<ProductList>, requestedAt timestamp: LogicalTimestamp) throws {
        try checkGeneration(of: timestamp)
        guard lists.source.isFromServer else { return adopt(lists.items) }
        for list in lists.items {
            let containsProduct = list.products.contains(id)
            update(.list(list.id)) { $0.apply(containsProduct, requestedAt: timestamp) }
        }
    }

    /// Applies the error of a request.
    ///
    /// ``ProductError/notFound(_:)`` for this product marks it as deleted, also if the task was
    /// cancelled, unless the result of a later request has been applied. Other errors change
    /// nothing.
    ///
    /// - Returns: The error to throw: `CancellationError` when the task was cancelled or the store
    ///   was reset since the request started, otherwise ``ViewModelFailure/cause(_:)``.
    func apply(_ error: any Error, requestedAt timestamp: LogicalTimestamp) -> any Error {
        guard store.isCurrent(timestamp) else { return CancellationError() }
        if case ProductError.notFound(id) = error,
            timestamps.addNotFound(requestedAt: timestamp)
        {
            isDeleted = true
            store.retainDuringLoads(self)
        }
        return ViewModelFailure.cause(error)
    }

    func checkGeneration(of timestamp: LogicalTimestamp) throws {
        guard store.isCurrent(timestamp) else { throw CancellationError() }
    }

    func checkIdentifier(
        _ received: Product.ID?,
        requestedAt timestamp: LogicalTimestamp
    ) throws {
        try checkGeneration(of: timestamp)
        if let received, received != id {
            throw ProductError.wrongProduct(expected: id, received: received)
        }
    }

    /// Applies the members of a result that no later result contains (`current`); `false` if it was superseded.
    @discardableResult private func applyContent(
        _ product: Product,
        containing members: Product.Members,
        _ timestamp: LogicalTimestamp,
        isComplete: Bool
    ) -> Bool {
        guard
            let current = timestamps.add(members, requestedAt: timestamp, isComplete: isComplete)
        else {
            // After an early “not found”, nothing is known yet. The product gives the screen a title.
            if !content.knownMembers.contains(.name) {
                adoptUnknownMembers(of: product, from: .network)
            }
            return false
        }
        isDeleted = false
        if current == .all || isFromEarlierGeneration {
            contentTimestamp = timestamp
            previewImages = nil
            setContent(product, unknown: .all.subtracting(members))
        } else {
            let others = content.knownMembers.subtracting(current.union(.isFavorite))
            let latestImages = previewImages ?? content.images
            var merged = current
            if !isComplete, product.images.isPreview(of: content.images) {
                if merged.remove(.images) != nil { previewImages = product.images }
            } else if isComplete, members.contains(.images), !latestImages.isEmpty,
                product.images.starts(with: latestImages)
            {
                // A summary that was requested later may have the first images only.
                merged.insert(.images)
            }
            if merged.contains(.images) { previewImages = nil }
            merge(merged, of: product)
            // A summary does not confirm the members that it does not contain, so the date stays.
            guard members.union(.isFavorite) == .all || others.isEmpty else { return true }
        }
        setSource(.network)
        confirmedAt = store.now()
        return true
    }

    /// Uses a product where nothing is known yet, without superseding any result.
    private func adoptUnknownMembers(of product: Product, from source: FetchSource) {
        var members = content.unknownMembers.intersection(product.knownMembers)
        // Without a complete result since the last reset, the content may come from a summary.
        let isSummary =
            !content.unknownMembers.isEmpty && !store.isCurrent(_timestamps.complete)
        if isSummary, content.images.isPreview(of: product.images) {
            previewImages = previewImages ?? content.images
            members.insert(.images)
        }
        guard !members.isEmpty else { return }
        if members.contains(.isFavorite) {
            update(.favorite) { $0.adopt(product.isFavorite) }
        }
        merge(members, of: product)
        guard members != .isFavorite else { return }
        setSource(self.source.combined(with: source))
        confirmedAt = nil
    }

    private func setSource(_ source: FetchSource) {
        // Most content comes from the server, and then no source needs to be compared or set.
        if _source.isFromServer && source.isFromServer { return }
        self.source = source
    }

    private func merge(_ members: Product.Members, of product: Product) {
        var merged = content
        merged.replace(members, with: product)
        setContent(merged, unknown: merged.unknownMembers)
    }

    private func setContent(_ product: Product, unknown: Product.Members) {
        let shown = content
        // An equal product, which most reloads return, needs no copy.
        if product != shown {
            let product = product.withoutFavoriteStatus(unknown: unknown)
            if product != shown { return content = product }
        }
        guard unknown != shown.unknownMembers else { return }
        // `==` ignores the unknown members, so the setter would not notify the observers.
        withMutation(keyPath: \.content) { _content.unknownMembers = unknown }
    }
}

// The flags.
extension ProductRecord {
    /// Changes a flag, and notifies observers if this changes the value to display.
    func update<Value>(_ target: Target, _ change: (inout OptimisticFlag) -> Value) -> Value {
        switch target {
        case .favorite:
            defer {
                isFavorite = favorite.displayed
                isFavoriteUnsent = favorite.isUnsent
            }
            return change(&favorite)
        case .list(let list):
            return membership(in: list).update(change)
        }
    }

    /// Returns the membership in a list, which all screens of the product share.
    func membership(in list: ProductList.ID) -> ListMembership {
        if let membership = memberships[list] { return membership }
        let membership = ListMembership()
        memberships[list] = membership
        showSavedValue(of: .list(list))
        return membership
    }

    /// The lists whose membership some screen shows or edits.
    var listsWithMembership: some Sequence<ProductList.ID> { memberships.keys }

    /// Applies the response to a change of the favorite status, of a pending edit or of the outbox.
    func confirmFavorite(
        _ value: Bool,
        of edit: PendingEdit? = nil,
        with product: Product?,
        requestedAt timestamp: LogicalTimestamp
    ) {
        let members = product?.knownMembers ?? []
        let status = members.contains(.isFavorite) ? product?.isFavorite : nil
        confirm(edit, of: .favorite, with: status ?? value)
        setContent(content, unknown: content.unknownMembers.subtracting(.isFavorite))
        store.retainDuringLoads(self)
        guard let product else { return }
        // A product that was loaded afterwards is complete although a member could not be decoded.
        applyContent(product, containing: members, timestamp, isComplete: product.isComplete)
    }

    /// Applies the confirmation of a change of the favorite status, after which the product does not exist.
    func confirmFavoriteOfDeletedProduct(
        _ value: Bool,
        of edit: PendingEdit? = nil,
        requestedAt timestamp: LogicalTimestamp
    ) {
        confirmFavorite(value, of: edit, with: nil, requestedAt: timestamp)
        _ = apply(ProductError.notFound(id), requestedAt: timestamp)
    }
}

// Signing out, and first values.
extension ProductRecord {
    /// Rolls back all edits, cancels those that wait, and removes the memberships.
    ///
    /// The store drops the results of requests in flight. The content stays until a new value
    /// replaces it.
    func reset() {
        editLock.close()
        editLock = KeyedLock()
        // The confirmed status is shown until another one is known.
        update(.favorite) { $0 = OptimisticFlag($0.confirmed) }
        for membership in memberships.values { membership.update { $0 = OptimisticFlag(false) } }
        memberships = [:]
        rejections = []
        previewImages = nil
        isDeleted = false
    }

    /// Uses the value of a new view model, or of a cache, where nothing is known yet.
    ///
    /// It replaces content from before a reset. A deleted product keeps its content, if it has any.
    func adopt(_ product: Product, from source: FetchSource) {
        if isDeleted, content.knownMembers.contains(.name) { return }
        guard isFromEarlierGeneration else { return adoptUnknownMembers(of: product, from: source) }
        contentTimestamp = store.firstTimestamp
        update(.favorite) { $0.adopt(product.isFavorite) }
        setContent(product, unknown: product.unknownMembers)
        setSource(source)
        confirmedAt = nil
    }

    /// Uses the lists of a new view model for the memberships that are not known yet.
    func adopt(_ lists: [ProductList]) {
        for list in lists {
            update(.list(list.id)) { $0.adopt(list.products.contains(id)) }
        }
    }
}

extension [URL] {
    /// Whether these are the first images of a product, of which a row may show one only.
    fileprivate func isPreview(of images: [URL]) -> Bool {
        !isEmpty && count < images.count && images.starts(with: self)
    }
}

extension Product {
    fileprivate func withoutFavoriteStatus(unknown: Members) -> Product {
        var product = self
        product.isFavorite = false
        product.unknownMembers = unknown
        return product
    }
}
