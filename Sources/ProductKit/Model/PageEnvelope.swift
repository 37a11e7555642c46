import Foundation

/// Where the parts of a page stand in a backend's answer.
struct PageMembers {
    let items: MemberPath
    let next: MemberPath?
    let total: MemberPath?
}

/// A page that stands somewhere inside of an answer.
struct PageEnvelope<Element: Decodable>: DecodableWithConfiguration {
    let page: Page<Element>

    init(from decoder: any Decoder, configuration members: PageMembers) throws {
        let elements: TolerantElements<Element> = try members.items.decode(from: decoder)
        // The number of a page will do as well as a text.
        let cursor: Identifier<PageCursor>? = try members.next?.decodeIfPresent(from: decoder)
        let total: Total? = try members.total?.decodeIfPresent(from: decoder)
        var page = Page(
            elements.items,
            next: cursor.flatMap { $0.rawValue.isEmpty ? nil : PageCursor(rawValue: $0.rawValue) },
            total: total?.count,
            rejected: elements.rejected
        )
        page.source = decoder.source
        self.page = page
    }
}

/// A value that stands somewhere inside of an answer.
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
        // `JSONDecoder` does not tell where a number stood that has a fraction or is too large.
        guard let count = try? container.decode(Int.self) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "Expected an integer of at most 64 bits."
            )
        }
        self.count = count
    }
}
