/// How far a list has been read: where it goes on, and what was met on the way.
///
/// It is a value that asks and tells nobody, so a list is read into a copy, and shown when it is
/// complete.
struct ProductListing {
    /// The question that began it; an answer belongs to the list it was asked for.
    let question: ProductStore.Question
    /// What it lists.
    let query: ProductQuery

    /// How many pages were read, the empty ones included.
    private(set) var pageCount = 0
    /// How many products the backend told that there are.
    private(set) var total: Int?
    /// What stood on its pages but could not be read.
    private(set) var rejected: [RejectedElement] = []
    /// Where it came from; one page that no server has confirmed speaks for all.
    private(set) var source = FetchSource.network
    /// Where it goes on; `nil` before the first page and after the last.
    private(set) var next: PageCursor?

    private var met: Set<Product.ID> = []
    private var followed: Set<PageCursor> = []

    init(of query: ProductQuery, from question: ProductStore.Question) {
        self.query = query
        self.question = question
    }

    /// Takes in the page that follows.
    ///
    /// A page that leads back to one that was read already is the last.
    ///
    /// - Returns: The products that were not met before, each once.
    mutating func append(_ page: Page<Product>) -> [Product.ID] {
        if let next { followed.insert(next) }
        next = page.next.flatMap { followed.contains($0) ? nil : $0 }
        pageCount += 1
        total = page.total ?? total
        if source.isFromServer { source = page.source }
        rejected += page.rejected
        return page.items.map(\.id).filter { met.insert($0).inserted }
    }
}
