extension ProductLoader {
    /// Returns the pages of the products that match a query, loaded one by one.
    ///
    /// ```swift
    /// for try await page in loader.pages(matching: "boots") {
    ///     show(page.items)
    /// }
    /// ```
    ///
    /// Each step of the loop loads one page; nothing is loaded before the loop starts or after it
    /// ends. Each loop starts with the first page. A product that an earlier page of the loop
    /// contained is left out, so a page may be empty although there are more. If ``Page/next`` of a
    /// page without new products is the same as that of an earlier page, the loop ends after the page.
    ///
    /// When the calling task is cancelled, the loop throws `CancellationError` and sends no more requests.
    ///
    /// - Parameter query: The products to find. The empty query matches all products.
    /// - Returns: The pages. An error of ``products(matching:after:)`` ends them.
    public func pages(
        matching query: ProductQuery = ""
    ) -> some AsyncSequence<Page<Product>, any Error> & Sendable {
        PageSequence { cursor in try await products(matching: query, after: cursor) }
    }
}

extension ListManager {
    /// Returns the pages of the user's lists, loaded one by one as by ``ProductLoader/pages(matching:)``.
    ///
    /// - Returns: The pages. An error of ``lists(after:)`` ends them.
    public func pages() -> some AsyncSequence<Page<ProductList>, any Error> & Sendable {
        PageSequence { cursor in try await lists(after: cursor) }
    }

    /// Loads all of the user's lists, page after page.
    ///
    /// If a list is deleted or created meanwhile, the pages after it move, and a list may be on none of them. So
    /// all pages are loaded a second time if ``Page/total`` differs between the pages, or is greater than the
    /// number of lists found, or if a later page does not exist. Without a total, a missed list cannot be noticed.
    ///
    /// - Returns: All pages as one. A list that occurs on two pages is contained once. The index of
    ///   a list that could not be decoded counts from the first page, without such duplicates.
    /// - Throws: The errors of ``lists(after:)``; ``NetworkError`` after more than ten pages in a
    ///   row without new lists, and one with code ``NetworkError/Code-swift.struct/unavailable`` if a later
    ///   page does not exist the second time either. No lists are returned then.
    @concurrent public func allLists() async throws -> Page<ProductList> {
        try await allLists(named: nil)
    }

    /// Loads all lists, of which only those with a name need their products.
    @concurrent func allLists(named name: String?) async throws -> Page<ProductList> {
        try await PageSequence { cursor in try await lists(after: cursor, named: name) }.joined()
    }
}

extension NetworkClient {
    /// Loads each page of a collection, one after another, and returns all pages as one.
    ///
    /// Use it for what a screen needs as a whole, such as the products of one list:
    ///
    /// ```swift
    /// let products = try await client.allPages { cursor in
    ///     NetworkRequest<Page<Product>>.get("wishlist").page(.numbered, following: cursor)
    /// }
    /// ```
    ///
    /// If an element is deleted or added meanwhile, all pages are loaded a second time, as ``ListManager/allLists()``
    /// describes. Requests without a policy have ``FetchPolicy/networkFirst``, so that the pages fit together.
    ///
    /// - Parameter request: Creates the request for the page at a cursor; `nil` is the first page.
    /// - Returns: All pages as one, without ``Page/next``. An element whose `id` occurs twice is contained once.
    /// - Throws: The errors of `request` and ``send(_:behaviors:)``; ``NetworkError`` after more than ten pages in a row
    ///   without new elements, or if a later page does not exist the second time either. No elements are returned then.
    @concurrent public func allPages<Element: Identifiable>(
        _ request: @escaping @Sendable (PageCursor?) throws -> NetworkRequest<Page<Element>>
    ) async throws -> Page<Element> where Element.ID: Sendable {
        try await PageSequence { cursor in
            let request = try request(cursor)
            let hasPolicy = request.parts.policy != .standard
            return try await send(hasPolicy ? request : request.fetching(.networkFirst))
        }
        .joined()
    }
}

