public import Foundation
public import Observation

/// A screen that shows which of the user's lists hold a product, and changes it.
///
/// ```swift
/// let viewModel = ListMembershipViewModel(
///     product: boots,
///     actions: .only(loadLists: { Page([wishlist]) }, addToList: { _ in })
/// )
/// try await viewModel.reload()
/// try await viewModel.toggleMembership(inListWithID: wishlist.id)
/// ```
///
/// A place in a list behaves as the favorite status of ``ProductViewModel`` does, and by the same
/// means: a tap shows at once and is rolled back alone when it fails, the taps on one list are sent
/// one after another, different lists go side by side, and all screens of the product that share a
/// ``ProductStore`` agree.
@MainActor @Observable
public final class ListMembershipViewModel {
    /// The failure to show, `nil` for none; a success of the same kind clears it, and so may the app.
    public var lastError: Failure? {
        get { isCurrent ? failure : nil }
        set { failure = newValue }
    }
    /// What stood among the lists but could not be read; it costs no other row.
    public var rejected: [RejectedElement] { isCurrent ? shownRejected : [] }
    /// Where the lists came from: the server, or a cache.
    public var source: FetchSource { isCurrent ? shownSource : .network }

    private var failure: Failure?
    private var shownRejected: [RejectedElement] = []
    private var shownSource = FetchSource.network
    private(set) var outcome = Phase.idle
    private(set) var reloadsInFlight = 0
    private(set) var shownRows: [Row] = []
    /// How often the user had signed out when the lists shown were learned; one more, and they are
    /// nobody's.
    private(set) var session = 0
    let record: ProductRecord
    private let actions: Actions
    @ObservationIgnored private var shelf: ListShelf
    @ObservationIgnored private var failedReload: ProductRecord.Question?
    /// The identities under which lists of these names are being created, and what they became.
    @ObservationIgnored private var drafts: [String: ProductList.ID] = [:]
    @ObservationIgnored private var created: [ProductList.ID: ProductList.ID] = [:]

    /// Creates a view model.
    ///
    /// - Parameters:
    ///   - product: The product whose places in lists are shown.
    ///   - lists: What to show until something newer is known, with the products in them.
    ///   - actions: What the screen can do.
    ///   - store: What lets several screens of one product agree; `nil` for a screen alone.
    public init(
        product: Product,
        lists: [ProductList] = [],
        actions: Actions,
        store: ProductStore? = nil
    ) {
        self.actions = actions
        record = (store ?? ProductStore()).record(of: product)
        session = record.resets
        shelf = ListShelf(lists)
        record.seed(lists)
        show()
    }

    /// Loads the lists anew.
    ///
    /// It returns normally when the screen shows what was asked for, or something newer. Called
    /// twice, it asks twice; the answer to the later question stays. Taps that wait stay shown.
    ///
    /// - Throws: What the action threw, unchanged; `CancellationError` when the task was cancelled
    ///   or the store was reset.
    public func reload() async throws {
        try Task.checkCancellation()
        startOverAfterReset()
        let question = record.ask()
        reloadsInFlight += 1
        defer { reloadsInFlight -= 1 }
        do {
            let page = try await actions.loadLists()
            try record.learn(page, from: question)
            if shelf.learn(page, from: question) {
                if shownSource != page.source { shownSource = page.source }
                if shownRejected != page.rejected { shownRejected = page.rejected }
                failedReload = nil
                show()
            } else if let failure = page.source.failure {
                throw failure
            }
        } catch {
            let error = record.learn(error, from: question)
            if error is CancellationError { throw error }
            guard shelf.hasAnswered(question) else {
                failedReload = max(failedReload ?? question, question)
                outcome = .failed
                throw keep(error, of: .reload)
            }
        }
        // An answer that changes nothing leaves the failure of a later question.
        guard failedReload == nil else { return }
        outcome = .loaded
        succeed(.reload)
    }

    /// Puts the product in a list that is shown, or takes it out if it is there.
    ///
    /// The change shows at once, and is taken back when it fails. Several taps on one list are sent
    /// one after another, and only as many as are needed: the last one wins. Its being so already is
    /// success. A product that is gone can still be taken out.
    ///
    /// - Parameter listID: The list's identity.
    /// - Throws: What the action threw, unchanged; ``ListError/notFound(_:)`` when no such list is
    ///   shown, `CancellationError` when the task was cancelled or the store was reset,
    ///   ``ProductError/notFound(_:)`` when the product to put there is gone.
    public func toggleMembership(inListWithID listID: ProductList.ID) async throws {
        try await edit(.toggleMembership(listID)) {
            guard let row = rows.first(where: { $0.id == listID }) else {
                throw ListError.notFound(listID)
            }
            try await setMembership(!row.holdsProduct, in: listID)
        }
    }

    /// Creates a list and puts the product in it.
    ///
    /// The list is shown when it has been created, and the product in it at once. Called again with
    /// the same name after a failure it creates no second list; called twice at once, neither.
    ///
    /// - Parameter name: The name of the list, between 1 and 200 characters.
    /// - Throws: What the action threw, unchanged: when the list was not created, of kind
    ///   ``Failure/Kind/createList``, else of kind ``Failure/Kind/toggleMembership(_:)``;
    ///   `CancellationError` when the task was cancelled or the store was reset,
    ///   ``ProductError/notFound(_:)`` when the product is gone.
    public func addProductToNewList(named name: String) async throws {
        let id = try await edit(.createList) { try await createList(named: name) }
        try await edit(.toggleMembership(id)) { try await setMembership(true, in: id) }
        drafts[name] = nil
    }
}

