import ProductKit

/// The contents of the catalog screen as text.
struct CatalogTable: CustomStringConvertible {
    let description: String

    /// Creates the text for the rows and rejected products from an index on.
    @MainActor init(
        _ screen: CatalogViewModel,
        from first: Int = 0,
        rejectedFrom firstRejected: Int = 0,
        isNumbered: Bool = false
    ) {
        var lines = screen.rows.enumerated().dropFirst(first).map { index, row in
            (isNumbered ? "\(index + 1)".padded(to: 4) : "") + Self.line(row)
        }
        if let note = screen.source.note { lines.insert("(\(note))", at: 0) }
        if screen.rows.isEmpty, screen.phase == .loaded {
            let text = screen.query.text
            lines.append(text.isEmpty ? "The store is empty." : "No product matches “\(text)”.")
        }
        lines += screen.rejected.dropFirst(firstRejected).map { element in
            "  skipped an invalid product: \(element.text)"
        }
        description = lines.joined(separator: "\n")
    }

    @MainActor private static func line(_ row: ProductRow) -> String {
        let star = row.isDeleted ? "✗" : row.isFavorite ? "★" : "☆"
        let id = row.id.description.padded(to: 22)
        let price = (row.priceText ?? "–").padded(to: 12)
        let mark = row.isFavoriteUnsent ? " \(Outbox.Change.mark)" : ""
        return "\(star) \(id) \(price) \(row.title)\(mark)"
    }
}

extension RejectedElement {
    /// The path of the invalid member, if any, and the reason.
    var text: String {
        member.isEmpty ? reason : "\(member): \(reason)"
    }
}
