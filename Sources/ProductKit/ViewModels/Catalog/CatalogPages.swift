/// The pages of a catalog that have been loaded for one query.
///
/// It is a value without side effects. A search or a refresh loads pages into a new value, which
/// becomes visible only when it is complete.
struct CatalogPages {
    /// When the search or the refresh started that loaded the first page; identifies the value.
    let timestamp: LogicalTimestamp
    /// When the first load of the query started, which a search or a refresh may have repeated.
    let searchedAt: LogicalTimestamp
    /// The query that the products match.
    let query: ProductQuery

    /// The total number of products, as the backend last returned it; `nil` if it did not.
    private(set) var total: Int?
    /// The position after the last page.
    var pagination = Pagination<Product>()
    /// The source of each page, and the products on it that could not be decoded.
    private var pages: [(source: FetchSource, rejected: [RejectedElement])] = []

    /// Creates a value without pages, for a search, or for a refresh of the pages that are shown.
    init(
        of query: ProductQuery,
        startedAt timestamp: LogicalTimestamp,
        refreshing pages: CatalogPages? = nil
    ) {
        self.query = query
        self.timestamp = timestamp
        searchedAt = pages?.searchedAt ?? timestamp
    }

    /// The number of pages, including empty ones.
    var count: Int { pages.count }

    /// Where the pages came from; the server only if all of them came from the server.
    var source: FetchSource {
        pages.map(\.source).reduce(.network) { $0.combined(with: $1) }
    }

    /// The products that could not be decoded.
    var rejected: [RejectedElement] { pages.flatMap { $0.rejected } }

    /// Appends the page at ``Pagination/next``, and returns the products that no earlier page contained, each once.
    mutating func append(_ page: Page<Product>) -> [Product.ID] {
        total = page.total ?? total
        let products = pagination.append(page).map(\.id)
        // A page that is loaded again was counted before.
        if !pagination.isRepeating { pages.append((page.source, page.rejected)) }
        return products
    }

    /// Whether a refresh loads another page: it loads those that are shown, up to ten.
    func needsPage(replacing shown: CatalogPages) -> Bool {
        pagination.next != nil && count < min(shown.count, 10)
    }

    /// Appends the pages that follow in an earlier load, whose first pages this one has repeated.
    ///
    /// The products are those of the further pages that this value does not contain. If there are none,
    /// nothing is appended.
    mutating func append(pagesFrom earlier: CatalogPages, with products: [Product.ID]) {
        guard !products.isEmpty else { return }
        pages += earlier.pages.dropFirst(count)
        pagination.append(products, from: earlier.pagination)
    }
}
