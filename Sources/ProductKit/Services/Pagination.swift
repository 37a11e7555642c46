/// The progress of loading a collection page by page.
///
/// It applies the rules that protect against backends with faulty pagination:
///
/// - A page with the same ``Page/next`` as an earlier page is the last one, unless it has new elements: some
///   servers count by themselves, and always return the same cursor. Pages that are loaded again need not have any.
/// - An element that an earlier page contained is left out. If it occurs twice on one page, its
///   first position and its last value are used.
/// - After ``maximumEmptyPages`` pages in a row without new elements, a caller that skips such pages should stop.
struct Pagination<Element: Identifiable>: Sendable where Element.ID: Sendable {
    /// How many pages in a row without new elements are accepted.
    static var maximumEmptyPages: Int { 10 }

    /// The cursor of the next page; `nil` before the first page and after the last.
    private(set) var next: PageCursor?
    /// The number of pages without new elements in a row.
    private(set) var emptyPages = 0

    /// Whether the first page is loaded again, because the cursor of the next one has expired.
    private(set) var startsAgain = false
    /// Whether all pages since the first one was loaded again had no new elements.
    private(set) var isRepeating = false

    /// The number of pages since the first one was last loaded.
    private var pageCount = 0
    /// The number of pages that were loaded before the first one was loaded again.
    private var repeatedCount = 0
    /// The number of pages after which a cursor was rejected.
    private var rejectedCount: Int?

    private var followedCursors: Set<PageCursor> = []
    private var seenIDs: Set<Element.ID> = []

    /// Whether the last page had no new elements, and the next page should be loaded instead.
    var shouldSkipEmptyPage: Bool {
        next != nil && emptyPages > 0 && emptyPages < Self.maximumEmptyPages
    }

    /// Whether there is a page to load after the first one.
    var hasNext: Bool { next != nil || startsAgain }

    /// Appends a page, which must be the first one or that of ``next``.
    ///
    /// - Returns: The elements that no earlier page contained, each once.
    mutating func append(_ page: Page<Element>) -> [Element] {
        var newElements = page.items.filter { seenIDs.insert($0.id).inserted }
        pageCount += 1
        let mayRepeatCursor = !newElements.isEmpty || pageCount <= repeatedCount
        next = page.next.flatMap { cursor in
            followedCursors.insert(cursor).inserted || mayRepeatCursor ? cursor : nil
        }
        startsAgain = false
        if !newElements.isEmpty { isRepeating = false }
        if newElements.count < page.items.count {
            let lastValues = Dictionary(page.items.map { ($0.id, $0) }) { _, last in last }
            newElements = newElements.map { lastValues[$0.id] ?? $0 }
        }
        emptyPages = newElements.isEmpty ? emptyPages + 1 : 0
        return newElements
    }

    /// Appends the elements, and the next page, of an earlier load whose first pages this one has repeated.
    mutating func append(_ elements: [Element.ID], from earlier: Pagination) {
        (next, startsAgain) = (earlier.next, earlier.startsAgain)
        isRepeating = earlier.isRepeating
        // A server that counts by itself continues after the pages of this load.
        repeatedCount = max(earlier.repeatedCount, earlier.pageCount)
        followedCursors.formUnion(earlier.followedCursors)
        seenIDs.formUnion(elements)
    }

    /// Continues with the first page, because the server has rejected the cursor of the next one, which may have expired.
    ///
    /// Elements that were loaded already are left out. If it has rejected the cursor after as many pages
    /// before, and none of them had new elements, it always does: then the last page was the last one.
    mutating func startAgain() {
        let isFinal = isRepeating && rejectedCount == pageCount
        repeatedCount = max(repeatedCount, pageCount)
        (rejectedCount, pageCount) = (pageCount, 0)
        (next, followedCursors) = (nil, [])
        (startsAgain, isRepeating) = (!isFinal, true)
    }

    /// Starts again to count pages without new elements, so that ``maximumEmptyPages`` may follow.
    mutating func resetEmptyPages() {
        emptyPages = 0
    }
}
