/// The pages of a catalog that have been loaded for one query.
///
/// It is a value without side effects. A search or a refresh loads pages into a new value, which
/// becomes visible only when it is complete.
struct CatalogPages {
    /// When the search or the refresh started that loaded the first page; identifies the value.
    let timestamp: LogicalTimestamp
    /// The query that the products match.
    let query: ProductQuery

    /// The number of pages, including empty ones.
    private(set) var count = 0
    /// The total number of products, as the backend last returned it; `nil` if it did not.
    private(set) var total: Int?
    /// The products that could not be decoded.
    private(set) var rejected: [RejectedElement] = []
    /// Where the pages came from; the server only if all of them came from the server.
    private(set) var source = FetchSource.network
    /// The position after the last page.
    private(set) var pagination = Pagination<Product>()

    init(of query: ProductQuery, startedAt timestamp: LogicalTimestamp) {
        self.query = query
        self.timestamp = timestamp
    }

    /// Appends the page at ``Pagination/next``.
    ///
    /// - Returns: The products that no earlier page contained, each once.
    mutating func append(_ page: Page<Product>) -> [Product.ID] {
        count += 1
        total = page.total ?? total
        if source.isFromServer { source = page.source }
        rejected += page.rejected
        return pagination.append(page).map(\.id)
    }

    /// Allows ten more pages without new products, for a new call that loads the next page.
    mutating func resetEmptyPages() {
        pagination.resetEmptyPages()
    }
}
