import ProductKit

/// What the list screen shows, drawn with text.
struct CatalogTable: CustomStringConvertible {
    let description: String

    /// Draws the rows from a place on.
    @MainActor init(
        _ screen: CatalogViewModel,
        from first: Int = 0,
        rejectedFrom firstRejected: Int = 0,
        isNumbered: Bool = false
    ) {
        var lines = screen.rows.enumerated().dropFirst(first).map { place, row in
            (isNumbered ? Self.column("\(place + 1)", 4) : "") + Self.line(row)
        }
        if let note = screen.source.note { lines.insert("(\(note))", at: 0) }
        if screen.rows.isEmpty, screen.phase == .loaded {
            let text = screen.query.text
            lines.append(text.isEmpty ? "The store is empty." : "No product matches “\(text)”.")
        }
        lines += screen.rejected.dropFirst(firstRejected).map { element in
            "  a product could not be read: \(element.text)"
        }
        description = lines.joined(separator: "\n")
    }

    @MainActor private static func line(_ row: ProductRow) -> String {
        let star = row.isDeleted ? "✗" : row.isFavorite ? "★" : "☆"
        return "\(star) \(column(row.id, 22)) \(column(row.priceText ?? "–", 12)) \(row.title)"
    }

    private static func column(_ text: some CustomStringConvertible, _ width: Int) -> String {
        let text = text.description
        return text + String(repeating: " ", count: max(0, width - text.count))
    }
}
