import Observation

/// The open screens of lists of a store, and the failure that all of them show.
@MainActor @Observable
final class ListScreens {
    private struct WeakScreen {
        weak var screen: ListMembershipViewModel?
    }

    /// The failure of the latest creation of a list that was saved and that the server has refused.
    private(set) var rejection: ViewModelFailure?
    /// The lists of this failure and of all earlier ones that were not created since.
    @ObservationIgnored private var rejectedLists: Set<ProductList.ID> = []
    @ObservationIgnored private var screens: [WeakScreen] = []

    /// Adds a screen, which is held weakly.
    func add(_ screen: ListMembershipViewModel) {
        screens.removeAll { $0.screen == nil }
        screens.append(WeakScreen(screen: screen))
    }

    /// Shows on all screens that the server has refused to create a list, and removes the list.
    func reject(_ list: ProductList.ID, with error: any Error) {
        rejection = ViewModelFailure(kind: .createList, underlying: error)
        rejectedLists.insert(list)
        for screen in all { screen.removeDraft(withID: list) }
    }

    /// Removes the failure on all screens, because the server has created a list.
    func confirm(_ list: ProductList.ID) {
        dismissRejection()
        rejectedLists.remove(list)
    }

    /// Whether an error is that a list does not exist whose creation was refused, also in an earlier
    /// run of the app.
    func isOfRejectedList(_ error: any Error, in outbox: Outbox.Session?) -> Bool {
        guard case ListError.notFound(let list) = error else { return false }
        return rejectedLists.contains(list)
            || outbox?.rejections.contains { rejection in
                rejection.change.edit.isCreation && rejection.change.edit.parts.list == list
            } == true
    }

    /// Removes the failure on all screens.
    func dismissRejection() {
        // Setting an equal value would notify the observers.
        if rejection != nil { rejection = nil }
    }

    /// Empties the screens, and forgets the lists that were refused, for a sign-out.
    func reset() {
        dismissRejection()
        rejectedLists = []
        for screen in all { screen.reset() }
    }

    var all: [ListMembershipViewModel] { screens.compactMap(\.screen) }
}
