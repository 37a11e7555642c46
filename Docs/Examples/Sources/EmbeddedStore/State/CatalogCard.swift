import Foundation

/// A product in the catalog, with everything that is derived from it, made once.
struct CatalogCard: Sendable {
    let product: StoreProduct
    /// The place in the catalog, never given to another product.
    let position: Int

    private let plain: Document
    private let favorite: Document
    private let searchText: String

    init(_ product: StoreProduct, position: Int) {
        self.product = product
        self.position = position
        plain = Document(Seen(product: product, isFavorite: false))
        favorite = Document(Seen(product: product, isFavorite: true))
        let texts = [product.name, product.description ?? ""] + product.attributes.values
        searchText = texts.joined(separator: "\n").foldedForSearch
    }

    /// The product as a shopper sees it.
    func document(isFavorite: Bool) -> Document {
        isFavorite ? favorite : plain
    }

    /// Whether every word occurs in the product's texts.
    func matches(_ foldedWords: [Substring]) -> Bool {
        foldedWords.allSatisfy(searchText.contains)
    }
}

extension String {
    /// The text without its case and its accents: `Käse` and `KASE` are one.
    var foldedForSearch: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}

/// A product with the one member that depends on who looks.
private struct Seen: Encodable {
    let product: StoreProduct
    let isFavorite: Bool

    private enum Member: String, CodingKey {
        case isFavorite
    }

    func encode(to encoder: any Encoder) throws {
        try product.encode(to: encoder)
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(isFavorite, forKey: .isFavorite)
    }
}
