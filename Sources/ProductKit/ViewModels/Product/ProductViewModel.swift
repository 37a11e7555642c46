public import Foundation
public import Observation

/// The state and the actions of a product screen.
///
/// ```swift
/// let viewModel = ProductViewModel(
///     product: boots,
///     localUser: LocalUser(currency: "EUR"),
///     actions: .only(reload: { boots })
/// )
/// try await viewModel.reload()
/// ```
///
/// A method returns normally when the screen is in the state that it promises, even if another call led to it.
/// Otherwise it throws the error of its action, or ``ProductError`` when the product no longer exists or the
/// server returned another one, and stores it in ``lastError`` for the screen. `CancellationError` is thrown when the
/// task was cancelled or the store was reset, and not stored. With an ``Outbox``, an edit returns when it is saved on
/// this device. See <doc:ProductScreenGuarantees>.
@MainActor @Observable
public final class ProductViewModel: ReloadableScreen {
    /// The failure to show, if any.
    ///
    /// A success of the same kind sets it to `nil`. A newer product ends the failure of a reload, and
    /// “not found”. The app sets it to `nil` when the user dismisses it.
    ///
    /// With an ``Outbox``, the server may refuse an edit after it was saved. Every open screen of the product then
    /// shows the refusal, unless it has a failure of its own to show first. It ends when the server confirms an edit of
    /// the same subject, or when the app sets `lastError` to `nil` on one of the screens that show it. Its kind is
    /// ``ViewModelFailure/Kind/toggleFavorite`` or ``ViewModelFailure/Kind/toggleMembership(_:)``.
    public var lastError: ViewModelFailure? {
        get { ownFailure ?? record.rejection }
        set {
            // Behind a failure of this screen, no other one was shown.
            if newValue == nil, ownFailure == nil { record.dismissRejections() }
            ownFailure = newValue
        }
    }
    var ownFailure: ViewModelFailure? {
        get {
            let failure = failure?.current(for: record)
            return failure?.kind == .reload && !isReloadFailed ? nil : failure
        }
        set { failure = ProductFailure(newValue, of: record) }
    }
    /// The user whose currency and locale the price is shown in.
    public var localUser: LocalUser
    private var failure: ProductFailure?
    /// The phase if the product is not deleted.
    private var reloadPhase = LoadingPhase.idle
    let record: ProductRecord
    private let actions: Actions
    @ObservationIgnored var reloads = ReloadState() { didSet { reloadPhase = reloads.phase } }

    /// Creates a view model.
    ///
    /// - Parameters:
    ///   - product: The product to show until something newer is known.
    ///   - source: Where the product came from.
    ///   - localUser: The user whose currency and locale the price is shown in.
    ///   - actions: The operations of the screen.
    ///   - store: The state to share with other screens; `nil` for a screen on its own.
    public init(
        product: Product,
        from source: FetchSource = .network,
        localUser: LocalUser,
        actions: Actions,
        store: ProductStore? = nil
    ) {
        self.localUser = localUser
        self.actions = actions
        record = (store ?? ProductStore()).record(of: product, from: source)
    }

    /// Creates a view model for a product that was loaded to open the screen.
    init(loaded record: ProductRecord, localUser: LocalUser, actions: Actions) {
        self.localUser = localUser
        self.actions = actions
        self.record = record
        reloads.reset(to: .loaded)
        reloadPhase = .loaded
    }

    /// Loads the product from the server.
    ///
    /// Each call sends its own request; the result of the latest one stays.
    public func reload() async throws {
        try await performReload { timestamp in
            try record.applyReload(try await actions.reload(), requestedAt: timestamp)
        }
    }

    func isSuperseded(_ timestamp: LogicalTimestamp) throws -> Bool {
        guard record.hasNewerContent(than: timestamp) else { return false }
        // The later result may have been “not found”.
        try record.checkExistence()
        return true
    }

    func phase(after error: any Error) -> LoadingPhase {
        // “Not found” is the server's response. If another one restores the product, the screen shows
        // that one.
        record.isDeleted(accordingTo: error) ? .loaded : .failed
    }

