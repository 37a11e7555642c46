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
/// A method returns normally when its promise holds, whoever made it hold. It throws what went
/// wrong, and keeps it in ``lastError`` for the screen; cancellation is thrown and kept nowhere.
@MainActor @Observable
public final class ProductViewModel {
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
    public struct Failure: Error {
        /// What was being done.
        public enum Kind: Hashable, Sendable { case reload, toggleFavorite, addToList }

        /// What was being done.
        public let kind: Kind
        /// What went wrong, unchanged.
        public let underlying: any Error
    }

    /// The failure to show, `nil` for none; a success of the same kind clears it, and so may the app.
    public var lastError: Failure?
    /// Whose currency and locale the price is shown in.
    public var localUser: LocalUser
    /// Whether a reload is on its way.
    public private(set) var isLoading = false

    private var outcome = Phase.idle
    private let record: ProductRecord
    private let actions: Actions
    @ObservationIgnored private var reloadsInFlight = 0
    @ObservationIgnored private var failedReload: ProductRecord.Question?

    /// Creates a view model.
    ///
    /// - Parameters:
    ///   - product: What to show until something newer is known.
    ///   - localUser: Whose currency and locale the price is shown in.
    ///   - actions: What the screen can do.
    ///   - store: What lets several screens of one product agree; `nil` for a screen alone.
    public init(
        product: Product,
        localUser: LocalUser,
        actions: Actions,
        store: ProductStore? = nil
    ) {
        self.localUser = localUser
        self.actions = actions
        record = (store ?? ProductStore()).record(of: product)
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
        if reloadsInFlight == 1 { isLoading = true }
        defer {
            reloadsInFlight -= 1
            if reloadsInFlight == 0 { isLoading = false }
        }
        do {
            let isNews = try record.learn(try await actions.reload(), from: question)
            if isNews { succeed(.reload) } else { try keepNewerAnswer() }
        } catch {
            let error = meaning(of: error, from: question)
            if error is CancellationError { throw error }
            if record.hasAnswered(after: question) { return try keepNewerAnswer() }
            failedReload = question
            fail(.reload, error)
            throw error
        }
    }

    /// Makes the product a favourite, or none if it is one.
    ///
    /// The change shows at once, and is taken back when it fails. Several taps are sent one after
    /// another, and only as many as are needed: the last one wins.
    ///
    /// - Throws: What the action threw, unchanged; `CancellationError` when the task was cancelled
    ///   or the store was reset; ``ProductError`` when the product is gone or another one came.
    public func toggleProductFavoriteStatus() async throws {
        try await edit(.toggleFavorite) { question in
            let tap = record.tap()
            defer { record.withdraw(tap) }
            let turn = try await record.turns.take(.favorite)
            defer { turn.end() }
            try record.checkExistence()
            guard record.isNeeded(tap) else { return }
            question = record.ask()
            let product = try await actions.toggleFavorite(tap.wish)
            try record.settle(tap, with: product, from: question)
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
        try await edit(.addToList) { question in
            let turn = try await record.turns.take(.list(listID))
            defer { turn.end() }
            try record.checkExistence()
            guard !record.wasAdded(to: listID, after: question) else { return }
            question = record.ask()
            try await actions.addToList(listID)
            try record.learnAddition(to: listID, from: question)
        }
    }
}

extension ProductViewModel {
    /// The product as it is shown.
    public var product: Product {
        var product = record.content
        product.isFavorite = record.isFavorite
        return product
    }

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

    /// Whether the product is shown as a favourite: as the user wants it, else as the server has it.
    public var isFavorite: Bool { record.isFavorite }

    /// Where the screen's product stands.
    public var phase: Phase {
        if isLoading { return .loading }
        return record.isDeleted ? .deleted : outcome
    }
}

extension ProductViewModel {
    /// Does an edit, of whose question `body` tells the moment when it comes to ask it.
    private func edit(
        _ kind: Failure.Kind,
        _ body: (inout ProductRecord.Question) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        var question = record.ask()
        do {
            try record.checkExistence()
            try await body(&question)
        } catch {
            let error = meaning(of: error, from: question)
            if !(error is CancellationError) { fail(kind, error) }
            throw error
        }
        succeed(kind)
    }

    /// What an action's error means here, once the record has learned from it.
    private func meaning(of error: any Error, from question: ProductRecord.Question) -> any Error {
        do {
            try Task.checkCancellation()
            try record.checkSession(of: question)
        } catch {
            return error
        }
        if case ProductError.notFound(record.id) = error { record.learnAbsence(from: question) }
        return error
    }

    /// Ends a reload whose answer came too late to be shown: a later question has been answered.
    ///
    /// The failure of a question later still stays.
    private func keepNewerAnswer() throws {
        try record.checkExistence()
        if failedReload.map(record.hasAnswered) ?? true { succeed(.reload) }
    }

    private func succeed(_ kind: Failure.Kind) {
        if kind == .reload { outcome = .loaded }
        if lastError?.kind == kind { lastError = nil }
    }

    private func fail(_ kind: Failure.Kind, _ error: any Error) {
        if kind == .reload { outcome = .failed }
        lastError = Failure(kind: kind, underlying: error)
    }
}
