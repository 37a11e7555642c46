import Foundation

extension Product: Codable {
    private enum Member: String, CodingKey {
        case id, name, description, prices, images, url, isAvailable, isFavorite, updatedAt
        case attributes
    }

    /// Reads a product as `Docs/openapi.yaml` describes it.
    ///
    /// Absent and `null` mean the same, members not listed are passed over, and an empty text where
    /// a URL belongs is none.
    ///
    /// - Throws: `DecodingError`, which names the member, when `id` or `name` is missing or a
    ///   member has another type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Member.self)
        id = try container.decode(ID.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        description = try container.decodeIfPresent(String.self, forKey: .description)
        prices = try container.decodeIfPresent([Price].self, forKey: .prices) ?? []
        images =
            try container.decodeIfPresent([LenientURL].self, forKey: .images)?
            .compactMap(\.url) ?? []
        url = try container.decodeIfPresent(LenientURL.self, forKey: .url)?.url
        isAvailable = try container.decodeIfPresent(Bool.self, forKey: .isAvailable)
        isFavorite = try container.decodeIfPresent(Bool.self, forKey: .isFavorite) ?? false
        updatedAt = try container.decodeIfPresent(Timestamp.self, forKey: .updatedAt)?.date
        attributes = try Product.attributes(in: container)
    }

    /// Writes a product as `Docs/openapi.yaml` describes it; what is `nil` is left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Member.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(description, forKey: .description)
        try container.encode(prices, forKey: .prices)
        try container.encode(images, forKey: .images)
        try container.encodeIfPresent(url, forKey: .url)
        try container.encodeIfPresent(isAvailable, forKey: .isAvailable)
        try container.encode(isFavorite, forKey: .isFavorite)
        try container.encodeIfPresent(updatedAt.map(Timestamp.init), forKey: .updatedAt)
        try container.encode(attributes, forKey: .attributes)
    }

    private static func attributes(
        in container: KeyedDecodingContainer<Member>
    ) throws -> [String: String] {
        do {
            return try container.decodeIfPresent([String: String].self, forKey: .attributes) ?? [:]
        } catch {
            return try container.decode([String: String?].self, forKey: .attributes)
                .compactMapValues(\.self)
        }
    }
}

/// A URL in JSON, where shops write an empty text for none.
private struct LenientURL: Decodable {
    let url: URL?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        url = URL(string: text)
        guard url != nil || text.isEmpty else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "Expected a URL, found “\(text)”."
            )
        }
    }
}
