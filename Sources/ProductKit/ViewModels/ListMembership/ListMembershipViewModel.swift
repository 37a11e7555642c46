public import Observation

/// The state and the actions of a screen that shows which of the user's lists contain a product.
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
/// A membership behaves like the favorite status of ``ProductViewModel``. Edits of different lists run concurrently.
/// All screens of the product that share a ``ProductStore`` show the same memberships.
///
/// After ``ProductStore/reset()`` the screen is empty. Close it, and create one with the service of the next user.
/// Without a service, ``reload()`` loads the lists again.
@MainActor @Observable
public final class ListMembershipViewModel: ReloadableScreen {
    /// The failure to show, if any.
    ///
    /// A success of the same kind sets it to `nil`. So does a later result that restores a product
    /// that was not found. The app sets it to `nil` when the user dismisses it.
    ///
    /// With an ``Outbox``, the server may refuse an edit after it was saved; see ``ProductViewModel/lastError``. A new
    /// list that was refused is shown on all screens of lists, with the kind ``ViewModelFailure/Kind/createList``.
    public var lastError: ViewModelFailure? {
        get { ownFailure ?? record.rejection ?? record.store.listScreens.rejection }
        set {
            // While this screen has a failure of its own, no rejection is shown, so none is dismissed.
            if newValue == nil, ownFailure == nil {
                if record.rejection != nil {
                    record.dismissRejections()
                } else {
                    record.store.listScreens.dismissRejection()
                }
            }
            ownFailure = newValue
        }
    }
    var ownFailure: ViewModelFailure? {
        get { failure?.current(for: record) }
        set { failure = ProductFailure(newValue, of: record) }
    }
    /// The lists in the backend's order, followed by those created on this screen or saved in an
    /// ``Outbox``.
    public private(set) var rows: [Row] = []
    /// The state of the screen.
    public private(set) var phase = LoadingPhase.idle
    /// The lists that could not be decoded; the others are shown.
    public private(set) var rejected: [RejectedElement] = []
    /// The source of the lists: the server, or a cache.
    public private(set) var source = FetchSource.network

    private var failure: ProductFailure?
    let record: ProductRecord
    private let actions: Actions
    @ObservationIgnored var reloads = ReloadState() { didSet { phase = reloads.phase } }
    @ObservationIgnored private var lists: DisplayedLists
    /// The identifiers that this screen has generated for new lists, by the name of the list.
    ///
    /// A retry uses the same identifier, so that the backend does not create a second list.
    @ObservationIgnored private var draftIDs: [String: ProductList.ID] = [:]
    /// The identifiers that the backend has assigned to new lists, by the generated identifier.
    @ObservationIgnored private var createdIDs: [ProductList.ID: ProductList.ID] = [:]

    /// Creates a view model.
    ///
    /// - Parameters:
    ///   - product: The product whose memberships are shown.
    ///   - lists: The lists to show until something newer is known, with their products.
    ///   - actions: The operations of the screen.
    ///   - store: The state to share with other screens; `nil` for a screen on its own.
    public init(
        product: Product,
        lists: [ProductList] = [],
        actions: Actions,
        store: ProductStore? = nil
    ) {
        self.actions = actions
        record = (store ?? ProductStore()).record(of: product)
        self.lists = DisplayedLists(lists)
        record.adopt(lists)
        record.store.listScreens.add(self)
        updateRows()
    }

    /// Loads the lists from the server.
    ///
    /// It returns normally when the screen shows the result of this request or of a later one. Each
    /// call sends its own request; the result of the latest one stays. Pending edits stay visible.
    ///
    /// - Throws: The error of the action; `CancellationError` when the task was cancelled or the
    ///   store was reset.
    public func reload() async throws {
        try await performReload { timestamp in
            let page = try await actions.loadLists()
            try record.apply(page, requestedAt: timestamp)
            guard lists.apply(page, requestedAt: timestamp) else {
                if let failure = page.source.failure { throw failure }
                return false
            }
            source = page.source
            rejected = page.rejected
            updateRows()
            return true
        }
    }

    func isSuperseded(_ timestamp: LogicalTimestamp) -> Bool {
        lists.hasApplied(responseTo: timestamp)
    }

    func phase(after error: any Error) -> LoadingPhase { .failed }

