/// One page of a paginated list, and the cursor of the next page.
///
/// ```swift
/// let page = Page([boots], next: "2")
/// ```
public struct Page<Element> {
    /// The elements, in the backend's order.
    public var items: [Element]
    /// The cursor of the next page; `nil` on the last page.
    public var next: PageCursor?
    /// The number of elements on all pages; `nil` if the backend does not provide it.
    public var total: Int?
    /// The elements of the page that could not be decoded: at most the first 1,000 of them.
    ///
    /// Further ones are only counted, in ``rejectedCount``, also if you set more than 1,000. After 10,000 elements that
    /// cannot be decoded, the rest of the page is not decoded and counts as rejected.
    public var rejected: [RejectedElement] {
        get { rejections.reports }
        set { rejections.reports = newValue }
    }
    /// The number of elements of the page that could not be decoded.
    public var rejectedCount: Int { rejections.count }
    var rejections = RejectedElements()
    /// The members of the page itself that could not be decoded, such as its ``total``.
    public internal(set) var invalidMembers: [InvalidMember] = []
    @Uncompared var omissions = PageOmissions()
    /// The source of the page; by default the server.
    public var source = FetchSource.network

    /// Creates a page.
    public init(
        _ items: [Element],
        next: PageCursor? = nil,
        total: Int? = nil,
        rejected: [RejectedElement] = []
    ) {
        self.items = items
        self.next = next
        self.total = total
        self.rejected = rejected
    }

    /// Creates a page from the elements of a JSON array.
    init(_ elements: TolerantElements<Element>, next: PageCursor? = nil) where Element: Decodable {
        self.init(elements.items, next: next)
        rejections = elements.rejected
    }
}

/// What a page does not contain.
struct PageOmissions: Sendable {
    /// The number of elements that were left out of the page, although the server’s total counts them.
    var count = 0
    /// The server’s total, if elements were left out that it may count.
    var fullTotal: Int?
    /// Whether other elements may be missing, because the page was made from pages that do not fit together.
    var mayIncludeOthers = false
}

extension Page: Sendable where Element: Sendable {}
extension Page: Equatable where Element: Equatable {}
extension Page: Hashable where Element: Hashable {}

/// The position of a page in a paginated list, in a format that its loader defines.
///
/// A cursor can hold a backend's cursor, a page number, an offset or a URL. Only the loader that created it interprets
/// it. If a cursor is a URL, the default loader follows it as ``NetworkRequest/following(_:keepingQuery:)`` describes.
public struct PageCursor: RawRepresentable, Hashable, Codable, Sendable {
    /// The text that the loader defines.
    public let rawValue: String

    /// Creates a cursor from the loader's text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Returns whether both texts consist of the same bytes.
    public static func == (one: PageCursor, other: PageCursor) -> Bool {
        one.rawValue.hasSameBytes(as: other.rawValue)
    }

    /// Hashes the bytes of the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytesOf: rawValue)
    }
}

extension PageCursor: ExpressibleByStringInterpolation {
    /// Creates a cursor from a string literal.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }
}

extension Page {
    /// Returns a page with the results of a closure for each element.
    ///
    /// An element for which `transform` throws is added to ``rejected`` with its index on the page;
    /// the other elements are not affected. To report the invalid member as well, throw a
    /// `DecodingError`, as ``MemberPath/reading(_:)`` does.
    ///
    /// - Parameter transform: A closure that converts an element, for example from a backend's type to `Product`.
    /// - Returns: A page with the same ``next``, ``total`` and ``source``.
    public func map<NewElement>(_ transform: (Element) throws -> NewElement) -> Page<NewElement> {
        page(of: items.map { item in Result { try transform(item) } })
    }

    /// Returns a page with the results of a closure that are not `nil`.
    ///
    /// - Parameter transform: A closure that converts an element, or returns `nil` to leave it out. If it throws,
    ///   the element is added to ``rejected``, as with ``map(_:)``.
    /// - Returns: A page with the same ``next`` and ``source``. If an element was left out, it has no ``total``,
    ///   because it is not known how many others are left out.
    public func compactMap<NewElement>(
        _ transform: (Element) throws -> NewElement?
    ) -> Page<NewElement> {
        let mapped: Page<NewElement?> = map(transform)
        var page = mapped.replacingItems(by: mapped.items.compactMap(\.self))
        page.leaveOut(mapped.items.count - page.items.count)
        if page.omissions.count > 0 { page.total = nil }
        return page
    }

    /// Records that elements were left out, before the total is changed.
    mutating func leaveOut(_ count: Int) {
        omissions.fullTotal = omissions.fullTotal ?? total
        omissions.count += count
    }

    /// Returns a page with other elements, and everything else of this page.
    private func replacingItems<NewElement>(by items: [NewElement]) -> Page<NewElement> {
        var page = Page<NewElement>(items, next: next, total: total)
        page.rejections = rejections
        page.invalidMembers = invalidMembers
        page.omissions = omissions
        page.source = source
        return page
    }

    /// Returns a page with the results for each element in place of the elements.
    func page<NewElement>(of results: [Result<NewElement, any Error>]) -> Page<NewElement> {
        var page: Page<NewElement> = replacingItems(by: [])
        let rejectedIndices = Set(rejected.map(\.index))
        var index = 0
        for result in results {
            while rejectedIndices.contains(index) { index += 1 }
            switch result {
            case .success(let item): page.items.append(item)
            case .failure(let error):
                page.rejections.append(RejectedElement(index: index, error))
            }
            index += 1
        }
        page.rejections.reports.sort { $0.index < $1.index }
        return page
    }
}

extension Page: Decodable where Element: Decodable {
    private enum Member: CodingKey {
        case items, next, total
    }

    /// Decodes the page format of `Docs/openapi.yaml`, or an array.
    ///
    /// An element that cannot be decoded is added to ``rejected``; the others are not affected. `next` is a string or an
    /// integer; an empty value or `false` is `nil`. `null` in place of `items` is an empty page. `total` is an integer or
    /// a string with one; otherwise it is `nil` and in ``invalidMembers``. An array is a page without `next` and `total`.
    ///
    /// - Throws: `DecodingError` if `items` is not an array, or `next` has another type.
    public init(from decoder: any Decoder) throws {
        let container: KeyedDecodingContainer<Member>
        do {
            container = try decoder.container(keyedBy: Member.self)
        } catch {
            guard let array = try? TolerantElements<Element>(from: decoder) else { throw error }
            self.init(array)
            source = decoder.source
            return
        }
        let elements = try container.decode(TolerantElements<Element>.self, forKey: .items)
        let next = try container.decodeIfPresent(NextPage.self, forKey: .next)
        self.init(elements, next: next?.cursor)
        source = decoder.source
        do {
            total = try container.decodeIfPresent(PageTotal.self, forKey: .total)?.count
        } catch {
            invalidMembers = [InvalidMember(error, in: container)]
        }
    }
}
