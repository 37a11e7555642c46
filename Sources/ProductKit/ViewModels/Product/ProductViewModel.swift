public import Foundation
public import Observation

/// A product screen: what it shows and what it can do.
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
/// Four ideas keep it right whatever the order of taps, answers and failures. Questions are ordered
/// by when they were asked. The star shows the last tap that waits, else what the server has. An
/// edit takes a turn, and then looks whether it is still needed. And a method returns normally when
/// its promise holds, whoever made it hold. See <doc:ProductScreenGuarantees>.
///
/// Otherwise it throws what went wrong, and keeps it in ``lastError`` for the screen; cancellation is
/// thrown and kept nowhere.
@MainActor @Observable
public final class ProductViewModel {
    /// The failure to show, `nil` for none; a success of the same kind clears it, and so may the app.
    public var lastError: Failure?
    /// Whose currency and locale the price is shown in.
    public var localUser: LocalUser
    /// Whether a reload is on its way.
    public private(set) var isLoading = false

    private(set) var outcome = Phase.idle
    let record: ProductRecord
    private let actions: Actions
    @ObservationIgnored private var failedReload: ProductRecord.Question?
    @ObservationIgnored private var reloadsInFlight = 0 {
        didSet { isLoading = reloadsInFlight > 0 }
    }

    /// Creates a view model.
    ///
    /// - Parameters:
    ///   - product: What to show until something newer is known.
    ///   - source: Where that came from.
    ///   - localUser: Whose currency and locale the price is shown in.
    ///   - actions: What the screen can do.
    ///   - store: What lets several screens of one product agree; `nil` for a screen alone.
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

    /// Loads the product anew.
    ///
    /// It returns normally when the screen shows what was asked for, or something newer. Called
    /// twice, it asks twice; the answer to the later question stays.
    ///
    /// - Throws: What the action threw, unchanged; `CancellationError` when the task was cancelled
    ///   or the store was reset; ``ProductError`` when the product is gone or another one came.
    public func reload() async throws {
        try Task.checkCancellation()
        let question = record.ask()
        reloadsInFlight += 1
        defer { reloadsInFlight -= 1 }
        do {
            let isNews = try record.learn(try await actions.reload(), from: question)
            if isNews { failedReload = nil }
        } catch {
            let error = record.learn(error, from: question)
            if error is CancellationError { throw error }
            guard record.hasAnswered(after: question) else {
                failedReload = max(failedReload ?? question, question)
                outcome = .failed
                throw keep(error, of: .reload)
            }
            // A question that came later has been answered, so this one no longer matters.
            try record.checkExistence()
        }
        // The failure of a question later than everything that was answered stays.
        guard failedReload.map(record.hasAnswered) ?? true else { return }
        outcome = .loaded
        succeed(.reload)
    }

    /// Makes the product a favorite, or none if it is one.
    ///
    /// The change shows at once, and is taken back when it fails. Several taps are sent one after
    /// another, and only as many as are needed: the last one wins.
    ///
    /// - Throws: What the action threw, unchanged; `CancellationError` when the task was cancelled
    ///   or the store was reset; ``ProductError`` when the product is gone or another one came.
    public func toggleProductFavoriteStatus() async throws {
        try await edit(.toggleFavorite) {
            let tap = record.tap(!isFavorite, on: .favorite)
            defer { record.withdraw(tap, on: .favorite) }
            let turn = try await record.turns.take(.favorite)
            defer { turn.end() }
            try record.checkExistence()
            guard record.flag(of: .favorite).isNeeded(tap) else { return }
            try await ask(about: .favorite) { question in
                let product = try await actions.toggleFavorite(tap.wish)
                try record.settle(tap, with: product, from: question)
            }
        }
    }