    /// Adds the product to a list that is shown, or removes it if the list contains it.
    ///
    /// The change is shown and sent like that of ``ProductViewModel/toggleProductFavoriteStatus()``. It is not an
    /// error if the server has that value already. A product that no longer exists can still be removed.
    ///
    /// - Parameter listID: The list's identifier.
    /// - Throws: The error of the action; ``ListError/notFound(_:)`` when the list is not shown;
    ///   `CancellationError` when the task was cancelled or the store was reset;
    ///   ``ProductError/notFound(_:)`` when the product to add no longer exists.
    public func toggleMembership(inListWithID listID: ProductList.ID) async throws {
        try await performEdit(.toggleMembership(listID)) {
            guard let row = rows.first(where: { $0.id == listID }) else {
                throw ListError.notFound(listID)
            }
            return try await setMembership(!row.holdsProduct, in: listID)
        }
    }

    /// Creates a list and adds the product to it.
    ///
    /// The list is shown when the server has created it, or an ``Outbox`` has saved it, with the
    /// product in it at once. Two calls at once with the same name create one list. After a failure, another call of
    /// this view model with the same name continues with the same identifier. It does not create a second list if the
    /// backend lets the client choose the identifier, recognizes it as a key, or has
    /// ``ListManager/findingCreatedLists()``. Another view model uses another identifier.
    ///
    /// - Parameter name: The name of the list, between 1 and 200 characters.
    /// - Throws: The error of the action, stored with kind ``ViewModelFailure/Kind/createList`` if
    ///   the list was not created, otherwise with kind
    ///   ``ViewModelFailure/Kind/toggleMembership(_:)``; `CancellationError` when the task was
    ///   cancelled or the store was reset; ``ProductError/notFound(_:)`` when the product no longer
    ///   exists.
    public func addProductToNewList(named name: String) async throws {
        try Task.checkCancellation()
        let start = record.store.timestamp()
        let draft = ProductList(id: draftIDs[name] ?? actions.effects.newListID(), name: name)
        draftIDs[name] = draft.id
        // The row of a list that an outbox saves is shown before the call that saves it returns.
        let target = ProductRecord.Target.list(draft.id)
        let edit: PendingEdit? =
            record.store.outbox == nil
            ? nil
            : record.update(target) { $0.beginEdit(to: true, at: record.store.timestamp()) }
        defer { if let edit { record.update(target) { $0.rollBack(edit) } } }
        let outcome = try await performEdit(.createList) { try await create(draft) }
        let id = outcome.confirmation ?? draft.id
        // Meanwhile, the user may have removed the product from the list that is shown already.
        if edit == nil || id != draft.id || record.membership(in: id).containsProduct {
            let addition = {
                // The store may have been reset before the task below runs.
                try self.record.checkGeneration(of: start)
                try await self.performEdit(.toggleMembership(id)) {
                    try await self.setMembership(true, in: id)
                }
            }
            if outcome == .saved {
                // The saved list must not lack the product if the task was cancelled meanwhile.
                try await Task { try await addition() }.value
            } else {
                try await addition()
            }
        }
        // Another call may have stored a new draft with this name in the meantime.
        if let draftID = draftIDs[name], createdIDs[draftID] == id { draftIDs[name] = nil }
    }

    private func setMembership(
        _ value: Bool,
        in listID: ProductList.ID
    ) async throws -> EditOutcome<Void> {
        try await record.setMembership(value, in: listID) {
            try await removingMissingList {
                try await value ? actions.addToList(listID) : actions.removeFromList(listID)
            }
        }
    }

    /// Creates a list, and returns its identifier.
    private func create(_ draft: ProductList) async throws -> EditOutcome<ProductList.ID> {
        try record.checkExistence()
        let lock = try await record.editLock.acquire(.list(draft.id))
        defer { lock.release() }
        // A saved list may have been discarded or deleted since then.
        if let id = createdIDs[draft.id],
            record.store.outbox == nil || rows.contains(where: { $0.id == id })
        {
            return .confirmed(id)
        }
        let timestamp = record.store.timestamp()
        let outcome: EditOutcome<ProductList>
        do {
            outcome = try await removingMissingList { try await actions.createList(draft) }
        } catch ListError.changed(let list) where list.id == draft.id {
            // An earlier attempt has created the list, whatever its name is on the server.
            outcome = .confirmed(list)
        } catch {
            throw record.apply(error, requestedAt: timestamp)
        }
        // A list that was saved for the previous user is not shown to the next one.
        try record.checkGeneration(of: timestamp)
        let now = record.store.timestamp()
        if let list = outcome.confirmation {
            try record.apply(Page([list]), requestedAt: timestamp)
            lists.apply(.list(list), forListWithID: list.id, at: now)
        } else if record.store.outbox == nil {
            lists.apply(.saved(draft), forListWithID: draft.id, at: now)
        }
        createdIDs[draft.id] = outcome.confirmation?.id ?? draft.id
        updateRows()
        return outcome.map(\.id)
    }