extension PageSequence {
    /// Loads all pages, a second time if they do not fit together.
    fileprivate func joined() async throws -> Page<Element> {
        var pages = try await everyPage()
        if pages.all.omissions.mayIncludeOthers { pages = try await everyPage() }
        if let error = pages.missing {
            throw NetworkError(
                .unavailable,
                underlying: error,
                reason: "This has changed while it was loaded. Try again.",
                details:
                    "The pages could not be loaded: a later page does not exist. They may have changed "
                    + "meanwhile. If it happens every time, correct the server’s pagination."
            )
        }
        return pages.all
    }

    /// A server whose pages never end must not keep its callers for ever.
    private static var maximumPageCount: Int { 10_000 }

    /// Loads all pages once, and returns the error of a later page that does not exist.
    ///
    /// Then the pages have moved. The error must not mean that what they contain does not exist.
    private func everyPage() async throws -> (all: Page<Element>, missing: (any Error)?) {
        var all = Page<Element>([])
        var totals: Set<Int> = []
        var pageCount = 0
        var pages = self
        do {
            while let page = try await pages.next() {
                guard pages.pagination.emptyPages <= Pagination<Element>.maximumEmptyPages else {
                    throw Self.endless(
                        "the server returned more than ten in a row without a new element"
                    )
                }
                guard pageCount < Self.maximumPageCount else {
                    throw Self.endless("there are more than \(Self.maximumPageCount)")
                }
                let start = all.items.count + all.rejectedCount
                all.rejections.append(page.rejections, offset: start)
                all.items += page.items
                all.omissions.count += page.omissions.count
                if page.omissions.mayIncludeOthers { all.omissions.mayIncludeOthers = true }
                all.total = page.total ?? all.total
                if let total = page.omissions.fullTotal ?? page.total { totals.insert(total) }
                pageCount += 1
                all.invalidMembers += page.invalidMembers
                    .prefix(InvalidMember.maximumCount - all.invalidMembers.count)
                all.source = all.source.combined(with: page.source)
            }
        } catch  where error.isNotFound && pages.pagination.next != nil {
            all.omissions.mayIncludeOthers = true
            return (all, error)
        }
        let count = all.items.count + all.rejectedCount + all.omissions.count
        if pageCount > 1 {
            if totals.count > 1 || count < totals.first ?? 0 {
                all.omissions.mayIncludeOthers = true
            }
            if all.omissions.count > 0 { all.total = nil }
        }
        return (all, nil)
    }

    private static func endless(_ problem: String) -> NetworkError {
        NetworkError(
            .unreadable,
            details: "The pages could not be loaded: \(problem). Correct the server’s pagination."
        )
    }
}

/// The pages of a collection, one request for each step of a loop.
///
/// It is its own iterator: each loop starts with a copy that has not loaded a page yet.
private struct PageSequence<Element: Identifiable & Sendable>: AsyncSequence, AsyncIteratorProtocol,
    Sendable
where Element.ID: Sendable {
    private(set) var pagination = Pagination<Element>()

    private let load: @Sendable (PageCursor?) async throws -> Page<Element>
    private var isFinished = false

    init(load: @escaping @Sendable (PageCursor?) async throws -> Page<Element>) {
        self.load = load
    }

    func makeAsyncIterator() -> PageSequence { self }

    /// Loads the next page off the caller's actor, without earlier elements; `nil` after the last page or an error.
    mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Page<Element>? {
        guard !isFinished else { return nil }
        // If this step throws, it is the last one.
        isFinished = true
        do {
            try Task.checkCancellation()
            var page = try await load(pagination.next)
            page.items = pagination.append(page)
            isFinished = pagination.next == nil
            return page
        } catch {
            // Some transports throw an error of their own when the task is cancelled.
            throw Task.isCancelled ? CancellationError() : error
        }
    }
}
