import Foundation

/// A product in the catalog, with its encoded forms and its search text.
struct CatalogEntry: Sendable {
    let product: StoreProduct
    /// The position in the catalog.
    ///
    /// It is never used for another product.
    let position: Int

    private let plain: Document
    private let favorite: Document
    private let searchText: String

    init(_ product: StoreProduct, position: Int) {
        self.product = product
        self.position = position
        plain = Document(ProductRepresentation(product: product, isFavorite: false))
        favorite = Document(ProductRepresentation(product: product, isFavorite: true))
        let texts = [product.name, product.description ?? ""] + product.attributes.values
        searchText = texts.joined(separator: "\n").foldedForSearch
    }

    /// Returns the encoded product with a user's favorite status.
    func document(isFavorite: Bool) -> Document {
        isFavorite ? favorite : plain
    }

    /// Returns whether the product's texts contain every word.
    func matches(_ foldedWords: [Substring]) -> Bool {
        foldedWords.allSatisfy(searchText.contains)
    }
}

extension String {
    /// The text without case and accents, in which `Käse` equals `KASE`.
    var foldedForSearch: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}

/// A product with the member that depends on the user.
///
/// All members are present, those without a value as `null`: in a page, an absent one is unknown.
private struct ProductRepresentation: Encodable {
    let product: StoreProduct
    let isFavorite: Bool

    private enum Member: String, CodingKey {
        case isFavorite, description, url, isAvailable, updatedAt
    }

    func encode(to encoder: any Encoder) throws {
        try product.encode(to: encoder)
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(isFavorite, forKey: .isFavorite)
        try members.encode(product.description, forKey: .description)
        try members.encode(product.url, forKey: .url)
        try members.encode(product.isAvailable, forKey: .isAvailable)
        try members.encode(product.updatedAt, forKey: .updatedAt)
    }
}
