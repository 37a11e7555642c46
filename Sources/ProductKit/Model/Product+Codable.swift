import Foundation

extension Product: Codable {
    private enum Member: CodingKey {
        case id, name, description, prices, images, url, isAvailable, isFavorite, updatedAt
        case attributes
    }

    /// Reads a product as `Docs/openapi.yaml` describes it.
    ///
    /// Absent and `null` mean the same, members not listed are passed over, and an empty text where
    /// a URL belongs is none. Names of attributes follow the decoder's `keyDecodingStrategy` like all
    /// others.
    ///
    /// - Throws: `DecodingError`, which names the member, when `id` or `name` is missing or a
    ///   member has another type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Member.self)
        id = try container.decode(ID.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        description = try container.decodeIfPresent(String.self, forKey: .description)
        prices = try container.elements(forKey: .prices) { elements in
            try Price(in: elements.nestedContainer(keyedBy: Price.Member.self))
        }
        images = try container.elements(forKey: .images) { elements in
            let place = elements.currentIndex
            return try Product.url(
                elements.decode(String.self),
                at: elements.codingPath + [place.codingKey]
            )
        }.compactMap(\.self)
        url = try container.decodeIfPresent(String.self, forKey: .url).flatMap { text in
            try Product.url(text, at: container.codingPath + [Member.url])
        }
        isAvailable = try container.decodeIfPresent(Bool.self, forKey: .isAvailable)
        isFavorite = try container.decodeIfPresent(Bool.self, forKey: .isFavorite) ?? false
        updatedAt = try container.timestamp(forKey: .updatedAt)
        attributes = try Product.attributes(in: container)
    }

    /// Writes a product as `Docs/openapi.yaml` describes it; what is `nil` is left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Member.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(description, forKey: .description)
        try container.encode(prices, forKey: .prices)
        // As texts: other encoders than JSON's would write a URL as a pair of base and path.
        try container.encode(images.map(\.absoluteString), forKey: .images)
        try container.encodeIfPresent(url?.absoluteString, forKey: .url)
        try container.encodeIfPresent(isAvailable, forKey: .isAvailable)
        try container.encode(isFavorite, forKey: .isFavorite)
        try container.encode(timestamp: updatedAt, forKey: .updatedAt)
        try container.encode(attributes, forKey: .attributes)
    }

    private static func attributes(
        in container: KeyedDecodingContainer<Member>
    ) throws -> [String: String] {
        guard container.holds(.attributes) else { return [:] }
        let attributes = try container.nestedContainer(
            keyedBy: MemberName.self,
            forKey: .attributes
        )
        return try attributes.allKeys.reduce(into: [:]) { texts, name in
            texts[name.stringValue] = try attributes.decodeIfPresent(String.self, forKey: name)
        }
    }

    /// Shops write an empty text for no URL.
    private static func url(
        _ text: String,
        at path: @autoclosure () -> [any CodingKey]
    ) throws -> URL? {
        if let url = URL(string: text) { return url }
        guard text.isEmpty else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: path(),
                    debugDescription: "Expected a URL, found “\(text.prefix(64))”."
                )
            )
        }
        return nil
    }
}
