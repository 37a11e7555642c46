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
    /// Further ones are only counted, in ``rejectedCount``, also if you set more than 1,000. After
    /// 10,000 elements that cannot be decoded, the rest of the page is not decoded and counts as
    /// rejected.
    public var rejected: [RejectedElement] {
        get { rejections.reports }
        set { rejections.reports = newValue }
    }
    /// The number of elements of the page that could not be decoded.
    public var rejectedCount: Int { rejections.count }
    /// The elements that could not be decoded, with their number.
    var rejections = RejectedElements()
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
    init(_ elements: TolerantElements<Element>, next: PageCursor? = nil, total: Int? = nil)
    where Element: Decodable {
        self.init(elements.items, next: next, total: total)
        rejections = elements.rejected
    }
}

extension Page: Sendable where Element: Sendable {}
extension Page: Equatable where Element: Equatable {}
extension Page: Hashable where Element: Hashable {}

/// The position of a page in a paginated list, in a format that its loader defines.
///
/// A cursor can hold a backend's cursor, a page number, an offset or a URL. Only the loader that
/// created it interprets it. If a cursor is a URL, the default loader sends the query of that URL
/// to its own path, and throws an error for a URL with another origin than the base URL.
public struct PageCursor: RawRepresentable, Hashable, Codable, Sendable {
    /// The text that the loader defines.
    public let rawValue: String

    /// Creates a cursor from the loader's text.
    public init(rawValue: String) {
        self.rawValue = rawValue
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
    /// - Parameter transform: A closure that converts an element, for example from a backend's type
    ///   to `Product`.
    /// - Returns: A page with the same ``next``, ``total`` and ``source``.
    public func map<NewElement>(
        _ transform: (Element) throws -> NewElement
    ) -> Page<NewElement> {
        var page = Page<NewElement>([], next: next, total: total)
        page.rejections = rejections
        page.source = source
        let rejectedIndices = Set(rejected.map(\.index))
        var index = 0
        for item in items {
            while rejectedIndices.contains(index) { index += 1 }
            do {
                page.items.append(try transform(item))
            } catch {
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
    /// An element that cannot be decoded is added to ``rejected``; the others are not affected. An
    /// empty `next` is `nil`. An array is a page without `next` and `total`.
    ///
    /// - Throws: `DecodingError` if `items` is not an array, or `next` or `total` has another type.
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
        var array = try container.nestedUnkeyedContainer(forKey: .items)
        let elements = try TolerantElements<Element>(in: &array)
        let next = try container.decodeIfPresent(PageCursor.self, forKey: .next)
        self.init(
            elements,
            next: next?.rawValue.isEmpty == true ? nil : next,
            total: try container.decodeInteger(forKey: .total)
        )
        source = decoder.source
    }
}