extension ListMembershipViewModel {
    private func setMembership(_ wish: Bool, in listID: ProductList.ID) async throws {
        if wish { try record.checkExistence() }
        let tap = record.tap(wish, on: .list(listID))
        defer { record.withdraw(tap, on: .list(listID)) }
        let turn = try await record.turns.take(.list(listID))
        defer { turn.end() }
        if wish { try record.checkExistence() }
        guard record.flag(of: .list(listID)).isNeeded(tap) else { return }
        try await ask(about: .list(listID)) { question in
            try await wish ? actions.addToList(listID) : actions.removeFromList(listID)
            try record.settle(tap, in: listID, from: question)
        }
    }

    private func createList(named name: String) async throws -> ProductList.ID {
        let draft = ProductList(id: drafts[name] ?? actions.newListID(), name: name)
        drafts[name] = draft.id
        try record.checkExistence()
        let turn = try await record.turns.take(.list(draft.id))
        defer { turn.end() }
        if let id = created[draft.id] { return id }
        return try await ask { question in
            let list = try await actions.createList(draft)
            try record.learn(Page([list]), from: question)
            shelf.learn(list, of: list.id, at: record.ask())
            created[draft.id] = list.id
            show()
            return list.id
        }
    }

    /// Does an edit, and keeps its failure for the screen.
    private func edit<Value>(
        _ kind: Failure.Kind,
        _ body: () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        startOverAfterReset()
        do {
            let value = try await body()
            succeed(kind)
            return value
        } catch {
            throw keep(error, of: kind)
        }
    }

    /// Asks a question for an edit whose turn it is, about what was tapped on, if anything was.
    ///
    /// That there is no such list is an answer, too.
    private func ask<Value>(
        about target: ProductRecord.Target? = nil,
        _ body: (ProductRecord.Question) async throws -> Value
    ) async throws -> Value {
        let question = record.ask()
        do {
            return try await body(question)
        } catch {
            let error = record.learn(error, from: question)
            if case ListError.notFound(let listID) = error {
                // Whoever asks for a list of that name once more gets a new one.
                drafts = drafts.filter { created[$0.value] != listID }
                shelf.learn(nil, of: listID, at: record.ask())
                show()
            }
            if let target { record.learn(error, ofTapOn: target, from: question) }
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

    private func show() {
        let rows = shelf.lists.map { list in
            Row(id: list.id, name: list.name, membership: record.membership(in: list.id))
        }
        if rows != shownRows { shownRows = rows }
    }

    /// Forgets whose lists were shown, if the user has signed out since.
    private func startOverAfterReset() {
        guard session != record.resets else { return }
        session = record.resets
        (shelf, drafts, created, failedReload) = (ListShelf(), [:], [:], nil)
        (outcome, shownRejected, shownSource, failure) = (.idle, [], .network, nil)
        show()
    }
}

extension ListMembershipViewModel {
    /// Where the screen's lists stand.
    public enum Phase: Hashable, Sendable {
        /// Nothing was asked yet; the lists are those that the screen was opened with.
        case idle
        /// A reload is on its way.
        case loading
        /// The last reload brought the lists.
        case loaded
        /// The last reload failed; the lists are the ones from before.
        case failed
    }

    /// What went wrong, and in doing what.
    public struct Failure: LocalizedError {
        /// What was being done.
        public enum Kind: Hashable, Sendable {
            case reload, createList
            case toggleMembership(ProductList.ID)
        }

        /// What was being done.
        public let kind: Kind
        /// What went wrong, unchanged.
        public let underlying: any Error

        /// What the underlying error tells a person.
        public var errorDescription: String? { underlying.localizedDescription }
    }

    /// Where the screen's lists stand.
    public var phase: Phase {
        if isLoading { return .loading }
        return isCurrent ? outcome : .idle
    }

    /// Whether a reload is on its way.
    public var isLoading: Bool { reloadsInFlight > 0 }

    /// Whether nobody has signed out since the lists that are shown were learned.
    var isCurrent: Bool { session == record.resets }
}

extension ListMembershipViewModel {
    /// A list, and whether it holds the product.
    ///
    /// A row changes by itself, and whoever reads ``holdsProduct`` is told of changes to this row
    /// only.
    public struct Row: Identifiable, Sendable {
        /// The list's identity.
        public let id: ProductList.ID
        /// The name that the user gave the list.
        public let name: String
        let membership: ListMembership

        /// Whether the list is shown to hold the product: as the user wants it, else as the server
        /// has it.
        @MainActor public var holdsProduct: Bool { membership.holdsProduct }
    }

    /// The lists, in the backend's order; those created here come last.
    ///
    /// There are none after the user has signed out.
    public var rows: [Row] { isCurrent ? shownRows : [] }
}

extension ListMembershipViewModel.Row: Hashable {
    /// Whether both rows show the same place of the same product, under the same name.
    public static func == (
        one: ListMembershipViewModel.Row,
        other: ListMembershipViewModel.Row
    ) -> Bool {
        one.membership === other.membership && one.name == other.name
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(membership))
        hasher.combine(name)
    }
}
