extension Page: Decodable where Element: Decodable {
    private enum Member: CodingKey {
        case items, next, total
    }

    private typealias Elements = TolerantElements<Element>

    /// Reads `items`, `next` and `total` as `Docs/openapi.yaml` describes them.
    ///
    /// An element that cannot be read goes to ``rejected``; the others are kept. An empty `next`
    /// means that there is none. The page came from where the answer did. A bare array is a page of which no more is known.
    ///
    /// - Throws: `DecodingError` when `items` is no array, or `next` or `total` has another type.
    public init(from decoder: any Decoder) throws {
        let container: KeyedDecodingContainer<Member>
        do {
            container = try decoder.container(keyedBy: Member.self)
        } catch {
            guard let array = try? decoder.singleValueContainer().decode(Elements.self) else {
                throw error
            }
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

extension CodingUserInfoKey {
    /// Where the text came from that a decoder reads.
    static let source = CodingUserInfoKey(rawValue: "ProductKit.FetchSource")
}

extension Decoder {
    /// Where the text came from that is read.
    var source: FetchSource {
        CodingUserInfoKey.source.flatMap { userInfo[$0] as? FetchSource } ?? .network
    }
}

extension DecodingError {
    /// The member that could not be read, such as `prices[1].amount`.
    ///
    /// - Parameter depth: How many of the first steps to leave out.
    /// - Returns: The path, empty for the value itself.
    func member(below depth: Int = 0) -> String {
        path.dropFirst(depth).reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }

    /// The steps to the member that could not be read.
    var path: [any CodingKey] {
        var path = context?.codingPath ?? []
        if case .keyNotFound(let key, _) = self { path.append(key) }
        return path
    }

    /// What was wrong with the member, as one sentence.
    var reason: String {
        switch self {
        case .keyNotFound: "It is missing."
        case .valueNotFound: "It is null."
        default:
            context.flatMap { $0.debugDescription.isEmpty ? nil : $0.debugDescription }
                ?? "It cannot be read."
        }
    }

    private var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}
