import Foundation
import ProductKit

/// A catalog screen and its product screens, controlled by typed commands.
@MainActor
struct BrowseSession {
    let service: ProductService
    let screen: CatalogViewModel

    /// Shows the catalog and runs typed commands until the user quits or the input ends.
    func run() async throws {
        // A search starts when the user presses Return, so it needs no delay.
        screen.debounce = .zero
        show(from: 0)
        while let line = prompt() {
            do {
                guard try await perform(line) else { continue }
                return
            } catch {
                // The session continues after an error. The next command may succeed.
                Terminal.print("✗ \(error.localizedDescription)")
            }
        }
    }

    /// Runs a command.
    ///
    /// - Returns: Whether the session has ended.
    private func perform(_ line: String) async throws -> Bool {
        switch line {
        case "q":
            return true
        case "", "n":
            try await showNextPage()
        case "r":
            try await screen.refresh()
            show(from: 0)
        case _ where line.hasPrefix("/"):
            try await screen.search(String(line.dropFirst()))
            show(from: 0)
        case _ where line.hasPrefix("*"):
            guard let row = row(line.dropFirst()) else { break }
            try await productScreen(of: row).toggleProductFavoriteStatus()
            let mark = row.isFavoriteUnsent ? " \(Outbox.Change.mark)" : ""
            Terminal.print("\(row.isFavorite ? "★" : "☆") \(row.title)\(mark)")
        default:
            guard let row = row(line[...]) else { break }
            let product = try await service.viewModel(
                forProductWithID: row.id,
                policy: .networkFirst
            )
            let lists = try await service.listManager.allListsIfSupported()
            Terminal.print(ProductCard(product, lists: lists, changes: service.savedChanges))
        }
        return false
    }

    private func showNextPage() async throws {
        let (rowCount, rejectedCount) = (screen.rows.count, screen.rejected.count)
        guard screen.hasNextPage else { return Terminal.print("There are no more products.") }
        try await screen.loadNextPage()
        show(from: rowCount, rejectedFrom: rejectedCount)
    }

    private func show(from first: Int, rejectedFrom firstRejected: Int = 0) {
        let table = CatalogTable(
            screen,
            from: first,
            rejectedFrom: firstRejected,
            isNumbered: true
        ).description
        if !table.isEmpty { Terminal.print(table) }
        let total = screen.total.map { " of \($0.text)" } ?? ""
        let more = screen.hasNextPage ? ", n for more" : ""
        Terminal.print("  \(screen.rows.count.text)\(total) shown\(more)")
    }

    /// Returns the product screen of a row.
    ///
    /// The two share the product's state.
    private func productScreen(of row: ProductRow) -> ProductViewModel {
        service.viewModel(for: row.product)
    }

    private func row(_ text: Substring) -> ProductRow? {
        let number = Int(text.trimmingCharacters(in: .whitespaces))
        guard let number, number > 0, number <= screen.rows.count else {
            let last = screen.rows.count
            let advice = last == 0 ? "search for something else" : "type 1 to \(last)"
            Terminal.print("There is no row “\(text)”: \(advice).")
            return nil
        }
        return screen.rows[number - 1]
    }

    private static let commands = [
        "n next page", "/text search", "3 open row 3", "*3 favorite row 3", "r refresh", "q quit >",
    ]

    private func prompt() -> String? {
        // Lines are broken between commands, and not inside of them.
        let commands = Self.commands.map { $0.replacing(" ", with: "\u{A0}") }
            .joined(separator: "\u{A0}· ")
        let lines = commands.broken(at: Terminal.columns().map { $0 - 4 } ?? .max)
        print(lines.joined(separator: "\n").replacing("\u{A0}", with: " "), terminator: " ")
        fflush(nil)
        let line = readLine()
        // Only a terminal shows the typed line. For a script, and at the end of the input, print it.
        if line == nil || isatty(STDIN_FILENO) == 0 { Terminal.print(line ?? "") }
        return line.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
