import ProductKit

/// The contents of a product screen as text.
struct ProductCard: CustomStringConvertible {
    let title: String
    let detailText: String
    let price: String
    let isFavorite: Bool
    let isFavoriteUnsent: Bool
    let lists: [String]
    /// A note on the source of the product, or `nil` if the server sent or revalidated it.
    let note: String?

    /// Creates the text for a screen.
    ///
    /// - Parameters:
    ///   - screen: The screen.
    ///   - lists: The lists of the user, as the store has them.
    ///   - changes: The saved changes that the store has not received yet.
    @MainActor init(
        _ screen: ProductViewModel,
        lists: [ProductList],
        changes: [Outbox.Change] = []
    ) {
        title = screen.title
        detailText = screen.detailText
        price = screen.priceText ?? "no price in \(screen.localUser.currency)"
        isFavorite = screen.isFavorite
        isFavoriteUnsent = screen.isFavoriteUnsent
        note = screen.source.note
        let id = screen.product.id
        self.lists = lists.applying(changes).filter { $0.list.products.contains(id) }
            .map { $0.isUnsent ? "\($0.list.name) \(Outbox.Change.mark)" : $0.list.name }
    }

    var description: String {
        let width = max(10, min(60, (Terminal.columns() ?? 80) - Self.frameColumns))
        let detail = detailText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let lines =
            heading(width)
            + (isFavoriteUnsent ? ["\(isFavorite ? "★" : "☆") \(Outbox.Change.mark)"] : [])
            + (detail.isEmpty ? [] : detail.broken(at: width, breaksWords: true))
            + "Lists: \(lists.isEmpty ? "none" : lists.joined(separator: ", "))"
            .broken(at: width, indent: "  ", breaksWords: true)
        let label = (note.map { "─ \($0) " } ?? "").prefix(columns: width + 2)
        let edge = String(repeating: "─", count: width + 2)
        let rows = lines.map { "  │ \($0.padded(to: width)) │" }
        return (["  ┌\(label)\(edge.dropFirst(label.columns))┐"] + rows + ["  └\(edge)┘"])
            .joined(separator: "\n")
    }

    /// The columns that the frame adds to a line.
    private static let frameColumns = "  │  │".count

    /// The title with the price on the right, or on the next line if they do not fit on one.
    private func heading(_ width: Int) -> [String] {
        let heading = "\(isFavorite ? "★" : "☆") \(title)"
        let gap = width - heading.columns - price.columns
        if gap >= 2 { return [heading.padded(to: heading.columns + gap) + price] }
        let indent = String(repeating: " ", count: max(2, width - price.columns))
        return heading.broken(at: width, indent: "  ", breaksWords: true) + [indent + price]
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
