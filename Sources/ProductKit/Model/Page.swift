/// One page of a longer list, and where the next one begins.
///
/// ```swift
/// let page = Page([boots], next: "2")
/// ```
public struct Page<Element> {
    /// The elements, in the backend's order.
    public var items: [Element]
    /// Where the next page begins; `nil` on the last.
    public var next: PageCursor?
    /// How many elements all pages hold together; `nil` when the backend does not tell.
    public var total: Int?
    /// What stood on the page but could not be read; it costs no other element.
    public var rejected: [RejectedElement]
    /// Where the page came from: the server, unless a cache says otherwise.
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
}

extension Page: Sendable where Element: Sendable {}
extension Page: Equatable where Element: Equatable {}
extension Page: Hashable where Element: Hashable {}

extension Page {
    /// The same page with something else made of every element.
    ///
    /// An element for which `transform` throws goes to ``rejected`` with its place on the page, as
    /// if it had not been readable; the others are kept. To tell which member was wrong, throw a
    /// `DecodingError`, as ``MemberPath/reading(_:)`` does.
    ///
    /// - Parameter transform: Makes the new element, such as a product from what a backend calls
    ///   one.
    /// - Returns: A page with the same ``next``, ``total`` and ``source``.
    public func map<NewElement>(
        _ transform: (Element) throws -> NewElement
    ) -> Page<NewElement> {
        var page = Page<NewElement>([], next: next, total: total, rejected: rejected)
        page.source = source
        let gaps = Set(rejected.map(\.index))
        var index = 0
        for item in items {
            while gaps.contains(index) { index += 1 }
            do {
                page.items.append(try transform(item))
            } catch {
                page.rejected.append(RejectedElement(index: index, error))
            }
            index += 1
        }
        page.rejected.sort { $0.index < $1.index }
        return page
    }
}

extension Page: Decodable where Element: Decodable {
    private enum Member: CodingKey {
        case items, next, total
    }

    /// Reads `items`, `next` and `total` as `Docs/openapi.yaml` describes them.
    ///
    /// An element that cannot be read goes to ``rejected``; the others are kept. An empty `next`
    /// means that there is none. The page came from where the answer did. A bare array is a page of
    /// which no more is known.
    ///
    /// - Throws: `DecodingError` when `items` is no array, or `next` or `total` has another type.
    public init(from decoder: any Decoder) throws {
        let container: KeyedDecodingContainer<Member>
        do {
            container = try decoder.container(keyedBy: Member.self)
        } catch {
            guard let array = try? TolerantElements<Element>(from: decoder) else { throw error }
            self.init(array.items, rejected: array.rejected)
            source = decoder.source
            return
        }
        var elements = try container.nestedUnkeyedContainer(forKey: .items)
        let read = try TolerantElements<Element>(in: &elements)
        let next = try container.decodeIfPresent(PageCursor.self, forKey: .next)
        self.init(
            read.items,
            next: next?.rawValue.isEmpty == true ? nil : next,
            total: try container.integer(forKey: .total),
            rejected: read.rejected
        )
        source = decoder.source
    }
}

/// The place where a page begins, in the words of the loader that made it.
///
/// It may hold a backend's cursor, an offset or a URL; nobody but that loader looks inside. The
/// default loader follows the query of an http address, on the origin of its base URL only.
public struct PageCursor: RawRepresentable, Hashable, Codable, Sendable {
    /// The loader's own text.
    public let rawValue: String

    /// Creates a cursor from the loader's own text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension PageCursor: ExpressibleByStringInterpolation {
    /// Creates a cursor from a literal.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }
}
