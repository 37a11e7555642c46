import Foundation
import ProductKit

/// A store whose screens save their edits in an outbox in memory.
///
/// Each attempt to send a change waits in ``attempts`` until the test returns a confirmation or
/// throws an error. No delay ends by itself: call `outbox.resume()`.
@MainActor
final class SavingScreens {
    let outbox: Outbox.Session
    let store: ProductStore
    let attempts = ActionGate<Outbox.Confirmation>()
    private let server = OutboxServer()

    init(storage: OutboxStorage = .inMemory()) {
        let clock = ManualClock()
        let outbox = Outbox(storage: { _ in storage }, effects: clock.effects())
        self.outbox = outbox.start { [attempts, server] change in
            _ = try server.receive(change)
            return try await attempts.hold()
        }
        store = ProductStore(outbox: self.outbox)
    }

    /// The edits that were sent, in order, one for each attempt.
    var sent: [Outbox.Edit] { server.edits }

    /// A screen of the boots, whose edits the outbox saves.
    func productScreen(
        showing product: Product = .boots,
        reload: Loading<Product>? = nil
    ) -> ProductViewModel {
        var actions = ProductViewModel.Actions(
            productID: product.id,
            loader: ProductLoader(load: { _ in .boots }).saving(in: outbox),
            listManager: ListManager(addProduct: { _, _ in }).saving(in: outbox)
        )
        if let reload { actions.reload = reload }
        return ProductViewModel(actions, product: product, store: store)
    }

    /// A screen of the boots, whose favorite status was changed and is being sent.
    func sendingScreen(
        showing product: Product = .boots,
        reload: Loading<Product>? = nil
    ) async throws -> ProductViewModel {
        let screen = productScreen(showing: product, reload: reload)
        try await screen.toggleProductFavoriteStatus()
        await attempts.waitForCalls(1)
        return screen
    }

    /// A screen of the boots, whose favorite status was changed, which the server has refused.
    func refusedScreen(reload: Loading<Product>? = nil) async throws -> ProductViewModel {
        let screen = productScreen(reload: reload)
        try await screen.toggleProductFavoriteStatus()
        try await refuse()
        return screen
    }

    /// A screen of the lists of a product, whose edits the outbox saves.
    func listScreen(
        of product: Product = .boots,
        lists: [ProductList] = [.wishlist],
        loadLists: Loading<Page<ProductList>>? = nil
    ) -> ListMembershipViewModel {
        var actions = ListMembershipViewModel.Actions(
            productID: product.id,
            listManager: ListManager(addProduct: { _, _ in }).saving(in: outbox)
        )
        if let loadLists { actions.loadLists = loadLists }
        return ListMembershipViewModel(
            product: product,
            lists: lists,
            actions: actions,
            store: store
        )
    }

    /// Waits until the outbox has sent a change, and the server's outcome was applied.
    ///
    /// - Parameters:
    ///   - outcome: The response of the server.
    ///   - isCounted: Whether the test has waited for the attempt already.
    /// - Throws: `NoHeldCall` if no attempt is held.
    func respond(
        with outcome: Result<Outbox.Confirmation, any Error>,
        isCounted: Bool = false
    ) async throws {
        if !isCounted { await attempts.waitForCalls(1) }
        var events = outbox.events().makeAsyncIterator()
        switch outcome {
        case .success(let confirmation): try attempts.release(returning: confirmation)
        case .failure(let error): try attempts.release(throwing: error)
        }
        while let event = await events.next() {
            switch event {
            case .sent, .rejected, .postponed: return
            default: continue
            }
        }
    }

    /// Waits until the server has confirmed a change.
    func confirm(
        with product: Product? = nil,
        list: ProductList? = nil,
        isCounted: Bool = false
    ) async throws {
        let confirmation = Outbox.Confirmation(product: product, list: list)
        try await respond(with: .success(confirmation), isCounted: isCounted)
    }

    /// Waits until the server has refused a change.
    func refuse(
        with error: any Error = NetworkError(.forbidden),
        isCounted: Bool = false
    ) async throws {
        try await respond(with: .failure(error), isCounted: isCounted)
    }
}

extension ListMembershipViewModel {
    /// The names of the lists.
    var names: [String] { rows.map(\.name) }

    /// The names of the lists with unsent changes.
    var unsent: [String] { rows.filter(\.isUnsent).map(\.name) }
}
