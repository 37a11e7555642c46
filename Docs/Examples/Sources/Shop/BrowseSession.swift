import Foundation
import ProductKit

/// A list screen and the screens of its products, worked by typed commands.
@MainActor
struct BrowseSession {
    let service: ProductService
    let screen: CatalogViewModel

    /// Shows the list, and does what is typed until that ends.
    func run() async throws {
        // Whoever presses Return has finished typing.
        screen.debounce = .zero
        show(from: 0)
        while let line = prompt() {
            do {
                guard try await isDone(line) else { continue }
                return
            } catch {
                // What was shown stays; the next command may work.
                print("✗ \(error.localizedDescription)")
            }
        }
    }

    /// Does one command.
    ///
    /// - Returns: Whether it was the last.
    private func isDone(_ line: String) async throws -> Bool {
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
            print("\(row.isFavorite ? "★" : "☆") \(row.title)")
        default:
            guard let row = row(line[...]) else { break }
            let product = productScreen(of: row)
            try await product.reload()
            print(ProductCard(product, lists: try await service.listManager.allListsIfSupported()))
        }
        return false
    }

    private func showNextPage() async throws {
        let (rowCount, rejectedCount) = (screen.rows.count, screen.rejected.count)
        guard screen.hasNextPage else { return print("That was all.") }
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
        if !table.isEmpty { print(table) }
        let total = screen.total.map { " of \($0.formatted())" } ?? ""
        let more = screen.hasNextPage ? ", more with n" : ""
        print("  \(screen.rows.count.formatted())\(total)\(more)")
    }

    /// The product's own screen, which agrees with its row.
    private func productScreen(of row: ProductRow) -> ProductViewModel {
        service.viewModel(for: row.product)
    }

    private func row(_ text: Substring) -> ProductRow? {
        let number = Int(text.trimmingCharacters(in: .whitespaces))
        guard let number, number > 0, number <= screen.rows.count else {
            let last = screen.rows.count
            let advice = last == 0 ? "search for something else" : "write 1 to \(last)"
            print("There is no row “\(text)”; \(advice).")
            return nil
        }
        return screen.rows[number - 1]
    }

    private static let commands =
        "n next · /text search · 3 open · *3 favorite · r refresh · q quit"

    private func prompt() -> String? {
        print(Self.commands, terminator: " > ")
        fflush(nil)
        let line = readLine()
        // A terminal shows what is typed; what a script sends, or that it ended, nothing else shows.
        if line == nil || isatty(STDIN_FILENO) == 0 { print(line ?? "") }
        return line.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
