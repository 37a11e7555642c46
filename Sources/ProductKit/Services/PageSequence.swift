/// The pages of a longer list, one request for each step of a loop.
///
/// ```swift
/// for try await page in loader.pages(matching: "boots") {
///     show(page.items)
/// }
/// ```
///
/// Nothing is asked for before the loop begins, nor a page ahead; each loop begins anew. An element
/// that an earlier page of the loop held is left out, so a page may be empty before the last one.
/// A page whose ``Page/next`` was followed before is the last.
public struct PageSequence<Element: Identifiable & Sendable>: AsyncSequence, Sendable
where Element.ID: Sendable {
    private let load: @Sendable (PageCursor?) async throws -> Page<Element>

    init(load: @escaping @Sendable (PageCursor?) async throws -> Page<Element>) {
        self.load = load
    }

    /// Begins at the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(load: load)
    }

    /// Loads one page after another.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let load: @Sendable (PageCursor?) async throws -> Page<Element>
        private var cursor: PageCursor?
        private var followed: Set<PageCursor> = []
        private var met: Set<Element.ID> = []
        private var isOver = false

        fileprivate init(load: @escaping @Sendable (PageCursor?) async throws -> Page<Element>) {
            self.load = load
        }

        /// Loads the next page, away from the caller's actor, and comes back to it.
        ///
        /// - Parameter actor: Where the caller is.
        /// - Returns: The page without elements met before; `nil` after the last, and after an error
        ///   was thrown.
        /// - Throws: What loading the page throws, once.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> Page<Element>? {
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

        private func loadPage() async throws -> Page<Element> {
            do {
                return try await load(cursor)
            } catch {
                // Networks fail in their own words when a task is cancelled.
                throw Task.isCancelled ? CancellationError() : error
            }
        }

        /// Elements met for the first time, each once: at its first place, with its newest value.
        private mutating func unmet(_ elements: [Element]) -> [Element] {
            let newest = Dictionary(elements.map { ($0.id, $0) }) { _, newer in newer }
            return elements.compactMap { met.insert($0.id).inserted ? newest[$0.id] : nil }
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
    public func pages(matching query: ProductQuery = "") -> PageSequence<Product> {
        PageSequence { cursor in try await products(matching: query, after: cursor) }
    }
}

extension ListManager {
    /// The pages of the user's lists, loaded as a loop asks for them.
    ///
    /// Leaving the loop leaves the other pages alone. When the calling task is cancelled, the loop
    /// throws `CancellationError` and asks for no more.
    ///
    /// - Returns: The pages; what ``lists(after:)`` throws ends them.
    public func pages() -> PageSequence<ProductList> {
        PageSequence { cursor in try await lists(after: cursor) }
    }

    /// Loads all of the user's lists, page after page.
    ///
    /// - Returns: All pages as one. The index of an element that could not be read counts from the
    ///   beginning of the first page; a list that stands on two pages counts once.
    /// - Throws: What ``lists(after:)`` throws; ``NetworkError`` when pages without end hold nothing
    ///   new. Whatever was loaded until then is dropped.
    @concurrent public func allLists() async throws -> Page<ProductList> {
        var all = Page<ProductList>([])
        var emptyPages = 0
        for try await page in pages() {
            emptyPages = page.items.isEmpty ? emptyPages + 1 : 0
            guard emptyPages <= 10 else {
                throw NetworkError(
                    .unreadable,
                    reason: "More than ten pages of lists in a row held nothing new, and there was "
                        + "always a next one. Correct what the server gives as next page."
                )
            }
            let start = all.items.count + all.rejected.count
            all.rejected += page.rejected.map { element in
                RejectedElement(
                    index: start + element.index,
                    member: element.member,
                    reason: element.reason
                )
            }
            all.items += page.items
            all.total = page.total ?? all.total
            if all.source.isFromServer { all.source = page.source }
        }
        return all
    }
}
