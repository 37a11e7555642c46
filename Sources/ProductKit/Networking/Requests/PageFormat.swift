import Foundation

/// The format of a backend's pages: where the parts of a page are, and what selects the next one.
///
/// Define it once for all requests with such pages, as <doc:BackendProducts#Pages> shows, and pass it to
/// ``NetworkRequest/page(_:following:)``.
public struct PageFormat: Hashable, Sendable {
    /// Where a response has a number: in its JSON, or in a header field.
    public enum Count: Hashable, Sendable, ExpressibleByStringLiteral {
        /// A member with an integer of zero or more, or with a string that contains one.
        ///
        /// It may be missing. Another value is in ``Page/invalidMembers``.
        case member(MemberPath)
        /// A header field with an integer of zero or more, such as `X-Total`, or with one after a slash, such as
        /// `Content-Range: items 40-59/1490` (RFC 9110 §14.4). Any other value counts as missing.
        case header(String)

        /// A member, as a path in the format of ``MemberPath``.
        public init(stringLiteral value: String) {
            self = .member(MemberPath(stringLiteral: value))
        }

        var path: MemberPath? {
            guard case .member(let path) = self else { return nil }
            return path
        }

        /// Returns the number in the header field; `nil` if it is that of a member.
        func number(in headers: NetworkHeaders) -> Int? {
            guard case .header(let name) = self else { return nil }
            let number = headers[name]?
                .split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
                .last.flatMap { Int($0) }
            return number.flatMap { $0 < 0 ? nil : $0 }
        }
    }

    let items: MemberPath
    /// Whether a response without the array is an empty page.
    private(set) var omitsEmptyArrays = false
    private(set) var next: MemberPath?
    let hasNext: MemberPath?
    private(set) var pageCount: Count?
    let total: Count?
    /// The query item with the cursor of a page; `nil` if the cursor is a URL or the pages have numbers.
    private(set) var cursorItem: String?
    /// How the backend numbers its pages; `nil` if it returns the cursor of the next one.
    private(set) var numbering: PageNumbering?

    /// Creates a format for pages that contain the cursor or the URL of the next one.
    ///
    /// - Parameters:
    ///   - items: The path of the array; empty if the whole body is the array. Elements that cannot
    ///     be decoded are in ``Page/rejected``.
    ///   - next: The path of the cursor of the next page, a string or an integer. If it is missing,
    ///     `null`, `false` or empty, the page is the last.
    ///   - cursor: The name of the query item with the cursor of a page, which requires `next`; `nil` if your closure
    ///     sends the cursor, as in the variables of GraphQL, or if that is a URL.
    ///   - hasNext: The path of a Boolean value that is `false` on the last page, although it has a cursor, as in GraphQL:
    ///     `"data.products.pageInfo.hasNextPage"`. It may be missing. Another value is in ``Page/invalidMembers``.
    ///   - total: The number of elements on all pages, such as `"count"` or `.header("X-Total")`.
    public init(
        items: MemberPath = [],
        next: MemberPath? = nil,
        cursor: String? = nil,
        hasNext: MemberPath? = nil,
        total: Count? = nil
    ) {
        precondition(cursor == nil || next != nil, "cursor needs next, the path of the cursor")
        (self.items, self.hasNext, self.total) = (items, hasNext, total)
        (self.next, cursorItem) = (next, cursor)
    }

    /// Creates a format for pages with numbers.
    ///
    /// The number of pages decides which page is the last one. Without it, the last page is the one with which the
    /// number of loaded elements reaches the total. Without both, it is the first page without elements. So pass a
    /// count or the flag if your server rejects the number of a page after the last one, or returns the last page
    /// again. If such a server has none of them, load one large page.
    ///
    /// - Parameters:
    ///   - items: The path of the array; empty if the whole body is the array. Elements that cannot
    ///     be decoded are in ``Page/rejected``.
    ///   - pageNumber: The name of the query item with the number of the page.
    ///   - first: The number of the first page.
    ///   - pageCount: The number of pages.
    ///   - hasNext: The path of a Boolean value that is `false` on the last page. It has precedence over the counts.
    ///     If it is missing, they decide. Another value is in ``Page/invalidMembers``.
    ///   - total: The number of elements on all pages.
    public init(
        items: MemberPath = [],
        pageNumber: String,
        first: Int = 1,
        pageCount: Count? = nil,
        hasNext: MemberPath? = nil,
        total: Count? = nil
    ) {
        (self.items, self.hasNext, self.total) = (items, hasNext, total)
        self.pageCount = pageCount
        numbering = PageNumbering(item: pageNumber, first: first, isOffset: false)
    }

