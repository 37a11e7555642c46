import ProductKit

/// The contents of a product screen as text.
struct ProductCard: CustomStringConvertible {
    let title: String
    let detailText: String
    let price: String
    let isFavorite: Bool
    let lists: [String]
    /// A note on the source of the product, or `nil` if the server sent or revalidated it.
    let note: String?

    @MainActor init(_ screen: ProductViewModel, lists: [ProductList]) {
        title = screen.title
        detailText = screen.detailText
        price = screen.priceText ?? "no price in \(screen.localUser.currency)"
        isFavorite = screen.isFavorite
        note = screen.source.note
        self.lists = lists.filter { $0.products.contains(screen.product.id) }.map(\.name)
    }

    var description: String {
        let heading = "\(isFavorite ? "★" : "☆") \(title)"
        let gap = max(2, Self.width - heading.count - price.count)
        let lines =
            [heading + String(repeating: " ", count: gap) + price]
            + wrapped(detailText)
            + ["Lists: \(lists.isEmpty ? "none" : lists.joined(separator: ", "))"]
        let width = lines.map(\.count).max() ?? 0
        let edge = String(repeating: "─", count: width + 2)
        let rows = lines.map { line in
            "  │ \(line)\(String(repeating: " ", count: width - line.count)) │"
        }
        let label = note.map { "─ \($0) " } ?? ""
        return (["  ┌\(label)\(edge.dropFirst(label.count))┐"] + rows + ["  └\(edge)┘"]).joined(
            separator: "\n"
        )
    }

    private static let width = 60

    private func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            if let line = lines.last, line.count + word.count < Self.width {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension ListManager {
    /// Returns all lists of the user, or none if the backend does not support this.
    func allListsIfSupported() async throws -> [ProductList] {
        do {
            return try await allLists().items
        } catch is UnsupportedOperation {
            return []
        }
    }
}
