public import Foundation
import Observation

/// A product in a catalog, which shares its state with the product's own screen.
///
/// A row updates itself when an edit, a reload or a page changes the product. A view that reads its title, price or
/// image is updated when the content of the product changes. One that reads only ``isFavorite``,
/// ``isFavoriteUnsent`` or ``isDeleted`` is updated when that changes. Two rows are equal if they show
/// the same product of the same store, whatever its current content.
public struct ProductRow: Identifiable, Sendable {
    /// The settings that all rows of a catalog share.
    @MainActor @Observable
    final class DisplaySettings {
        var localUser: LocalUser

        init(_ localUser: LocalUser) {
            self.localUser = localUser
        }
    }

    let record: ProductRecord
    let settings: DisplaySettings

    /// The product's identifier.
    public var id: Product.ID { record.id }
}

extension ProductRow: Hashable {
    /// Whether both rows show the same product of the same store.
    public static func == (one: ProductRow, other: ProductRow) -> Bool {
        one.record === other.record
    }

    /// Hashes the identity of the product in its store.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(record))
    }
}

extension ProductRow {
    /// The product to show.
    @MainActor public var product: Product { record.product }

    /// The product's name.
    @MainActor public var title: String { record.content.name }

    /// The price in the user's currency; `nil` if the product has none in that currency.
    @MainActor package var price: Price? { record.content.price(in: settings.localUser.currency) }

    /// The price, formatted for the user; `nil` if the product has none in the user's currency.
    @MainActor public var priceText: String? { price?.formatted(locale: settings.localUser.locale) }

    /// The product's most important image; `nil` if it has none.
    @MainActor public var image: URL? { record.content.images.first }

    /// Whether to show the product as a favorite: the last pending edit, else the saved change, else
    /// the server's value.
    @MainActor public var isFavorite: Bool { record.isFavorite }

    /// Whether a change of the favorite status is saved on this device and not confirmed by the
    /// server; see ``Outbox``.
    @MainActor public var isFavoriteUnsent: Bool { record.isFavoriteUnsent }

    /// Whether the product no longer exists on the server.
    ///
    /// The row stays until a search or a refresh replaces the rows.
    @MainActor public var isDeleted: Bool { record.isDeleted }
}

extension [ProductRow] {
    /// Returns the rows that follow those that were reloaded, without those reloaded.
    ///
    /// The rows are divided at the place that assumes the fewest changes of the catalog: a row
    /// before it that was not reloaded was removed, and a row behind it that was reloaded has moved
    /// up. So one product that moves far does not remove the rows that it has passed. Of several such
    /// places it is the first, so that a row stays that may have moved down. The result is empty if
    /// no such place is behind the first row, for example because no row was reloaded.
    func remainder(after reloaded: [ProductRow]) -> [ProductRow] {
        let reloaded = Set(reloaded)
        var (end, score, best) = (0, 0, 0)
        for (index, row) in enumerated() {
            score += reloaded.contains(row) ? 1 : -1
            if score > best { (end, best) = (index + 1, score) }
        }
        return end > 0 ? self[end...].filter { !reloaded.contains($0) } : []
    }
}
