public import Foundation
import Observation

/// A product in a list: a light view of what is known of it, shared with the product's own screen.
///
/// A row changes by itself when a tap, a reload or a page brings something new, and whoever reads
/// one of its members is told of changes to that one only. Two rows are equal when they show the
/// same product of the same store, whatever it looks like by now.
public struct ProductRow: Identifiable, Sendable {
    /// Whose currency and locale the prices of all rows are shown in.
    @MainActor @Observable
    final class Viewer {
        var localUser: LocalUser

        init(_ localUser: LocalUser) {
            self.localUser = localUser
        }
    }

    let record: ProductRecord
    let viewer: Viewer

    /// The product's identity.
    public var id: Product.ID { record.id }
}

extension ProductRow: Hashable {
    /// Whether both rows show the same product of the same store.
    public static func == (one: ProductRow, other: ProductRow) -> Bool {
        one.record === other.record
    }

    /// Hashes which product it is.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(record))
    }
}

extension ProductRow {
    /// The product as it is shown.
    @MainActor public var product: Product { record.product }

    /// The product's name.
    @MainActor public var title: String { record.content.name }

    /// The price in the user's currency; `nil` when the product has none there.
    @MainActor public var price: Price? { record.content.price(in: viewer.localUser.currency) }

    /// The price as the user reads it; `nil` when the product has none in the user's currency.
    @MainActor public var priceText: String? { price?.formatted(locale: viewer.localUser.locale) }

    /// The product's most important picture; `nil` when it has none.
    @MainActor public var image: URL? { record.content.images.first }

    /// Whether the product is shown as a favorite: as the user wants it, else as the server has it.
    @MainActor public var isFavorite: Bool { record.isFavorite }

    /// Whether there is no such product any longer; the row stays until its list is read again.
    @MainActor public var isDeleted: Bool { record.isDeleted }
}
