import Foundation

/// A response body that contains a page in a backend's own format.
struct PageEnvelope<Element: Decodable>: DecodableWithConfiguration {
    private(set) var page: Page<Element>
    /// The number of pages; `nil` if the body does not contain it.
    let pageCount: Int?
    /// Whether there is a next page; `nil` if the body does not say so.
    let hasNext: Bool?

    init(from decoder: any Decoder, configuration members: PageFormat) throws {
        let elements: TolerantElements<Element> =
            members.omitsEmptyArrays
            ? try members.items.decodeIfPresent(from: decoder) ?? .init()
            : try members.items.decode(from: decoder)
        let next: NextPage? = try members.next?.decodeIfPresent(from: decoder)
        var page = Page(elements, next: next?.cursor)
        func valueIfValid<Value>(_ decode: () throws -> Value?) -> Value? {
            do { return try decode() } catch {
                let depth = decoder.codingPath.count
                page.invalidMembers.append(InvalidMember(error, droppingFirst: depth))
                return nil
            }
        }
        func count(_ path: MemberPath?) -> Int? {
            let number: PageTotal? = valueIfValid { try path?.decodeIfPresent(from: decoder) }
            return number?.count
        }
        page.total = count(members.total?.path)
        pageCount = count(members.pageCount?.path)
        hasNext = valueIfValid { try members.hasNext?.decodeIfPresent(from: decoder) }
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
