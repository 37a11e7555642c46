import Foundation

/// The paths to the parts of a page in a backend's response body.
struct PageMembers {
    let items: MemberPath
    var next: MemberPath?
    var hasNext: MemberPath?
    var total: MemberPath?
}

/// A response body that contains a page in a backend's own format.
struct PageEnvelope<Element: Decodable>: DecodableWithConfiguration {
    let page: Page<Element>

    init(from decoder: any Decoder, configuration members: PageMembers) throws {
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