    /// Toggles the favorite status.
    ///
    /// The change is shown at once, and rolled back if it fails. Several toggles are sent one after
    /// another, and only as many as are needed to reach the last value. With an ``Outbox``,
    /// ``isFavoriteUnsent`` is `true` until the server has confirmed the change.
    public func toggleProductFavoriteStatus() async throws {
        try await performEdit(.toggleFavorite) {
            let value = !isFavorite
            return try await record.setFavorite(value) { try await actions.toggleFavorite(value) }
        }
    }

    /// Adds the product to a list; it is not an error if the list contains it already.
    ///
    /// Two calls at once for one list send one request. Requests for different lists run concurrently.
    ///
    /// - Parameter listID: The list's identifier.
    /// - Throws: ``ProductError/notFound(_:)`` when the product no longer exists, or the errors of every method.
    public func addProductToList(withID listID: ProductList.ID) async throws {
        try await performEdit(.addToList) {
            // Only a response that counts as later than this call makes its request unnecessary: an earlier
            // one may be outdated. Even a later one does not show the outcome of a removal in flight.
            try await record.setMembership(
                true,
                in: listID,
                if: { !$0.hasConfirmed($1) || $0.needsRequest(for: $1) },
                send: { try await actions.addToList(listID) }
            )
        }
    }
}

extension ProductViewModel {
    /// Whether a reload has failed, and no complete product that was requested later was applied since.
    private var isReloadFailed: Bool { reloads.failedAt.map { record.completedAt <= $0 } ?? false }

    /// The state of a product screen.
    public enum Phase: Hashable, Sendable {
        /// Nothing was loaded yet; the product is the one that the view model was created with.
        case idle
        /// A reload is in flight; the product is the one from before.
        case loading
        /// The last reload succeeded, or the product was loaded to open the screen, from the server
        /// or from a cache; see ``ProductViewModel/source``.
        case loaded
        /// The last reload failed, and no later request has loaded the product; it is the one from
        /// before.
        case failed
        /// The product no longer exists on the server; the screen still shows its last content.
        case deleted
    }

    /// The state of the screen.
    public var phase: Phase {
        switch reloadPhase {
        case .loading: .loading
        case _ where record.isDeleted: .deleted
        case .idle: .idle
        case .loaded: .loaded
        case .failed: isReloadFailed ? .failed : .loaded
        }
    }
}

extension ProductViewModel {
    /// The product to show.
    public var product: Product { record.product }

    /// The product's name.
    public var title: String { record.content.name }

    /// The product's description; empty if it has none.
    public var detailText: String { record.content.description ?? "" }

    /// The price in the user's currency; `nil` if the product has none in that currency.
    package var price: Price? { record.content.price(in: localUser.currency) }

    /// The price, formatted for the user; `nil` if the product has none in the user's currency.
    public var priceText: String? { price?.formatted(locale: localUser.locale) }

    /// The product's images, the most important one first.
    public var images: [URL] { record.content.images }

    /// Whether to show the product as a favorite: the last pending edit, else the saved change, else
    /// the server's value.
    public var isFavorite: Bool { record.isFavorite }

    /// Whether a change of the favorite status is saved on this device and not confirmed by the
    /// server; see ``Outbox``.
    ///
    /// A view that reads only ``isFavorite`` is not updated when it changes.
    public var isFavoriteUnsent: Bool { record.isFavoriteUnsent }

    /// The source of the product: the server, or a cache.
    ///
    /// If its code is ``FetchSource/Code-swift.enum/staleIfError``, the server failed or could not
    /// be reached: show the user that the product is from the date in ``asOf``. Then the next reload
    /// that succeeds sets the source to ``FetchSource/network``, unless a member that is shown cannot be decoded.
    /// It does not change ``FetchSource/revalidated``, which is a source of the server as well.
    public var source: FetchSource { record.source }

    /// The time at which the server last confirmed the value shown; `nil` if it is not known.
    ///
    /// Later failures do not change it, and neither does a summary that lacks members shown.
    public var asOf: Date? { record.asOf }
}
