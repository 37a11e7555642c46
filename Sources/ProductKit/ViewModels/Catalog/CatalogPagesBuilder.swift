/// The pages that a search or a refresh has loaded, which are not shown before they are complete.
///
/// If the query is the one shown, all pages shown are loaded again. They may change meanwhile,
/// because the next page of the former rows may arrive.
struct CatalogPagesBuilder {
    /// The pages.
    private(set) var pages: CatalogPages
    /// The pages as they were loaded, for the store.
    private(set) var loadedPages: [ProductStore.TimestampedPage] = []
    /// The products on the pages, each once.
    private(set) var products: [Product.ID] = []
    /// Whether the pages shown are loaded again.
    private let isRefresh: Bool

    /// Creates a value without pages.
    ///
    /// - Parameters:
    ///   - load: The search or the refresh.
    ///   - shown: The pages to load again; `nil` if other pages are shown.
    init(_ load: CatalogLoad, refreshing shown: CatalogPages?) {
        pages = CatalogPages(of: load.query, startedAt: load.timestamp, refreshing: shown)
        isRefresh = shown != nil
    }

    /// Appends the page at ``Pagination/next``.
    ///
    /// - Throws: The failure of the server if a refresh would replace rows from the server by a
    ///   stored page.
    mutating func append(
        _ page: ProductStore.TimestampedPage,
        replacing shown: CatalogPages
    ) throws {
        loadedPages.append(page)
        products += pages.append(page.page)
        if isRefresh, shown.source.isFromServer, let failure = pages.source.failure {
            throw failure
        }
    }

    /// Whether another page is needed: a refresh loads the pages that are shown, up to ten, and
    /// empty first pages are skipped.
    func needsPage(replacing shown: CatalogPages) -> Bool {
        let limit = min(shown.count, CatalogPages.maximumRefreshedPages)
        return isRefresh && pages.pagination.next != nil && pages.count < limit
            || products.isEmpty && pages.pagination.shouldSkipEmptyPage
    }

    /// Appends the further pages shown, which a refresh has not loaded again.
    ///
    /// - Returns: The rows that stay behind the new ones.
    mutating func appendRemainder(
        of shown: CatalogPages,
        with shownRows: [ProductRow],
        after rows: [ProductRow]
    ) -> [ProductRow] {
        guard isRefresh, pages.pagination.next != nil, pages.count < shown.count else { return [] }
        let remainder = shownRows.remainder(after: rows)
        pages.append(pagesFrom: shown, with: remainder.map(\.id))
        return remainder
    }
}
