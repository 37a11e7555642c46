import Foundation

/// The paths of the parts of a page in a backend's response body.
///
/// Define it once for all requests whose pages have this format:
///
/// ```swift
/// extension PageFormat {
///     static let bazaar = PageFormat(items: "result.goods", next: "links.next", total: "count")
/// }
/// ```
public struct PageFormat: Hashable, Sendable {
    /// The path of the array of elements.
    public var items: MemberPath
    /// The path of the cursor of the next page.
    public var next: MemberPath?
    /// The path of the flag for a next page.
    public var hasNext: MemberPath?
    /// The path of the number of elements on all pages.
    public var total: MemberPath?

    /// Creates a format.
    ///
    /// - Parameters:
    ///   - items: The path of the array; empty if the whole body is the array. Elements that cannot
    ///     be decoded are in ``Page/rejected``.
    ///   - next: The path of the cursor of the next page, a string or an integer. If it is missing,
    ///     `null` or empty, the page is the last.
    ///   - hasNext: The path of a Boolean value that is `false` on the last page, although it has a
    ///     cursor, as in GraphQL. It may be missing.
    ///   - total: The path of the number of elements on all pages. It may be missing.
    public init(
        items: MemberPath = [],
        next: MemberPath? = nil,
        hasNext: MemberPath? = nil,
        total: MemberPath? = nil
    ) {
        self.items = items
        self.next = next
        self.hasNext = hasNext
        self.total = total
    }
}

/// A response body that contains a page in a backend's own format.
struct PageEnvelope<Element: Decodable>: DecodableWithConfiguration {
    let page: Page<Element>

    init(from decoder: any Decoder, configuration members: PageFormat) throws {
        let elements: TolerantElements<Element> = try members.items.decode(from: decoder)
        // The next page can be a number, which `Identifier` decodes and `PageCursor` does not.
        let cursor: Identifier<PageCursor>? = try members.next?.decodeIfPresent(from: decoder)
        let hasNext: Bool? = try members.hasNext?.decodeIfPresent(from: decoder)
        let total: Total? = try members.total?.decodeIfPresent(from: decoder)
        var page = Page(elements, total: total?.count)
        if let cursor, !cursor.rawValue.isEmpty, hasNext ?? true {
            page.next = PageCursor(rawValue: cursor.rawValue)
        }
        page.source = decoder.source
        self.page = page
    }
}

/// A response body that contains a value at a path.
struct ValueEnvelope<Content: Decodable>: DecodableWithConfiguration {
    let content: Content

    init(from decoder: any Decoder, configuration path: MemberPath) throws {
        content = try path.decode(from: decoder)
    }
}

private struct Total: Decodable {
    let count: Int

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The error of `JSONDecoder` for such a number does not contain the coding path.
        guard let count = try? container.decode(Int.self) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "Expected an integer of at most 64 bits."
            )
        }
        self.count = count
    }
}
