/// The body of a request that creates or changes a resource of JSON:API.
///
/// ```swift
/// newLine: { id in
///     JSONAPIDraft("places", relationships: ["drink": .init("drinks", id)])
/// }
/// ```
///
/// It requires the ``JSONAPIBehavior`` of the client, or a `Content-Type` of your own.
public struct JSONAPIDraft: Encodable, Sendable {
    /// The type and the identifier of a resource.
    public struct Reference: Encodable, Sendable {
        let type: String
        let id: String

        /// Creates a reference to a resource.
        public init(_ type: String, _ id: any LosslessStringConvertible) {
            (self.type, self.id) = (type, id.description)
        }
    }

    private struct Resource: Encodable, Sendable {
        struct Relationship: Encodable {
            let data: Reference
        }

        let type: String
        let id: String?
        let attributes: any Encodable & Sendable
        let relationships: [String: Reference]

        private enum CodingKeys: String, CodingKey {
            case type, id, attributes, relationships
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(type, forKey: .type)
            try container.encodeIfPresent(id, forKey: .id)
            try container.encode(attributes, forKey: .attributes)
            if !relationships.isEmpty {
                let values = relationships.mapValues { Relationship(data: $0) }
                try container.encode(values, forKey: .relationships)
            }
        }
    }

    private let data: Resource

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - type: The type of the resource.
    ///   - id: Its identifier, for a change; `nil`, the default, if the server assigns it.
    ///   - attributes: Its attributes.
    ///   - relationships: The resources that it refers to: `["product": .init("products", product)]`.
    public init(
        _ type: String,
        id: (any LosslessStringConvertible)? = nil,
        attributes: some Encodable & Sendable = [:] as [String: String],
        relationships: [String: Reference] = [:]
    ) {
        data = Resource(
            type: type,
            id: id?.description,
            attributes: attributes,
            relationships: relationships
        )
    }
}