    /// Creates a format for pages that are selected by the number of elements before them.
    ///
    /// The last page is the one with which all elements have been loaded, or one without elements.
    /// Elements that cannot be decoded count, too.
    ///
    /// `offset` is the name of the query item with the number of elements before the page. The other parameters are
    /// those of ``init(items:pageNumber:first:pageCount:hasNext:total:)``.
    public init(
        items: MemberPath = [],
        offset: String,
        hasNext: MemberPath? = nil,
        total: Count? = nil
    ) {
        (self.items, self.hasNext, self.total) = (items, hasNext, total)
        numbering = PageNumbering(item: offset, first: 0, isOffset: true)
    }

    /// The same format for a backend that omits an empty array: a response without it, or without an object on its
    /// path, is an empty page.
    ///
    /// Without this, it is an error, so that a wrong path is noticed. A `null` is an empty page with both.
    public var omittingEmptyArrays: PageFormat {
        var format = self
        format.omitsEmptyArrays = true
        return format
    }
}

/// How a backend numbers its pages.
struct PageNumbering: Hashable, Sendable {
    /// The name of the query item that selects a page.
    let item: String
    /// The number of the first page.
    let first: Int
    /// Whether the query item has the number of elements before the page, and not that of the page.
    let isOffset: Bool

    /// The value of the query item, and for page numbers the number of elements before the page, if it is known.
    typealias Position = (number: Int, elementCount: Int?)

    /// Returns the query of the first page with the number of another one.
    func query(at cursor: PageCursor, replacing query: [URLQueryItem]) throws -> [URLQueryItem] {
        guard let position = position(of: cursor, in: query) else {
            throw NetworkError(
                .invalidRequest,
                details:
                    "The page cannot be loaded: its cursor is not a page number, or its format has no "
                    + "numbers. Use the cursor of the previous page, and a format with page numbers or "
                    + "offsets."
            )
        }
        return query.filter { $0.name != item }
            + [URLQueryItem(name: item, value: String(position.number))]
    }

    /// Returns the position of a page, or without a cursor the one that the query selects, or else the first.
    func position(of cursor: PageCursor?, in query: [URLQueryItem]) -> Position? {
        guard let cursor else {
            let number = query.last { $0.name == item }?.value.flatMap { Int($0) } ?? first
            return (number, elementCount: number == first ? 0 : nil)
        }
        let numbers = cursor.rawValue.split(separator: ",", omittingEmptySubsequences: false)
            .map { Int($0) ?? -1 }
        guard numbers.count <= (isOffset ? 1 : 2), numbers.allSatisfy({ $0 >= 0 }) else {
            return nil
        }
        return (numbers[0], elementCount: numbers.dropFirst().first)
    }

    /// Returns the cursor of the next page; `nil` if a page with this number of elements is the last one.
    ///
    /// If the backend says whether there is a next page, its counts do not matter.
    func next(
        after position: Position,
        count: Int,
        pageCount: Int?,
        total: Int?,
        hasNext: Bool?
    ) -> PageCursor? {
        guard hasNext != false else { return nil }
        let previousCount = isOffset ? position.number : position.elementCount
        let sum = previousCount?.addingReportingOverflow(count)
        let elementCount = sum.flatMap { $0.overflow ? nil : $0.partialValue }
        if isOffset {
            guard count > 0, let elementCount, hasNext == true || elementCount < total ?? .max
            else { return nil }
            return PageCursor(rawValue: "\(elementCount)")
        }
        guard position.number < .max else { return nil }
        let number = position.number + 1
        if let pageCount {
            let isLast = hasNext != true && number - first >= pageCount
            return isLast ? nil : PageCursor(rawValue: "\(number)")
        }
        guard count > 0 || hasNext == true else { return nil }
        guard let total, let elementCount else { return PageCursor(rawValue: "\(number)") }
        // The total is compared with the number of loaded elements, so the cursor contains that number.
        let isLast = hasNext != true && elementCount >= total
        return isLast ? nil : PageCursor(rawValue: "\(number),\(elementCount)")
    }
}
