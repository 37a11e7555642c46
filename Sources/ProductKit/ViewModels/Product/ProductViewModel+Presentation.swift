public import Foundation

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

    /// Whether the product is shown as a favourite: as the user wants it, else as the server has it.
    public var isFavorite: Bool { record.isFavorite }

    /// Where what is shown came from: the server, or a cache.
    ///
    /// Of a stand-in, ``FetchSource/Code-swift.struct/standIn``, tell the user: “offline, from 10:42”.
    /// The next reload that succeeds makes it the server's word.
    public var source: FetchSource { record.source }

    /// When the server last vouched for what is shown, whatever has failed since; `nil` when nobody
    /// told.
    public var asOf: Date? { record.asOf }
}