    /// Puts the product in a list; its being there already is success.
    ///
    /// Called twice at once for the same list, it asks once; different lists go side by side.
    ///
    /// - Parameter listID: The list's identity.
    /// - Throws: What the action threw, unchanged; `CancellationError` when the task was cancelled
    ///   or the store was reset; ``ProductError/notFound(_:)`` when the product is gone.
    public func addProductToList(withID listID: ProductList.ID) async throws {
        try await edit(.addToList) {
            let tap = record.tap(true, on: .list(listID))
            defer { record.withdraw(tap, on: .list(listID)) }
            let turn = try await record.turns.take(.list(listID))
            defer { turn.end() }
            try record.checkExistence()
            guard !record.flag(of: .list(listID)).hasConfirmed(tap) else { return }
            try await ask(about: .list(listID)) { question in
                try await actions.addToList(listID)
                try record.settle(tap, in: listID, from: question)
            }
        }
    }
}

extension ProductViewModel {
    /// Does an edit, and keeps its failure for the screen.
    private func edit(_ kind: Failure.Kind, _ body: () async throws -> Void) async throws {
        try Task.checkCancellation()
        do {
            try record.checkExistence()
            try await body()
        } catch {
            throw keep(error, of: kind)
        }
        succeed(kind)
    }

    /// Asks a question for a tap whose turn it is.
    private func ask(
        about target: ProductRecord.Target,
        _ body: (ProductRecord.Question) async throws -> Void
    ) async throws {
        let question = record.ask()
        do {
            try await body(question)
        } catch {
            let error = record.learn(error, from: question)
            record.learn(error, ofTapOn: target, from: question)
            throw error
        }
    }

    private func keep(_ error: any Error, of kind: Failure.Kind) -> any Error {
        if !(error is CancellationError) { lastError = Failure(kind: kind, underlying: error) }
        return error
    }

    private func succeed(_ kind: Failure.Kind) {
        if lastError?.kind == kind { lastError = nil }
    }
}

extension ProductViewModel {
    /// Where the screen's product stands.
    public enum Phase: Hashable, Sendable {
        /// Nothing was asked yet; the product is the one that the screen was opened with.
        case idle
        /// A reload is on its way.
        case loading
        /// The last reload brought the product.
        case loaded
        /// The last reload failed; the product is the one from before.
        case failed
        /// There is no such product any longer; what is shown is what was known of it.
        case deleted
    }

    /// What went wrong, and in doing what.
    public struct Failure: LocalizedError {
        /// What was being done.
        public enum Kind: Hashable, Sendable { case reload, toggleFavorite, addToList }

        /// What was being done.
        public let kind: Kind
        /// What went wrong, unchanged.
        public let underlying: any Error

        /// What the underlying error tells a person.
        public var errorDescription: String? { underlying.localizedDescription }
    }

    /// Where the screen's product stands.
    public var phase: Phase {
        if isLoading { return .loading }
        return record.isDeleted ? .deleted : outcome
    }
}

extension ProductViewModel {
    /// The product as it is shown.
    public var product: Product { record.product }

    /// The product's name.
    public var title: String { record.content.name }

    /// What the shop tells about the product; empty when it tells nothing.
    public var detailText: String { record.content.description ?? "" }

    /// The price in the user's currency; `nil` when the product has none there.
    public var price: Price? { record.content.price(in: localUser.currency) }

    /// The price as the user reads it; `nil` when the product has none in the user's currency.
    public var priceText: String? { price?.formatted(locale: localUser.locale) }

    /// The product's pictures, the most important one first.
    public var images: [URL] { record.content.images }

    /// Whether the product is shown as a favorite: as the user wants it, else as the server has it.
    public var isFavorite: Bool { record.isFavorite }

    /// Where what is shown came from: the server, or a cache.
    ///
    /// Of a stand-in, ``FetchSource/staleIfError(asOf:failure:)``, tell the user: “offline, from 10:42”.
    /// The next reload that succeeds makes it the server's word.
    public var source: FetchSource { record.source }

    /// When the server last vouched for what is shown, whatever has failed since; `nil` when nobody
    /// told.
    public var asOf: Date? { record.asOf }
}
