/// The body of a request that creates or changes a resource of JSON:API.
///
/// ```swift
/// let place = JSONAPIDraft(
///     "places",
///     relationships: [
///         "shelf": .init("shelves", shelf.id),
///         "drink": .init("drinks", drink),
///     ]
/// )
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
        let type: String
        let id: String?
        let attributes: EncodableValue
        let relationships: [String: [String: Reference]]?
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
            attributes: EncodableValue(value: attributes),
            relationships: relationships.isEmpty ? nil : relationships.mapValues { ["data": $0] }
        )
    }
}
