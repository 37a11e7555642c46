/// The pages of products that match a query, one request for each step of a loop.
///
/// ```swift
/// for try await page in loader.pages(matching: "boots") {
///     show(page.items)
/// }
/// ```
///
/// Nothing is asked for before the loop begins, nor a page ahead; each loop begins anew. A product
/// that an earlier page of the loop held is left out, so a page may be empty before the last one.
/// A page whose ``Page/next`` was followed before is the last.
public struct ProductPages: AsyncSequence, Sendable {
    private let load: @Sendable (PageCursor?) async throws -> Page<Product>

    init(load: @escaping @Sendable (PageCursor?) async throws -> Page<Product>) {
        self.load = load
    }

    /// Begins at the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(load: load)
    }

    /// Loads one page after another.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let load: @Sendable (PageCursor?) async throws -> Page<Product>
        private var cursor: PageCursor?
        private var followed: Set<PageCursor> = []
        private var met: Set<Product.ID> = []
        private var isOver = false

        fileprivate init(load: @escaping @Sendable (PageCursor?) async throws -> Page<Product>) {
            self.load = load
        }

        /// Loads the next page, away from the caller's actor, and comes back to it.
        ///
        /// - Parameter actor: Where the caller is.
        /// - Returns: The page without products met before; `nil` behind the last, and after an
        ///   error was thrown.
        /// - Throws: What ``ProductLoader/products(matching:after:)`` throws, once.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> Page<Product>? {
            guard !isOver else { return nil }
            // A step that throws is the last.
            isOver = true
            try Task.checkCancellation()
            var page = try await loadPage()
            if let next = page.next, followed.insert(next).inserted {
                cursor = next
                isOver = false
            }
            page.items = unmet(page.items)
            return page
        }

        private func loadPage() async throws -> Page<Product> {
            do {
                return try await load(cursor)
            } catch {
                // Networks fail in their own words when a task is cancelled.
                throw Task.isCancelled ? CancellationError() : error
            }
        }

        /// Products met for the first time, each once: at its first place, with its newest value.
        private mutating func unmet(_ products: [Product]) -> [Product] {
            let newest = Dictionary(products.map { ($0.id, $0) }) { _, newer in newer }
            return products.compactMap { met.insert($0.id).inserted ? newest[$0.id] : nil }
        }
    }
}

extension ProductLoader {
    /// The pages of products that match a query, loaded as a loop asks for them.
    ///
    /// Leaving the loop leaves the other pages alone. When the calling task is cancelled, the loop
    /// throws `CancellationError` and asks for no more.
    ///
    /// - Parameter query: What to look for; the empty query means everything.
    /// - Returns: The pages; what ``products(matching:after:)`` throws ends them.
    public func pages(matching query: ProductQuery = "") -> ProductPages {
        ProductPages { cursor in try await products(matching: query, after: cursor) }
    }
}
