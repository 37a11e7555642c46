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
    ///     `null`, `false` or empty, the page is the last.
    ///   - hasNext: The path of a Boolean value that is `false` on the last page, although it has a
    ///     cursor, as in GraphQL. It may be missing. Another value is in ``Page/invalidMembers``.
    ///   - total: The path of the number of elements on all pages, an integer or a string with one. It
    ///     may be missing. Another value is in ``Page/invalidMembers``.
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
        let next: NextPage? = try members.next?.decodeIfPresent(from: decoder)
        var page = Page(elements, next: next?.cursor)
        func valueIfValid<Value>(_ decode: () throws -> Value?) -> Value? {
            do { return try decode() } catch {
                let depth = decoder.codingPath.count
                page.invalidMembers.append(InvalidMember(error, droppingFirst: depth))
                return nil
            }
        }
        let total: PageTotal? = valueIfValid { try members.total?.decodeIfPresent(from: decoder) }
        let hasNext: Bool? = valueIfValid { try members.hasNext?.decodeIfPresent(from: decoder) }
        page.total = total?.count
        if hasNext == false { page.next = nil }
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

/// The cursor of the next page: a string or an integer.
///
/// Besides an empty string, `false` and an empty array or object mean that there is no next page.
struct NextPage: Decodable {
    let cursor: PageCursor?

    init(from decoder: any Decoder) throws {
        do {
            let text = try Identifier<PageCursor>(from: decoder).rawValue
            cursor = text.isEmpty ? nil : PageCursor(rawValue: text)
        } catch {
            guard decoder.hasEmptyValue else { throw error }
            cursor = nil
        }
    }
}

/// The number of elements on all pages: an integer, or a string with one, as PostgreSQL returns
/// counts.
struct PageTotal: Decodable {
    let count: Int

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The error of `JSONDecoder` for such a number does not contain the coding path.
        guard
            let count = (try? container.decode(Int.self))
                ?? (try? container.decode(String.self)).flatMap({ Int($0) })
        else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "Expected an integer of at most 64 bits."
            )
        }
        self.count = count
    }
}
