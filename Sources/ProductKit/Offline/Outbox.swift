public import Foundation

public final class Outbox: Sendable {
    /// Creates an outbox.
    ///
    /// - Parameter directory: The folder.
    public init(directory: URL? = nil) {}

    /// Saves an edit: when it returns, the edit is on disk and displayed by every screen of the
    /// store, and is sent when the server can be reached.
    @concurrent @discardableResult
    public func save(_ edit: Edit) async throws -> Change.ID { "" }

    /// Saves an edit, and returns the confirmation of the next attempt to send it.
    ///
    /// - Throws: the error of a rejection; ``SavedForLater`` if it must be sent later.
    @concurrent @discardableResult
    public func perform(_ edit: Edit) async throws -> Confirmation { Confirmation() }

    /// The changes that wait, in the order of saving.
    public var changes: [Change] { [] }

    // For the store, all cheap, called on the main actor.

    /// Whether nothing waits; cheaper than ``changes``.
    var isEmpty: Bool { true }
    /// Sets the only observer; called by the store when it creates its first record or screen.
    func observe(_ observer: OutboxObserver) {}
    /// The favorite status that a product should have; `nil` if no change of it waits.
    func savedFavoriteStatus(of product: Product.ID) -> Bool? { nil }
    /// Whether a list should contain a product; `nil` if no change of it waits.
    func savedMembership(of product: Product.ID, in list: ProductList.ID) -> Bool? { nil }
    /// The lists for which a membership of the product is saved, with the membership.
    func savedMemberships(of product: Product.ID) -> [ProductList.ID: Bool] { [:] }
    /// The creations, renamings and deletions of lists that wait, in the order of saving.
    var savedListEdits: [Edit] { [] }
}
