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