    /// Performs a request, and removes a list from the rows if the server reports that it does not
    /// exist, also if the task was cancelled.
    private func removingMissingList<Value>(
        _ request: () async throws -> Value
    ) async throws -> Value {
        let timestamp = record.store.timestamp()
        do {
            return try await request()
        } catch ListError.notFound(let listID) where record.store.isCurrent(timestamp) {
            removeList(withID: listID)
            throw ListError.notFound(listID)
        }
    }

    /// Creates the rows from the lists and the saved edits, and marks the lists that were not sent.
    ///
    /// The setter notifies observers if the rows differ.
    func updateRows() {
        let edits = record.store.outbox?.savedListEdits ?? []
        let named = edits.map(\.parts).filter { $0.name != nil }
        let unsentIDs = lists.savedIDs.union(named.compactMap(\.list))
        rows = lists.lists(with: edits).map { list in
            let membership = record.membership(in: list.id)
            membership.isListUnsent = unsentIDs.contains(list.id)
            return Row(id: list.id, name: list.name, membership: membership)
        }
    }

    /// Removes the lists of the user, because the store is reset.
    func reset() {
        (lists, draftIDs, createdIDs) = (DisplayedLists(), [:], [:])
        reloads.reset()
        (rows, rejected, source, failure) = ([], [], .network, nil)
    }
}

// The edits of lists that the outbox of the store saves and sends.
extension ListMembershipViewModel {
    /// Applies an edit of a list that the server has carried out, and the list that it returned, if any.
    ///
    /// Lists that were requested before now do not contain it.
    func confirm(
        _ edit: Outbox.Edit,
        with list: ProductList?,
        requestedAt timestamp: LogicalTimestamp
    ) {
        let now = record.store.timestamp()
        switch edit {
        case .createList(let id, let name):
            let list = list ?? ProductList(id: id, name: name)
            try? record.apply(Page([list]), requestedAt: timestamp)
            lists.apply(.list(list), forListWithID: list.id, at: now)
        case .renameList(let id, let name):
            lists.apply(.name(list?.name ?? name), forListWithID: id, at: now)
        case .deleteList(let id): lists.apply(.list(nil), forListWithID: id, at: now)
        case .setFavorite, .addProduct, .removeProduct: break
        }
        updateRows()
    }

    /// Removes a list that does not exist on the server.
    func removeList(withID id: ProductList.ID) {
        removeDraft(withID: id)
        lists.apply(.list(nil), forListWithID: id, at: record.store.timestamp())
        updateRows()
    }

    /// Makes the next call with the name of a list create a new one.
    func removeDraft(withID id: ProductList.ID) {
        draftIDs = draftIDs.filter { createdIDs[$0.value] != id }
    }
}

extension ListMembershipViewModel {
    /// A list, and whether it contains the product.
    ///
    /// A view that reads ``holdsProduct`` is updated only when the membership in this list changes.
    public struct Row: Identifiable, Hashable, Sendable {
        /// The list's identifier.
        public let id: ProductList.ID
        /// The list's name.
        public let name: String
        fileprivate let membership: ListMembership

        /// Whether to show the product as part of the list: the last pending edit, else the saved
        /// change, else the server's value.
        @MainActor public var holdsProduct: Bool { membership.containsProduct }

        /// Whether a change of the membership, or the creation or the name of the list, is saved on
        /// this device and not confirmed by the server; see ``Outbox``.
        ///
        /// A view that reads only ``holdsProduct`` is not updated when it changes.
        @MainActor public var isUnsent: Bool { membership.isUnsent }
    }
}
